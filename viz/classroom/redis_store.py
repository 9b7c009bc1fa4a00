"""A store of classes in Redis, for servers on several machines."""

import time
from collections.abc import Mapping
from itertools import chain
from typing import Any

from viz.classroom.store import BYTES, CLASSES, IDLE, MINUTE, Full

_ALL, _SIZES = "headlight:classes", "headlight:sizes"

_OVERHEAD = 64
"""The bytes that Redis needs for a text, besides the text and its name."""

# A class is a set that names the keys of its parts, which are hashes; all of them expire together.
# The size of a class is added up as it is written; Redis itself would have to read every key.
_USE = f"""
local root, idle, now, most = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])
local function use()
  for _, key in ipairs(redis.call('SMEMBERS', root)) do redis.call('EXPIRE', key, idle) end
  redis.call('EXPIRE', root, idle)
  redis.call('ZADD', KEYS[2], now, root)
end
local function size(key, name, text)
  local before = redis.call('HGET', key, name)
  return #text - (before and #before or -#name - {_OVERHEAD})
end
local function fits(more)
  local all = more
  for _, each in ipairs(redis.call('HKEYS', KEYS[3])) do
    if redis.call('EXISTS', each) == 1 then
      all = all + tonumber(redis.call('HGET', KEYS[3], each))
    else
      redis.call('HDEL', KEYS[3], each)
    end
  end
  if more > 0 and all > most then return false end
  redis.call('HINCRBY', KEYS[3], root, more)
  return true
end
"""
_MAKE = f"""{_USE}
if redis.call('EXISTS', root) == 1 then return 0 end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - idle)
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then return -1 end
redis.call('HDEL', KEYS[3], root)
redis.call('SADD', root, root)
use()
return 1
"""
_PUT = f"""{_USE}
if redis.call('EXISTS', root) == 0 then return 0 end
local more = 0
for at = 5, #ARGV, 2 do more = more + size(ARGV[4], ARGV[at], ARGV[at + 1]) end
if not fits(more) then return -1 end
redis.call('SADD', root, ARGV[4])
for at = 5, #ARGV, 2 do redis.call('HSET', ARGV[4], ARGV[at], ARGV[at + 1]) end
use()
return 1
"""
_ADD = f"""{_USE}
if redis.call('EXISTS', root) == 0 or redis.call('HEXISTS', ARGV[4], ARGV[5]) == 1 then return 0 end
if redis.call('HLEN', ARGV[4]) >= tonumber(ARGV[7]) then return -1 end
if not fits(size(ARGV[4], ARGV[5], ARGV[6])) then return -1 end
redis.call('SADD', root, ARGV[4])
redis.call('HSET', ARGV[4], ARGV[5], ARGV[6])
use()
return 1
"""
_RENEW = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
"""


class RedisStore:
    """A `Store` in a Redis, given by an address such as redis://HOST:6379/0.

    Raises ImportError where the package `redis` is not installed.
    """

    def __init__(self, address: str, idle: int = IDLE) -> None:
        from redis import Redis  # an optional package, which most servers do not need

        self._redis: Any = Redis.from_url(address, decode_responses=True)
        self._idle = idle

    def make(self, code: str, state: Mapping[str, str]) -> bool:
        """Begin a class; see `Store`."""
        if not self._run(_MAKE, code, CLASSES):
            return False
        self.put(code, "state", state)
        return True

    def read(self, code: str, part: str) -> dict[str, str]:
        """Return the content of a part; see `Store`."""
        return dict(self._redis.hgetall(_key(code, part)))

    def put(self, code: str, part: str, fields: Mapping[str, str]) -> None:
        """Write texts into a part; see `Store`."""
        if fields:
            self._run(_PUT, code, _key(code, part), *chain(*fields.items()))

    def add(self, code: str, part: str, name: str, text: str, most: int) -> bool:
        """Write one text if its name is free; see `Store`."""
        return self._run(_ADD, code, _key(code, part), name, text, most)

    def renew(self, code: str, part: str, name: str, text: str) -> None:
        """Replace one text that is there; see `Store`. The hash expires when it would have."""
        self._redis.eval(_RENEW, 1, _key(code, part), name, text)

    def count(self, code: str, part: str) -> int:
        """Return the number of texts in a part; see `Store`."""
        return int(self._redis.hlen(_key(code, part)))

    def end(self, code: str) -> None:
        """Forget a class; see `Store`."""
        root = _root(code)
        self._redis.delete(root, *self._redis.smembers(root))
        self._redis.zrem(_ALL, root)
        self._redis.hdel(_SIZES, root)

    def forget_idle(self) -> None:
        """Do nothing, as Redis forgets idle keys by itself; see `Store`."""

    def tried(self, address: str, wrong: str = "") -> int:
        """Count wrong codes; see `Store`. The minute begins with the first of them."""
        key = f"headlight:guesses:{address}"
        if wrong:
            self._redis.sadd(key, wrong)
            if self._redis.ttl(key) < 0:
                self._redis.expire(key, MINUTE)
        return int(self._redis.scard(key))

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()

    def _run(self, script: str, code: str, *values: object) -> bool:
        """Run a script on a class, completely or not at all; raise Full if there is no space."""
        keys, now = (_root(code), _ALL, _SIZES), int(time.time())
        done = self._redis.eval(script, len(keys), *keys, self._idle, now, BYTES, *values)
        if done == -1:
            raise Full
        return done == 1


def _root(code: str) -> str:
    return f"headlight:class:{code}"


def _key(code: str, part: str) -> str:
    return f"{_root(code)}:{part}"
