"""Where this server keeps its classes: in a file, or in the Redis named in the environment."""

import os
from functools import cache

from viz.classroom.redis_store import RedisStore
from viz.classroom.room import Room
from viz.classroom.sqlite import SqliteStore, usual_path

VARIABLE = "HEADLIGHT_CLASS_STORE"
"""The variable that names a Redis, redis://HOST:6379/0, for servers on several machines."""


@cache
def room() -> Room:
    """Return the only room of this process; OSError if its file cannot be made."""
    named = os.environ.get(VARIABLE, "")
    return Room(RedisStore(named) if named else SqliteStore(usual_path()))
