"""The command line of the program `headlight`."""

import sys

import pytest

from viz import program


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--chekpoint", "en-fr"], "'--chekpoint'; did you mean --checkpoint? headlight --help"),
        (["--server.prot", "8600"], "no option '--server.prot'; did you mean --server.port?"),
        (["tranlate", "It is late."], "no command 'tranlate'; did you mean translate?"),
        (["It is late."], "headlight translate 'It is late.'"),
        (["--server.port", "8600", "8601"], "no command '8601'"),
        (["--server.port=8600", "8601"], "no command '8601'"),
    ],
)
def test_what_it_does_not_know_is_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        program.started(arguments)
    captured = capsys.readouterr()
    assert (ended.value.code, captured.out) == (2, "")
    assert captured.err.startswith("headlight: ")
    assert said in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("flag", ["--version", "--help"])
def test_it_says_its_version_and_what_there_is(
    capsys: pytest.CaptureFixture[str], flag: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        program.started([flag])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert program.version() in said if flag == "--version" else "headlight translate" in said


def test_a_class_is_started_for_the_whole_network_and_no_other_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(program, "own_address", lambda: "10.1.2.3")
    given: list[str] = []
    monkeypatch.setattr("streamlit.web.cli.main", lambda **_: given.extend(sys.argv) or 0)
    monkeypatch.setattr(sys, "argv", ["headlight", "class", "--server.port", "8600"])
    assert program.main() == 0
    assert given[3:9] == [
        *("--server.address", "0.0.0.0"),
        *("--server.allowedHosts", "10.1.2.3", "--server.allowedHosts", "localhost"),
    ]
    assert given[-3:] == ["--server.port", "8600", "--"]


def test_a_machine_without_a_network_has_no_class(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "own_address", lambda: None)
    monkeypatch.setattr(sys, "argv", ["headlight", "class"])
    assert program.main() == 1
    assert capsys.readouterr().err.count("\n") == 1
