"""Classes in a Redis, for servers that stand on several machines."""

import time
from collections.abc import Mapping
from itertools import chain
from typing import Any

from viz.classroom.store import CLASSES, IDLE, MINUTE, Full

_ALL = "headlight:classes"

# A class is a set that names the keys of its parts, which are hashes; all of them expire together.
_USE = """
local function use(root, idle, now)
  for _, key in ipairs(redis.call('SMEMBERS', root)) do redis.call('EXPIRE', key, idle) end
  redis.call('EXPIRE', root, idle)
  redis.call('ZADD', KEYS[2], now, root)
end
local root, idle, now = KEYS[1], ARGV[1], ARGV[2]
"""
_MAKE = f"""{_USE}
if redis.call('EXISTS', root) == 1 then return 0 end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - idle)
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then return -1 end
redis.call('SADD', root, root)
use(root, idle, now)
return 1
"""
_PUT = f"""{_USE}
if redis.call('EXISTS', root) == 0 then return 0 end
redis.call('SADD', root, ARGV[3])
for at = 4, #ARGV, 2 do redis.call('HSET', ARGV[3], ARGV[at], ARGV[at + 1]) end
use(root, idle, now)
return 1
"""
_ADD = f"""{_USE}
if redis.call('EXISTS', root) == 0 or redis.call('HEXISTS', ARGV[3], ARGV[4]) == 1 then return 0 end
if redis.call('HLEN', ARGV[3]) >= tonumber(ARGV[6]) then return -1 end
redis.call('SADD', root, ARGV[3])
redis.call('HSET', ARGV[3], ARGV[4], ARGV[5])
use(root, idle, now)
return 1
"""


class RedisStore:
    """A `Store` in the Redis of an address such as redis://HOST:6379/0.

    ImportError where the package `redis` is not installed.
    """

    def __init__(self, address: str, idle: int = IDLE) -> None:
        from redis import Redis  # an extra, which most have no use for

        self._redis: Any = Redis.from_url(address, decode_responses=True)
        self._idle = idle

    def make(self, code: str, state: Mapping[str, str]) -> bool:
        """Begin a class; see `Store`."""
        if not self._run(_MAKE, code, CLASSES):
            return False
        self.put(code, "state", state)
        return True

    def read(self, code: str, part: str) -> dict[str, str]:
        """Return what a part holds; see `Store`."""
        return dict(self._redis.hgetall(_key(code, part)))

    def put(self, code: str, part: str, fields: Mapping[str, str]) -> None:
        """Write texts into a part; see `Store`."""
        if fields:
            self._run(_PUT, code, _key(code, part), *chain(*fields.items()))

    def add(self, code: str, part: str, name: str, text: str, most: int) -> bool:
        """Write one text where none stands; see `Store`."""
        return self._run(_ADD, code, _key(code, part), name, text, most)

    def count(self, code: str, part: str) -> int:
        """Return how many texts a part holds; see `Store`."""
        return int(self._redis.hlen(_key(code, part)))

    def end(self, code: str) -> None:
        """Forget a class; see `Store`."""
        root = _root(code)
        self._redis.delete(root, *self._redis.smembers(root))
        self._redis.zrem(_ALL, root)

    def forget_idle(self) -> None:
        """Leave it to Redis, which forgets by itself; see `Store`."""

    def tried(self, address: str, wrong: bool) -> int:
        """Count wrong codes; see `Store`. The minute begins with the first of them."""
        key = f"headlight:tries:{address}"
        if not wrong:
            return int(self._redis.get(key) or 0)
        with self._redis.pipeline() as both:
            both.set(key, 0, ex=MINUTE, nx=True)
            both.incr(key)
            return int(both.execute()[1])

    def close(self) -> None:
        """Let go of the connections."""
        self._redis.close()

    def _run(self, script: str, code: str, *values: object) -> bool:
        """Run a script on a class, all of it or nothing; raises Full where it says so."""
        done = self._redis.eval(script, 2, _root(code), _ALL, self._idle, int(time.time()), *values)
        if done == -1:
            raise Full
        return done == 1


def _root(code: str) -> str:
    return f"headlight:class:{code}"


def _key(code: str, part: str) -> str:
    return f"{_root(code)}:{part}"
