"""Keys, passphrases and passwords: how they are given, and that no output repeats them."""

from __future__ import annotations

import base64
import getpass
import os
import select
import shutil
import signal
import subprocess
import sys
import time

import pytest

from celosia.masks.vault import Vault, new_key_file

SECRET = "hunter2-correct-horse"
HEX = "".join(f"{17 * number % 256:02x}" for number in range(10, 42))  # a key; spelt like the name of a variable
PASSPHRASE = "correct horse battery staple"
KEY = ("--key", "file:vault.key")
COMMANDS = {
    "init": ("new.vault",),
    "add": ("people.vault", "exams.csv", "--column", "dni"),
    "lookup": ("people.vault", "X"),
    "forget": ("people.vault", "X", "--yes"),
    "rotate": ("people.vault",),
    "limit": ("people.vault", "5"),
    "log": ("people.vault",),
    "export": ("people.vault", "copy.vault"),
    "status": ("people.vault",),
}


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    """A folder with a vault of two people."""
    made = tmp_path_factory.mktemp("made")
    (made / "exams.csv").write_text("dni,mark\ncanary-Luis,1\ncanary-Ana,2\n")
    new_key_file(made / "vault.key")
    vault = Vault.create(made / "people.vault", {"file": str(made / "vault.key")})
    vault.add(["canary-Luis", "canary-Ana"], scope="dni")
    return made


@pytest.fixture
def folder(made_once, tmp_path, monkeypatch):
    """A copy of it to work in."""
    shutil.copytree(made_once, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CELOSIA_VAULT_KEY", raising=False)
    return tmp_path


def refused(ended, *secrets):
    """Check that a command was refused and repeated no secret, not even a piece of it; give back what it said."""
    code, out, err = ended
    assert (code, out) == (2, "")
    for secret in secrets or (SECRET,):
        pieces = [secret, *(piece for piece in secret.split("-") if len(piece) > 4)]
        assert not [piece for piece in pieces if piece in err]
    return " ".join(err.replace("│", " ").split())


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "given",
    [
        ("--key", SECRET),
        (f"--key={SECRET}",),
        ("--passphrase", SECRET),
        (f"--passphrase={SECRET}",),
        ("--password", SECRET),
        (f"--password={SECRET}",),
        ("--secret", SECRET),
        (f"--secret={SECRET}",),
        (f"--key{SECRET}",),
        ("--key", f"env:{SECRET}"),
        ("--key", f"pass:{SECRET}"),
        ("--key", HEX),
    ],
    ids=lambda given: given[0].partition("=")[0] + ("=" if len(given) == 1 else ""),
)
def test_a_secret_on_the_command_line_is_refused_and_not_repeated(celosia, folder, command, given):
    said = refused(celosia("vault", command, *COMMANDS[command], *given), SECRET, HEX)
    assert "everybody on the machine could see it" in said
    assert "history" in said
    assert "no secret any more" in said
    assert "env:NAME" in said
    assert sorted(path.name for path in folder.iterdir()) == ["exams.csv", "people.vault", "vault.key"]


@pytest.mark.parametrize("command", ["rotate", "export"])
@pytest.mark.parametrize("given", [("--new-key", SECRET), (f"--new-key={SECRET}",), (f"--newkey={SECRET}",)])
def test_a_new_key_on_the_command_line_is_refused_too(celosia, folder, command, given):
    said = refused(celosia("vault", command, *COMMANDS[command], *KEY, *given))
    assert "no secret any more" in said
    assert not (folder / "copy.vault").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("init", "new.vault", SECRET),
        ("init", "new.vault", "--limit", SECRET),
        ("init", "new.vault", f"--{SECRET}"),
        ("init", "new.vault", f"--json={SECRET}"),
        ("init", "new.vault", "--kye", SECRET),
        ("limit", "people.vault", SECRET),
        (f"--{SECRET}", "init", "new.vault"),
        ("--key", SECRET, "init", "new.vault"),
        (f"--passphrase={SECRET}", "init"),
        ("status", "people.vault", "--key", "env:hunter2correcthorse"),
        ("status", "people.vault", "--key", f"file:{SECRET}"),
        ("key", "other.key", f"--key={SECRET}"),
        (SECRET,),
        (SECRET, "people.vault"),
        ("status", "people.vault", "--key", f"env:{HEX}"),
        ("status", "people.vault", "--key", f"file:{HEX}"),
    ],
)
def test_complaints_about_arguments_do_not_repeat_them(celosia, folder, arguments):
    refused(celosia("vault", *arguments), SECRET, "hunter2correcthorse", HEX)


