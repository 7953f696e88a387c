# SPDX-License-Identifier: Apache-2.0

"""The library's file, its header and its behavior under hostile use."""

import re
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from conftest import LIBRARY, LIMIT, PYTHON, ROOT, WARNINGS, flags

FILE = LIBRARY / "lib/libdialtone.so.1"


def test_only_the_functions_of_the_header_are_exported_with_a_version():
    symbols = subprocess.check_output(["nm", "-D", "--defined-only", FILE], text=True).splitlines()
    exported = {symbol.split()[-1] for symbol in symbols} - {"DIALTONE_1"}
    header = (LIBRARY / "include/dialtone.h").read_text()
    code = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    declared = set(re.findall(r"\b(dialtone_\w+)\(", code))
    assert len(declared) > 30
    assert exported == {f"{name}@@DIALTONE_1" for name in declared} | {"DIALTONE_1@@DIALTONE_1"} & exported


def test_the_file_is_as_a_linux_library_should_be():
    dynamic = subprocess.check_output(["readelf", "-d", FILE], text=True)
    assert "Library soname: [libdialtone.so.1]" in dynamic and "NODELETE" in dynamic
    assert "TEXTREL" not in dynamic and "RPATH" not in dynamic and "RUNPATH" not in dynamic
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
    assert all(name.startswith(("libc.", "libm.", "libgcc_s.", "libstdc++.", "ld-linux")) for name in needed), needed
    assert "dialtone" in flags("dialtone")[-1]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("language", ["c11", "c++17"])
def test_the_header_compiles_without_a_warning(compiler, language, tmp_path):
    program = tmp_path / "program"
    source = "#include <dialtone.h>\nint main(void) { return dialtone_path_monitor_start(NULL) == 0; }\n"
    kind = "c++" if "++" in language else "c"
    command = [compiler, f"-std={language}", "-x", kind, *WARNINGS, "-", "-o", program, *flags("dialtone")]
    subprocess.run(command, input=source, text=True, check=True)
    subprocess.run([program], check=True)


def test_the_version_is_that_of_the_package(tmp_path):
    program = tmp_path / "version"
    source = (
        "#include <dialtone.h>\n#include <stdio.h>\n"
        'int main(void) { printf("%s %s %d.%d.%d", dialtone_get_version(), DIALTONE_VERSION, DIALTONE_VERSION_MAJOR,'
        " DIALTONE_VERSION_MINOR, DIALTONE_VERSION_PATCH); }\n"
    )
    subprocess.run(["cc", "-x", "c", *WARNINGS, "-", "-o", program, *flags("dialtone")], input=source, text=True, check=True)
    version = subprocess.check_output([ROOT / "Scripts/version"], text=True).strip()
    printed = subprocess.check_output([program], text=True).split()
    assert printed == [version, version, version.split("-")[0]]
    modversion = subprocess.check_output(["pkg-config", "--modversion", "dialtone"], text=True)
    assert modversion.strip() == version


@pytest.mark.parametrize(
    "name", ["quiet", "nulls", "misuse", "cancel", "signals", "costs", "before-fork", "after-fork", "many", "descriptors"]
)
def test_hostile_use(name, network, programs):
    network.link()
    if name == "costs":
        network.ip("route add default via 192.0.2.1")
    limit = (12, 12) if name == "descriptors" else resource.getrlimit(resource.RLIMIT_NOFILE)
    run = network.run(
        [programs / "hostile", name], preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limit)
    )
    assert (run.returncode, run.stdout) == (0, "ok\n"), run.stderr


@pytest.mark.parametrize("name", ["checks", "checks-without-descriptors"])
@pytest.mark.parametrize("proc", ["proc", "no proc"])
def test_checks_where_libdispatch_cannot_look_at_its_threads(name, proc, network, programs):
    network.link()
    network.ip("route add default via 192.0.2.1")
    hide = "mount --make-rprivate / && mount -t tmpfs none /proc && " if proc == "no proc" else ""
    limits = (64, 64)
    run = network.run(
        ["unshare", "--mount", "sh", "-c", f"{hide}exec {programs / 'hostile'} {name}"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limits),
    )
    assert (run.returncode, run.stdout) == (0, "ok\n"), run.stderr


def test_two_copies_in_one_process(network, programs, tmp_path):
    copy = shutil.copy(FILE, tmp_path / "copy.so")
    run = network.run([programs / "hostile", "copies", FILE, copy])
    assert (run.returncode, run.stdout) == (0, "ok\n"), run.stderr


