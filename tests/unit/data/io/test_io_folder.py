from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import celosia.data.io.folder as folder
from celosia.base.errors import CelosiaError, InputError, OptionError
from celosia.data.io import check_target, placing, write_text_file

SOURCE_ROOT = str(Path(folder.__file__).parents[3])


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def release(target: Path, text: str, *, overwrite: bool = False) -> None:
    with placing(target, overwrite=overwrite) as temporary:
        (temporary / "data.csv").write_text(text)
        (temporary / "claim.json").write_text("{}")
        (temporary / "internal").mkdir()
        (temporary / "internal" / "record.json").write_text("{}")


def test_a_release_is_placed_whole(tmp_path: Path) -> None:
    target = tmp_path / "release"
    mask = os.umask(0o022)
    try:
        with placing(target) as temporary:
            assert temporary.parent == tmp_path.resolve()
            assert temporary.name.startswith(".release.celosia-")
            assert mode(temporary) == 0o700
            assert not target.exists()
            (temporary / "data.csv").write_text("a\n1\n")
            (temporary / "internal").mkdir(mode=0o755)
    finally:
        os.umask(mask)
    assert os.listdir(tmp_path) == ["release"]
    assert (target / "data.csv").read_text() == "a\n1\n"
    assert (mode(target), mode(target / "internal")) == (0o755, 0o700)


def test_the_umask_holds(tmp_path: Path) -> None:
    mask = os.umask(0o077)
    try:
        release(tmp_path / "release", "x")
    finally:
        os.umask(mask)
    assert mode(tmp_path / "release") == 0o700


def test_an_earlier_release_is_refused_before_any_work(tmp_path: Path) -> None:
    release(tmp_path / "release", "first")
    with pytest.raises(OptionError, match="release already exists") as caught, placing(tmp_path / "release"):
        raise AssertionError("work was done")
    assert caught.value.hint is not None
    assert "--overwrite" in caught.value.hint
    assert (tmp_path / "release" / "data.csv").read_text() == "first"


def test_a_target_that_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(OptionError), placing(tmp_path / "release"):
        release(tmp_path / "release", "theirs")
    assert os.listdir(tmp_path) == ["release"]
    assert (tmp_path / "release" / "data.csv").read_text() == "theirs"


@pytest.mark.parametrize("has_exchange", [True, False])
def test_overwriting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_exchange: bool) -> None:
    if not has_exchange:
        monkeypatch.setattr(folder, "_rename_with", lambda *_: False)
    release(tmp_path / "release", "first")
    release(tmp_path / "release", "second", overwrite=True)
    assert os.listdir(tmp_path) == ["release"]
    assert (tmp_path / "release" / "data.csv").read_text() == "second"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges folders in one step")
def test_the_exchange_is_one_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release(tmp_path / "release", "first")

    def refuse(*_: object) -> None:
        raise AssertionError("two steps")

    monkeypatch.setattr(folder, "_exchange_in_two_steps", refuse)
    release(tmp_path / "release", "second", overwrite=True)
    assert (tmp_path / "release" / "data.csv").read_text() == "second"


def test_an_exchange_in_two_steps_that_fails_puts_the_earlier_release_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(tmp_path / "release", "first")
    monkeypatch.setattr(folder, "_rename_with", lambda *_: False)
    rename = os.rename

    def failing(source: Path, target: Path) -> None:
        if Path(target).name == "release" and "earlier" not in Path(source).name:
            raise OSError(5, "Input/output error")
        rename(source, target)

    monkeypatch.setattr(os, "rename", failing)
    with pytest.raises(InputError, match="Input/output error"):
        release(tmp_path / "release", "second", overwrite=True)
    assert os.listdir(tmp_path) == ["release"]
    assert (tmp_path / "release" / "data.csv").read_text() == "first"


def test_an_exchange_that_was_killed_between_its_steps_is_undone(tmp_path: Path) -> None:
    release(tmp_path / "release", "first")
    (tmp_path / "release").rename(tmp_path / ".release.celosia-earlier-0123456789abcdef")
    with pytest.raises(OptionError, match="already exists"):
        release(tmp_path / "release", "second")
    assert (tmp_path / "release" / "data.csv").read_text() == "first"
    assert os.listdir(tmp_path) == ["release"]


@pytest.mark.parametrize("entry", ["notes.txt", "data", "claims.json", ".hidden", "internal"])
def test_a_folder_that_is_no_release_is_never_replaced(tmp_path: Path, entry: str) -> None:
    target = tmp_path / "release"
    release(target, "first")
    if entry == "internal":
        (target / "internal" / "record.json").unlink()
        (target / "internal").rmdir()
    (target / entry).write_text("mine")
    with pytest.raises(InputError, match="1 entries that are no part of a release"):
        release(target, "second", overwrite=True)
    assert (target / entry).read_text() == "mine"
    assert (target / "data.csv").read_text() == "first"