@pytest.mark.parametrize(
    "spec",
    [
        f"{{pseudonymise: {{column: dni, key: {SECRET}}}}}",
        f'{{pseudonymise: {{column: dni, key: "{SECRET}"}}}}',
        f"{{pseudonymise: {{column: dni, key: x, {SECRET}}}}}",
        f"{{pseudonymise: {{column: dni, key: {SECRET}}}",
        f"{{pseudonymise: {{column: dni, key: {SECRET}: :}}}}",
        f"{{pseudonymise: {{column: dni, key: [{SECRET}]}}}}",
        f"{{pseudonymise: {{column: dni, key: {{text: {SECRET}}}}}}}",
        f"{{pseudonymise: {{column: dni, key: {{env: {SECRET}}}}}}}",
        f"{{pseudonymise: {{column: dni, key: !{SECRET} x}}}}",
        f"{{pseudonymise: {{column: dni, key: {{env: {HEX}}}}}}}",
        f"{{pseudonymise: {{column: dni, key: {{file: {HEX}}}}}}}",
        f"{{pseudonymise: {{column: dni, key: a, key: {SECRET}}}}}",
        f"{{pseudonymise: {{column: dni, key: *{SECRET}}}}}",
        f"{{pseudonymise: {{column: dni, vault: {{path: people.vault, key: {SECRET}}}}}}}",
        f"{{pseudonymise: {{column: dni, vault: {{path: 'postgresql://u:{SECRET}@h/b', key: {{env: X}}}}}}}}",
        f"{{pseudonymise: {{column: dni, vault: {{url: 'postgresql://u:{SECRET}@h/b', key: {{env: X}}}}}}}}",
        f"{{pseudonymise: {{column: dni, vault: {SECRET}}}}}",
        f"{{pseudonymise: {{column: dni, key:{SECRET}}}}}",  # without a blank it is one name to YAML
        f"{{pseudonymise: {{column: dni, key {SECRET}}}}}",
        f"pseudonymise:key={SECRET}",
    ],
)
def test_a_mask_does_not_repeat_a_key(celosia, folder, spec):
    (folder / "out").mkdir()
    refused(celosia("mask", "exams.csv", "--mask", spec, "-o", "out/exams.csv"), SECRET, HEX)
    assert not list((folder / "out").iterdir())


def test_a_mask_without_quotes_does_not_repeat_a_key(celosia, folder):
    words = f"{{pseudonymise: {{column: dni, key: {SECRET}}}}}".split()
    refused(celosia("mask", "exams.csv", "--mask", *words, "-o", "out.csv"))
    assert "no secret any more" in refused(celosia("mask", "exams.csv", "--key", SECRET, "-o", "out.csv"))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://ana:{SECRET}@host/base",
        f"postgresql+psycopg://ana:{SECRET}@host/base",
        f"postgresql://host/base?user=ana&password={SECRET}",
        f"postgresql://ana:a/b@{SECRET}@host/base",
        f"postgresql:ana:{SECRET}@host",
        f"host=there user=ana password={SECRET}",
        f"host=there user=ana passwd={SECRET}",
        f"ana:{SECRET}@host",
    ],
)
def test_an_address_with_a_password_is_refused(celosia, folder, command, address):
    said = refused(celosia("vault", command, address, *COMMANDS[command][1:], *KEY))
    assert "env:NAME in place of VAULT" in said


@pytest.mark.parametrize("command", ["init", "run", "check", "compare", "frontier", "reproduce"])
@pytest.mark.parametrize("given", [("--key", SECRET), (f"--passphrase={SECRET}",)])
def test_commands_without_keys_say_where_keys_belong(celosia, folder, command, given):
    assert "'key: {env: NAME}'" in refused(celosia(command, "plan.yaml", *given))


