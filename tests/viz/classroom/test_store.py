"""The store of classes: what it keeps, for how long, and how much."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.elsewhere import needs_posix
from viz.classroom import sqlite
from viz.classroom.redis_store import RedisStore
from viz.classroom.sqlite import SqliteStore, usual_path
from viz.classroom.store import CLASSES, IDLE, MINUTE, Full, Store

ROOT = Path(__file__).parents[3]


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "classes" / "classes.sqlite"


@pytest.fixture(scope="module")
def redis_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis of its own, on a socket; skipped where none is installed."""
    server = shutil.which("redis-server")
    if server is None:
        pytest.skip("no redis-server: `python -m tests` installs it")
    folder = tmp_path_factory.mktemp("redis")
    options = ["--port", "0", "--unixsocket", str(folder / "socket"), "--save", ""]
    process = subprocess.Popen([server, *options], cwd=folder, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not (folder / "socket").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    yield f"unix://{folder / 'socket'}"
    process.terminate()
    process.wait(timeout=60)


@pytest.fixture(params=["file", "redis"])
def either(request: pytest.FixtureRequest, path: Path) -> Iterator[SqliteStore | RedisStore]:
    """Both stores, one after the other, empty."""
    if request.param == "file":
        store = SqliteStore(path)
    else:
        store = RedisStore(request.getfixturevalue("redis_address"))
        store._redis.flushall()
    yield store
    store.close()


@pytest.fixture
def store(path: Path, clock: Clock) -> Iterator[SqliteStore]:
    store = SqliteStore(path, clock)
    yield store
    store.close()


def test_a_part_holds_texts_under_names(either: Store) -> None:
    assert either.make("A", {"link": "tokens"})
    assert not either.make("A", {"link": "other"})
    either.put("A", "state", {"link": "head", "screen": "1"})
    assert either.read("A", "state") == {"link": "head", "screen": "1"}
    assert either.read("A", "people") == either.read("B", "state") == {}
    either.put("B", "state", {"link": "head"})
    assert either.read("B", "state") == {}


def test_what_is_added_stands_once_and_no_more_than_there_is_room_for(either: Store) -> None:
    either.make("A", {})
    assert either.add("A", "people", "one", "first", most=2)
    assert not either.add("A", "people", "one", "second", most=2)
    assert either.add("A", "people", "two", "", most=2)
    with pytest.raises(Full):
        either.add("A", "people", "three", "", most=2)
    assert either.read("A", "people") == {"one": "first", "two": ""}
    assert either.count("A", "people") == 2
    assert not either.add("B", "people", "one", "", most=2)


def test_a_text_is_renewed_only_where_it_is(either: Store) -> None:
    either.make("A", {})
    either.add("A", "people", "one", "first", most=2)
    either.renew("A", "people", "one", "second")
    either.renew("A", "people", "two", "second")
    either.renew("A", "answers", "one", "second")
    assert either.read("A", "people") == {"one": "second"}
    assert either.count("A", "answers") == 0


def test_a_text_that_is_renewed_keeps_no_class(store: SqliteStore, clock: Clock) -> None:
    store.make("A", {"link": "tokens"})
    clock.now += IDLE - 1
    store.renew("A", "state", "link", "head")
    clock.now += 2
    assert store.read("A", "state") == {}


def test_a_class_that_ends_leaves_nothing(store: SqliteStore, path: Path) -> None:
    store.make("A", {})
    store.put("A", "answers", {"who": "a secret of somebody"})
    store.end("A")
    assert store.read("A", "answers") == {}
    store.close()
    assert all(b"a secret of somebody" not in one.read_bytes() for one in path.parent.iterdir())


def test_an_idle_class_is_forgotten(store: SqliteStore, clock: Clock) -> None:
    store.make("A", {"link": "tokens"})
    clock.now += IDLE - 1
    store.put("A", "state", {"link": "head"})  # it lives on
    clock.now += IDLE - 1
    assert store.read("A", "state") == {"link": "head"}
    clock.now += 2
    assert store.read("A", "state") == {}
    store.put("A", "state", {"link": "tokens"})
    assert store.read("A", "state") == {}
    assert store.make("A", {})
    assert store.read("A", "state") == {}


def test_what_is_idle_leaves_the_file_without_anybody_asking(
    store: SqliteStore, clock: Clock, path: Path
) -> None:
    store.make("A", {"link": "tokens?sentence=a+private+sentence"})
    clock.now += IDLE + 1
    store.forget_idle()
    store.close()
    assert all(b"private" not in one.read_bytes() for one in path.parent.iterdir())


def test_there_are_no_more_classes_than_fifty(either: Store) -> None:
    for number in range(CLASSES):
        assert either.make(f"C{number}", {})
    with pytest.raises(Full):
        either.make("one more", {})
    either.end("C7")
    assert either.make("one more", {})


def test_idle_classes_leave_room_for_others(store: SqliteStore, clock: Clock) -> None:
    for number in range(CLASSES):
        store.make(f"C{number}", {})
    clock.now += IDLE + 1
    assert store.make("one more", {})


def test_a_redis_forgets_what_is_idle_with_all_its_parts(redis_address: str) -> None:
    store = RedisStore(redis_address, idle=3)
    store._redis.flushall()
    store.make("A", {"link": "tokens"})
    store.add("A", "people", "one", "", 400)
    lasting = store._redis.ttl("headlight:class:A:people")
    assert 0 < lasting <= 3
    deadline = time.monotonic() + 120
    while store.read("A", "state") and time.monotonic() < deadline:
        time.sleep(0.1)
    assert store.count("A", "people") == 0
    assert not store.add("A", "people", "one", "", 400)
    assert store.make("A", {})
    store.end("A")
    assert store._redis.keys("headlight:class:*") == []
    store.close()


def test_the_file_stays_below_twenty_megabytes(store: SqliteStore, path: Path) -> None:
    store.make("A", {})

    def fill() -> None:
        for number in range(100):
            store.put("A", "much", {str(number): "x" * 500_000})

    with pytest.raises(Full):
        fill()
    assert 15_000_000 < path.stat().st_size <= 20_000_000
    store.end("A")
    assert store.make("A", {"link": "tokens"})  # there is room again
    store.put("A", "much", {"0": "x" * 500_000})


def test_all_classes_together_take_no_more_than_twenty_megabytes(either: Store) -> None:
    text = "x" * 500_000
    for code in "AB":
        assert either.make(code, {"link": "tokens"})
        for number in range(19):
            either.put(code, "much", {str(number): text})
    with pytest.raises(Full):
        either.put("A", "more", {str(number): text for number in range(4)})
    with pytest.raises(Full):
        either.add("B", "more", "0", 4 * text, most=400)
    assert either.read("A", "much")["18"] == text
    for _ in range(5):
        either.put("A", "much", {"0": text})  # what stands in its place takes nothing more
    either.end("B")
    for number in range(10):
        either.put("A", "again", {str(number): text})


def test_a_redis_takes_about_what_is_counted(redis_address: str) -> None:
    store = RedisStore(redis_address)
    store._redis.flushall()
    store.make("A", {"link": "tokens"})
    for number in range(2000):
        store.add("A", "answers 1.1", f"somebody {number:014}", "a short text", most=4000)
    counted = int(store._redis.hget("headlight:sizes", "headlight:class:A"))
    taken = store._redis.memory_usage("headlight:class:A:answers 1.1", samples=0)
    assert taken <= counted <= 2 * taken
    store.close()


def test_wrong_codes_are_counted_for_a_minute(store: SqliteStore, clock: Clock) -> None:
    assert [store.tried("10.0.0.1", code) for code in "ABCB"] == [1, 2, 3, 3]
    assert store.tried("10.0.0.1") == 3
    assert store.tried("10.0.0.2") == 0
    clock.now += MINUTE + 1
    assert store.tried("10.0.0.1") == 0


@needs_posix
def test_the_folder_is_nobody_elses(store: SqliteStore, path: Path) -> None:
    assert store.count("A", "state") == 0
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_the_usual_file_lies_where_the_system_keeps_what_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert usual_path() == tmp_path / "headlight" / "classes.sqlite"
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert usual_path() == tmp_path / "headlight" / "classes.sqlite"
    monkeypatch.setattr(sqlite, "os", SimpleNamespace(environ=os.environ, getuid=lambda: 1000))
    assert usual_path() == tmp_path / "headlight-1000" / "classes.sqlite"


@needs_posix
def test_a_folder_that_is_a_link_is_refused_and_what_it_leads_to_stays_as_it_is(
    tmp_path: Path,
) -> None:
    elsewhere, link = tmp_path / "elsewhere", tmp_path / "classes"
    elsewhere.mkdir(mode=0o755)
    link.symlink_to(elsewhere)
    with pytest.raises(OSError, match="is a symbolic link"):
        SqliteStore(link / "classes.sqlite")
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o755
    assert not list(elsewhere.iterdir())


def test_a_file_that_holds_something_else_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(OSError, match="not a database"):
        SqliteStore(path)


def test_both_stores_count_wrong_codes_by_address(either: Store) -> None:
    assert [either.tried("10.0.0.1", code) for code in "ABCB"] == [1, 2, 3, 3]
    assert either.tried("10.0.0.1") == 3
    assert either.tried("10.0.0.2") == 0


def test_many_who_answer_at_once_are_all_counted_and_none_twice(path: Path) -> None:
    stores = [SqliteStore(path) for _ in range(2)]
    stores[0].make("A", {})

    def answer(number: int) -> bool:
        return stores[number % 2].add("A", "answers", str(number // 2), "1", most=400)

    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(answer, range(400)))
    assert sum(taken) == stores[0].count("A", "answers") == 200
    for store in stores:
        store.close()


KILLED = """
import os, sys
from pathlib import Path
from viz.classroom.redis_store import RedisStore
from viz.classroom.sqlite import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
store.make("A", {"link": "tokens"})
for number in range(50):
    store.add("A", "answers", str(number), "1", 400)
os._exit(9)  # as if killed: nothing is closed
"""


def test_a_server_that_is_killed_loses_no_answer(path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=ROOT, timeout=60)
    assert done.returncode == 9
    store = SqliteStore(path)
    assert store.count("A", "answers") == 50
    assert store.read("A", "state") == {"link": "tokens"}
    store.close()
    with sqlite3.connect(path) as base:
        assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    base.close()