def test_a_thousand_changes_without_an_error_or_a_leak(network, programs, tmp_path):
    """By descriptor and by handler, under valgrind.

    What is "possibly lost" and "still reachable" at the end are the caches of Swift's runtime and the stacks of its threads.
    """
    network.link()
    # As docs/c.md installs it: valgrind 3.19 gives up if it finds a file with Swift's debug information beside the library.
    installed = shutil.copytree(LIBRARY / "lib", tmp_path / "lib", symlinks=True)
    logs = [tmp_path / "watch.log", tmp_path / "handler.log"]
    watches = [
        network.start(
            ["env", f"LD_LIBRARY_PATH={installed}", "valgrind", f"--log-file={log}", "--leak-check=full",
             "--show-leak-kinds=definite,indirect", "--errors-for-leak-kinds=definite,indirect", "--error-exitcode=9",
             programs / "answer", log.stem]
        )
        for log in logs
    ]  # fmt: skip
    for watch in watches:
        watch.wait_for(lambda line: '"status":2' in line, "no path")
    changes = network.start(["ip", "-batch", "-"])
    for number in range(1000):
        action, status = ("del", 2) if number % 2 else ("add", 1)
        changes.process.stdin.write(f"route {action} default via 192.0.2.1\n")
        for watch in watches:
            watch.wait_for(lambda line: f'"status":{status}' in line, f"status {status}")
    for watch, log in zip(watches, logs):
        assert watch.end() == 0, log.read_text()
        assert len(watch.lines) >= 1001
        text = log.read_text()
        assert "ERROR SUMMARY: 0 errors" in text, text
        # Nothing that is reachable grows with the changes either.
        reachable = re.search(r"still reachable: ([\d,]+) bytes", text)
        assert reachable and int(reachable[1].replace(",", "")) < 400_000, text
        print(text)


def names_of_threads(process):
    return [name.read_text().strip() for name in Path(f"/proc/{process}/task").glob("*/comm")]


class TestVerification:
    """A server at the far end of the link is the Internet."""

    SERVER = (
        "from http.server import *\n"
        "class Handler(BaseHTTPRequestHandler):\n"
        "    def do_GET(self):\n"
        "        if self.path.startswith('/204'): self.send_response(204)\n"
        "        else: self.send_response(302); self.send_header('Location', 'http://192.0.2.1/login')\n"
        "        self.send_header('Content-Length', '0'); self.end_headers()\n"
        "    def log_message(self, *_): pass\n"
        "server = ThreadingHTTPServer(('192.0.2.1', 80), Handler)\n"
        "print('ready', flush=True)\n"
        "server.serve_forever()\n"
    )

    @pytest.fixture(autouse=True)
    def internet(self, network):
        network.link()
        network.ip("route add default via 192.0.2.1")
        server = network.start(["python3", "-c", self.SERVER], far=True)
        server.wait_for(lambda line: line == "ready", "ready")

    @pytest.mark.parametrize("language", ["C", "Python"])
    @pytest.mark.parametrize(
        "endpoint, fields",
        [
            ("http://192.0.2.1/204", '"connectivity":6,"reason":null,"cause":null,"portal":null'),
            ("http://192.0.2.1/page", '"connectivity":4,"reason":"The network requires a login: open its page in a'
             ' browser.","cause":"captivePortal","portal":"http://192.0.2.1/login"'),
            ("http://192.0.2.1:81/204", '"connectivity":5,"reason":"'),
        ],
        ids=["online", "login", "limited"],
    )  # fmt: skip
    def test_verify(self, network, programs, language, endpoint, fields):
        command = [programs / "answer"] if language == "C" else PYTHON
        run = network.run([*command, "verify", endpoint], check=True)
        assert fields in run.stdout

    def test_waiting(self, network, programs):
        def wait(*arguments):
            return network.run([programs / "answer", *arguments], check=True).stdout

        assert wait("wait", "-1") == "0\n"
        assert wait("wait", "0") == "0\n"
        assert wait("wait-internet", "-1", "http://192.0.2.1/204") == "0\n"
        timed_out = "110\n"
        assert wait("wait-internet", "100", "http://192.0.2.1/page") == timed_out
        network.ip("route del default")
        assert wait("wait", "0") == timed_out
        waiting = network.start([programs / "answer", "wait", str(LIMIT * 1000)])
        network.ip("route add default via 192.0.2.1")
        assert waiting.wait_for(lambda line: True, "the result") == "0"
        # While it waits, a signal ends the program. A shell starts programs in the background with SIGINT ignored.
        network.ip("route del default")
        waiting = network.start([programs / "answer", "wait", "-1"])
        while "dialtone.kernel" not in names_of_threads(waiting.process.pid):
            time.sleep(0.01)
        waiting.process.send_signal(signal.SIGTERM)
        assert waiting.process.wait(LIMIT) == -signal.SIGTERM

    def test_sandbox_without_netlink(self, network, programs):
        def answer(*arguments):
            return network.run([programs / "answer", "sandbox", *arguments], check=True).stdout

        assert '"status":1,"connectivity":6,"reason":null' in answer("verify", "http://192.0.2.1/204")
        assert answer("wait", "-1", "http://192.0.2.1/204") == "0\n"

        def wait(seconds, endpoint):
            command = [programs / "answer", "sandbox", "run", *PYTHON, "wait", seconds, endpoint]
            return network.run(command)

        assert '"status":1,"connectivity":6' in wait("60", "http://192.0.2.1/204").stdout
        assert "TimeoutError" in wait("0.1", "http://192.0.2.1/page").stderr
        assert '"status":1,"connectivity":6' in wait("async", "http://192.0.2.1/204").stdout

        # What cannot be read is no path; the reason names the sandbox.
        unread = answer("once")
        assert '"status":2,"connectivity":0,' in unread and "sandbox" in unread
        assert answer("wait", "100", "http://192.0.2.1/page") == "110\n"