@pytest.mark.parametrize("held", [None, "", "people.vault", SECRET])
def test_a_variable_that_holds_no_address_is_refused(celosia, folder, monkeypatch, held):
    if held is not None:
        monkeypatch.setenv("VAULT_ADDRESS", held)
    assert "VAULT names" in refused(celosia("vault", "status", "env:VAULT_ADDRESS", *KEY))


def test_without_a_terminal_the_ways_are_told(celosia, folder):
    for command, arguments in COMMANDS.items():
        said = refused(celosia("vault", command, *arguments))
        assert "no terminal to ask" in said
        assert "CELOSIA_VAULT_KEY" in said
        assert "--key file:PATH" in said
    assert "--new-key file:PATH" in refused(celosia("vault", "rotate", "people.vault", *KEY))
    assert not (folder / "new.vault").exists()


def test_no_process_without_a_terminal_waits_for_a_passphrase(folder):
    command = [sys.executable, "-m", "celosia", "vault", "status", "people.vault"]
    ended = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, start_new_session=True
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "no terminal to ask" in ended.stderr


@pytest.fixture
def answers(monkeypatch):
    """Let passphrases be typed, one after the other; the questions are kept."""
    waiting, questions = [], []

    def answer(words):
        questions.append(words)
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    monkeypatch.setattr("celosia.cli.vault_access._has_terminal", lambda: True)
    monkeypatch.setattr(getpass, "getpass", answer)
    return waiting, questions


def test_a_passphrase_is_asked_for_once_to_open_and_twice_for_a_new_one(celosia, folder, answers):
    waiting, questions = answers
    waiting += [PASSPHRASE, PASSPHRASE]
    assert celosia("vault", "init", "new.vault")[0] == 0
    assert len(questions) == 2
    waiting += [PASSPHRASE, SECRET, SECRET]
    assert celosia("vault", "rotate", "new.vault")[0] == 0
    assert len(questions) == 5
    waiting += [PASSPHRASE]
    refused(celosia("vault", "status", "new.vault"), PASSPHRASE)
    waiting += [SECRET]
    assert celosia("vault", "status", "new.vault")[0] == 0


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ([PASSPHRASE, SECRET], "differ"),
        (["short", "short"], "at least 12"),
        ([], "no passphrase was typed"),
        (["", ""], "at least 12"),
    ],
)
def test_a_passphrase_that_will_not_do(celosia, folder, answers, typed, message):
    answers[0].extend(typed)
    said = refused(celosia("vault", "init", "new.vault"), *[text for text in typed if text])
    assert message in said
    assert not (folder / "new.vault").exists()


def test_a_terminal_that_would_show_what_is_typed_is_not_used(celosia, folder, monkeypatch):
    def warning(words):
        import warnings

        warnings.warn("echo", getpass.GetPassWarning, stacklevel=1)
        return PASSPHRASE

    monkeypatch.setattr("celosia.cli.vault_access._has_terminal", lambda: True)
    monkeypatch.setattr(getpass, "getpass", warning)
    assert "no passphrase was typed" in refused(celosia("vault", "status", "people.vault"))


def test_others_who_may_read_the_key_file_are_warned_of(celosia, folder):
    assert "others may read" not in celosia("vault", "status", "people.vault", *KEY)[2].lower()
    (folder / "vault.key").chmod(0o644)
    code, _, err = celosia("vault", "status", "people.vault", *KEY)
    assert code == 0
    assert "chmod 600" in err


def spellings(folder):
    """All ways in which the key of the vault could be spelt."""
    text = (folder / "vault.key").read_text().strip()
    raw = bytes.fromhex(text)
    return [text, text.upper(), base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode(), str(raw)]


