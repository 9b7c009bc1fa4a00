"""Servers behind nginx, as in deploy/, on free ports of this machine."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from browser.server import ROOT, Server, free_port, started, wait_for

SERVERS = 2

MAIN = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
    include {types};
    log_format seats "$cookie_headlight_seat $upstream_addr $status $request_uri";
    access_log {folder}/access.log seats;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {site}
}}
"""


@dataclass(frozen=True)
class Hall:
    """The address of nginx, the servers behind it, and its log of requests."""

    address: str
    servers: tuple[Server, ...]
    log: Path

    def lines(self, wanted: tuple[str, ...], count: int, seconds: float = 60) -> list[str]:
        """Return the log lines that contain all of `wanted`, once there are so many of them.

        nginx writes a line at the end of an answer, which may be after its arrival.
        """
        deadline = time.monotonic() + seconds
        while True:
            lines = self.log.read_text(encoding="utf-8").splitlines()
            found = [line for line in lines if all(one in line for one in wanted)]
            if len(found) >= count:
                return found
            if time.monotonic() > deadline:
                raise TimeoutError(f"{len(found)} of {count} lines with {wanted!r} in {seconds} s")
            time.sleep(0.05)

    def servers_of(self, seat: str, count: int) -> set[str]:
        """Return the servers (host:port) that answered a seat's requests, at least `count`."""
        return {line.split(" ")[1] for line in self.lines((seat,), count)} - {"-"}


@contextmanager
def running_hall(folder: Path, cold: bool = False) -> Iterator[Hall]:
    """Start the servers and nginx, and stop them; RuntimeError when one does not start.

    `cold` ones open no page ahead.
    """
    with ExitStack() as stack:
        servers = tuple(
            stack.enter_context(started(folder / f"server-{number}.txt", free_port(), cold=cold))
            for number in range(SERVERS)
        )
        port = free_port()
        ours = {"listen 80;": f"listen 127.0.0.1:{port};", "/var/cache/nginx": str(folder)}
        for number, server in enumerate(servers):
            ours[f"127.0.0.1:{8501 + number}"] = server.address.removeprefix("http://")
        address = stack.enter_context(running_nginx(folder, port, own("nginx.conf", ours)))
        yield Hall(address, servers, folder / "access.log")


@contextmanager
def below_a_path(folder: Path, server: Server, path: str, left_out: str = "") -> Iterator[str]:
    """Run nginx with a site that has the server below a path, which the server knows.

    Yield the address of the site.

    A line that is `left_out` is not in the configuration.
    """
    port = free_port()
    address = server.address.removeprefix("http://").removesuffix(path)
    site = own("nginx-path.conf", {"http://127.0.0.1:8501": f"http://{address}"})
    if left_out:
        site = "\n".join(line for line in site.splitlines() if left_out not in line)
    whole = f"server {{\n listen 127.0.0.1:{port};\n{site}\n}}"
    with running_nginx(folder, port, whole, path) as root:
        yield root


def own(name: str, replaced: dict[str, str]) -> str:
    """Return a configuration of deploy/ with what is ours; ValueError if it lacks what that is."""
    site = (ROOT / "deploy" / name).read_text(encoding="utf-8")
    for theirs, ours in replaced.items():
        if theirs not in site:
            raise ValueError(f"{theirs!r} is expected in deploy/{name}")
        site = site.replace(theirs, ours)
    return site


@contextmanager
def running_nginx(folder: Path, port: int, site: str, path: str = "") -> Iterator[str]:
    """Run nginx in the foreground, with its files in a folder, until Headlight answers behind it.

    `site` is what its http section holds; it listens on `port`. Yields its address with the `path`.
    """
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
    if nginx is None:
        raise RuntimeError("no nginx: run `python -m tests`, which installs it")
    configuration = folder / "nginx.conf"
    configuration.write_text(configured(folder, site), encoding="utf-8")
    log = folder / "nginx.txt"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [nginx, "-e", str(log), "-c", str(configuration)], stdout=output, stderr=output
        )
    try:
        address = f"http://127.0.0.1:{port}{path}"
        wait_for(f"{address}/_stcore/health", process, log, 120)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=60)


def configured(folder: Path, site: str) -> str:
    """Return a whole configuration around a site, with its files in a folder."""
    types = folder / "mime.types"
    types.write_text("types { text/html html; }\n", encoding="utf-8")
    user = "user root;" if os.geteuid() == 0 else ""
    return user + MAIN.format(folder=folder, types=types, site=site)
