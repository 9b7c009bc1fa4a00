"""What deploy/ holds fits the app and keeps its promises; nginx itself runs in test_hall.py."""

import configparser
import re
import shlex
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from streamlit import config

from tests.elsewhere import needs_posix
from viz.classroom.sqlite import usual_path

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"


def options(words: list[str]) -> dict[str, str]:
    """Return Streamlit's options in a command line by name; KeyError for one it does not have."""
    found = {
        word.removeprefix("--"): value for word, value in pairwise(words) if word.startswith("--")
    }
    for name in found:
        config.get_option(name)
    return found


def test_the_unit_starts_the_app_on_its_port_with_nothing_to_write_to() -> None:
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # pyrefly: ignore[bad-assignment]
    unit.read(DEPLOY / "headlight@.service")
    service = unit["Service"]
    command = shlex.split(service["ExecStart"])
    assert command[1:5] == ["-m", "streamlit", "run", "app.py"]
    assert options(command[5:])["server.port"] == "%i"
    assert (ROOT / command[4]).exists()
    assert service["DynamicUser"] == service["NoNewPrivileges"] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert service["IPAddressDeny"] == "any"
    # All processes find the classes of each other, and nobody else does.
    assert (service["User"], service["RuntimeDirectoryMode"]) == ("headlight", "0700")
    assert service["RuntimeDirectoryPreserve"] == "yes"
    assert service["Environment"] == "XDG_RUNTIME_DIR=/run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", "/run")
        assert usual_path().parent == Path("/run") / service["RuntimeDirectory"]


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile, with their rest."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def test_the_container_holds_what_the_app_needs_and_runs_as_nobody() -> None:
    found = instructions()
    last = len(found) - [word for word, _ in found][::-1].index("FROM")
    copied = [rest.split()[0] for word, rest in found[last:] if word == "COPY" and "--" not in rest]
    assert set(copied) == {"app.py", ".streamlit", "model", "viz", "checkpoints"}
    assert all((ROOT / name).exists() for name in copied)
    assert dict(found[last:])["USER"] == "10001:10001"
    shell, flag, command, name = yaml.safe_load(dict(found)["ENTRYPOINT"])
    assert (shell, flag, name) == ("/bin/sh", "-c", "headlight")
    words = shlex.split(command)
    assert words[-1] == "$@"  # what the host adds, such as allowedHosts
    asked = options(words[:-1])
    assert (asked["server.address"], asked["server.port"]) == ("0.0.0.0", "$PORT")
    port = dict(found)["EXPOSE"]
    assert f"PORT={port}" in dict(found[last:])["ENV"].split()
    assert "/_stcore/health" in dict(found)["HEALTHCHECK"]
    assert any("--require-hashes -r /cpu.lock" in rest for _, rest in found)


@needs_posix
def test_the_container_holds_every_locked_package_but_those_for_graphics_cards(
    tmp_path: Path,
) -> None:
    sift = next(rest for word, rest in instructions() if word == "RUN" and rest.startswith("awk"))
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    (tmp_path / "requirements.lock").write_text(lock, encoding="utf-8")
    subprocess.run(["sh", "-c", sift.replace(" /", f" {tmp_path}/")], check=True, timeout=30)
    sifted = (tmp_path / "cpu.lock").read_text(encoding="utf-8")
    pin = re.compile(r"^([a-z][\w-]*)==", re.MULTILINE)
    left_out = set(pin.findall(lock)) - set(pin.findall(sifted))
    assert {"torch", "triton", "nvidia-cublas"} <= left_out
    assert all(re.match("torch|triton|nvidia-|cuda-", name) for name in left_out)
    hashes = re.compile("--hash=sha256:[0-9a-f]{64}")
    assert len(hashes.findall(sifted)) > len(pin.findall(sifted))
    installed = next(rest for _, rest in instructions() if "--index-url $TORCH" in rest)
    assert installed.endswith("-c /requirements.txt torch")


def objects() -> dict[str, Any]:
    with (DEPLOY / "kubernetes.yaml").open(encoding="utf-8") as file:
        return {one["kind"]: one for one in yaml.safe_load_all(file)}


def test_the_manifest_has_replicas_probes_limits_and_a_seat_for_each_browser() -> None:
    found = objects()
    deployment = found["Deployment"]["spec"]
    assert deployment["replicas"] == 2
    pod = deployment["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    container = pod["containers"][0]
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    port = container["ports"][0]
    assert {"name": "PORT", "value": str(port["containerPort"])} in container["env"]
    assert "server.allowedHosts" in options(container["args"])
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["httpGet"] == {"path": "/_stcore/health", "port": port["name"]}
    assert set(container["resources"]["limits"]) == {"cpu", "memory"}
    labels = deployment["template"]["metadata"]["labels"]
    assert found["Service"]["spec"]["selector"] == labels
    annotations = found["Ingress"]["metadata"]["annotations"]
    assert annotations["nginx.ingress.kubernetes.io/affinity"] == "cookie"
    assert found["NetworkPolicy"]["spec"]["egress"] == []
