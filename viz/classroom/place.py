"""The classes of this server, in the file that all servers of the machine share."""

from functools import cache

from viz.classroom.room import Room
from viz.classroom.sqlite import SqliteStore, usual_path


@cache
def room() -> Room:
    """Return the one room of this process; OSError where its file cannot be made."""
    return Room(SqliteStore(usual_path()))