def test_a_folder_in_a_release_is_foreign(tmp_path: Path) -> None:
    (tmp_path / "release" / "data.old").mkdir(parents=True)
    with pytest.raises(InputError, match="no part of a release"):
        check_target(tmp_path / "release", overwrite=True)


def test_files_links_and_missing_parents_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for name, part in (("file", "not a folder"), ("link", "symbolic link"), ("dangling", "symbolic link")):
        with pytest.raises(InputError, match=part):
            release(tmp_path / name, "x", overwrite=True)
    with pytest.raises(InputError, match="does not exist"):
        release(tmp_path / "absent" / "release", "x")
    for name in ("..", "/"):
        with pytest.raises(InputError):
            check_target(name)
    assert sorted(os.listdir(tmp_path)) == ["dangling", "file", "link", "real"]


def test_a_parent_that_is_not_writable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InputError, match="not writable"):
        release(tmp_path / "release", "x")


def test_a_link_in_the_parent_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    release(tmp_path / "link" / "release", "x")
    assert (tmp_path / "real" / "release" / "data.csv").read_text() == "x"


def fail_halfway(target: Path, error: BaseException) -> None:
    with placing(target, overwrite=True) as temporary:
        (temporary / "data.csv").write_text("second")
        raise error


@pytest.mark.parametrize("error", [ValueError("x"), KeyboardInterrupt(), SystemExit(1), InputError("x")])
@pytest.mark.parametrize("has_earlier", [True, False])
def test_a_failure_leaves_nothing_behind(tmp_path: Path, error: BaseException, has_earlier: bool) -> None:
    target = tmp_path / "release"
    if has_earlier:
        release(target, "first")
    with pytest.raises(type(error)):
        fail_halfway(target, error)
    assert os.listdir(tmp_path) == (["release"] if has_earlier else [])
    if has_earlier:
        assert (target / "data.csv").read_text() == "first"


def test_everything_is_synced_before_it_is_placed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    monkeypatch.setattr(folder, "sync", lambda path: synced.append(path.name))
    release(tmp_path / "release", "x")
    assert synced[-1] == tmp_path.name
    assert {"data.csv", "claim.json", "internal", "record.json"} <= set(synced)


WORKER = """
import sys, time
sys.path.insert(0, sys.argv[1])
from celosia.data.io.folder import placing
with placing(sys.argv[2], overwrite=True) as temporary:
    (temporary / "data.csv").write_text("unfinished")
    print("ready", flush=True)
    time.sleep(60)
"""


def start_worker(target: Path) -> subprocess.Popen[str]:
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, SOURCE_ROOT, str(target)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert worker.stdout is not None
    assert worker.stdout.readline() == "ready\n"
    return worker


def finish(worker: subprocess.Popen[str], sent: signal.Signals) -> int:
    worker.send_signal(sent)
    worker.communicate(timeout=30)
    return worker.returncode


def test_ctrl_c_leaves_nothing_behind(tmp_path: Path) -> None:
    release(tmp_path / "release", "first")
    assert finish(start_worker(tmp_path / "release"), signal.SIGINT) != 0
    assert os.listdir(tmp_path) == ["release"]
    assert (tmp_path / "release" / "data.csv").read_text() == "first"


def test_kill_leaves_a_hidden_folder_that_the_next_placing_removes(tmp_path: Path) -> None:
    target = tmp_path / "release"
    release(target, "first")
    assert finish(start_worker(target), signal.SIGKILL) == -signal.SIGKILL
    hidden = [name for name in os.listdir(tmp_path) if name != "release"]
    assert len(hidden) == 1
    assert hidden[0].startswith(".release.celosia-")
    assert mode(tmp_path / hidden[0]) == 0o700
    assert (target / "data.csv").read_text() == "first"
    release(target, "second", overwrite=True)
    assert os.listdir(tmp_path) == ["release"]
    assert (target / "data.csv").read_text() == "second"


def test_the_folder_of_a_living_process_stays(tmp_path: Path) -> None:
    target = tmp_path / "release"
    worker = start_worker(target)
    try:
        release(target, "first")
        assert len(os.listdir(tmp_path)) == 2
    finally:
        finish(worker, signal.SIGKILL)
    release(tmp_path / "other", "x")
    assert len(os.listdir(tmp_path)) == 3
    release(target, "second", overwrite=True)
    assert sorted(os.listdir(tmp_path)) == ["other", "release"]


def test_strangers_with_a_similar_name_stay(tmp_path: Path) -> None:
    for name in (".release.celosia-notes", ".release.celosia-0123456789abcdef0", ".releases.celosia-0123456789abcdef"):
        (tmp_path / name).mkdir()
    (tmp_path / ".release.celosia-0123456789abcdef").write_text("a file")
    release(tmp_path / "release", "x")
    assert len(os.listdir(tmp_path)) == 5


def test_private_text_files(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    write_text_file(path, "ñ\n")
    assert (path.read_bytes(), mode(path)) == ("ñ\n".encode(), 0o600)
    with pytest.raises(CelosiaError, match=r"record\.json: File exists"):
        write_text_file(path, "again")