def test_no_output_and_no_line_of_the_log_holds_a_key_or_a_person(celosia, folder, monkeypatch):
    secret = (folder / "vault.key").read_text()
    monkeypatch.setenv("OWN_KEY", secret)
    celosia("vault", "key", "second.key")
    (folder / "who.txt").write_text("canary-Ana\n")
    luis = Vault.open("people.vault", {"env": "OWN_KEY"}).add(["canary-Luis"], scope="dni").pseudonyms[0]
    shown = ""
    for arguments in (
        ("add", "people.vault", "exams.csv", "--column", "dni"),
        ("limit", "people.vault", "1"),
        ("lookup", "people.vault", luis, "X"),  # past the limit
        ("forget", "people.vault", "--identities-from", "who.txt", "--scope", "dni", "--yes"),
        ("export", "people.vault", "copy.vault", "--new-key", "file:second.key"),
        ("status", "people.vault"),
        ("log", "people.vault"),
        ("log", "people.vault", "--json"),
        ("status", "people.vault", "--key", "file:second.key"),
        ("status", "copy.vault"),
        ("rotate", "people.vault", "--new-key", "file:second.key"),
    ):
        key = () if "--key" in arguments else ("--key", "env:OWN_KEY")
        _, out, err = celosia("vault", *arguments, *key)
        shown += out + err
    shown += celosia("vault", "log", "people.vault", "--key", "file:second.key", "--json")[1]
    assert "rotate" in shown
    assert "refused" in shown
    assert "canary" not in shown
    assert luis not in shown
    assert not [one for one in spellings(folder) if one in shown]
    for file in ("people.vault", "copy.vault"):
        held = (folder / file).read_bytes()
        assert b"canary" not in held
        assert bytes.fromhex(secret.strip()) not in held
        assert secret.strip().encode() not in held


pty = pytest.importorskip("pty")
CTRL_C, CTRL_D = b"\x03", b"\x04"


def in_terminal(folder, arguments, answers):
    """Run a command in a terminal, typing each answer once its question shows; give back the code and all it showed."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "celosia", "vault", *arguments]
    surroundings = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    process = subprocess.Popen(command, cwd=folder, env=surroundings, start_new_session=True, **streams)
    os.close(theirs)
    shown, waiting, give_up, read_up_to = b"", list(answers), time.monotonic() + 60, 0
    while time.monotonic() < give_up:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                shown += os.read(ours, 65536)
            except OSError:  # how Linux says that the other end is closed
                break
        if waiting and waiting[0][0].encode() in shown[read_up_to:]:
            read_up_to = len(shown)
            os.write(ours, waiting.pop(0)[1].encode() + b"\n")
    process.kill()
    os.close(ours)
    assert not waiting, shown
    return process.wait(), shown.decode()


def test_what_is_typed_in_a_true_terminal_does_not_show(folder):
    twice = [("New passphrase", PASSPHRASE), ("same again", PASSPHRASE)]
    code, shown = in_terminal(folder, ["init", "new.vault"], twice)
    assert code == 0, shown
    assert "horse" not in shown
    code, shown = in_terminal(folder, ["status", "new.vault"], [("Passphrase of the vault", PASSPHRASE)])
    assert code == 0, shown
    assert "look-ups today" in shown
    assert "horse" not in shown


def test_forgetting_is_confirmed_in_a_true_terminal(folder):
    code, shown = in_terminal(folder, ["forget", "people.vault", "X", *KEY], [("cannot be undone", "n")])
    assert (code, "Nobody was forgotten" in shown) == (1, True), shown
    code, shown = in_terminal(folder, ["forget", "people.vault", "X", *KEY], [("cannot be undone", "y")])
    assert (code, "forgotten: 0" in shown) == (1, True), shown


def in_own_terminal(folder, arguments, question, key):
    """Press a key at a question, in a terminal that the command belongs to, so that Ctrl-C reaches it."""
    process, ours = pty.fork()
    if process == 0:  # pragma: no cover
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.chdir(folder)
        os.execv(sys.executable, [sys.executable, "-m", "celosia", "vault", *arguments])
    shown, is_pressed, give_up = b"", False, time.monotonic() + 30
    while time.monotonic() < give_up:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                shown += os.read(ours, 65536)
            except OSError:
                break
        if not is_pressed and question in shown:
            time.sleep(0.2)
            os.write(ours, key)
            is_pressed = True
    else:
        os.kill(process, signal.SIGKILL)
    os.close(ours)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), shown.decode()


def test_ctrl_c_and_ctrl_d_end_every_question_at_once(folder):
    code, shown = in_own_terminal(folder, ["init", "new.vault"], b"New passphrase", CTRL_C)
    assert (code, "Nothing was written" in shown) == (130, True)
    assert not (folder / "new.vault").exists()
    for key in (CTRL_C, CTRL_D):
        code, shown = in_own_terminal(folder, ["forget", "people.vault", "X", *KEY], b"cannot be undone", key)
        assert (code, "Nobody was forgotten." in shown) == (1, True), shown
