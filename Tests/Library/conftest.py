# SPDX-License-Identifier: Apache-2.0

"""Network namespaces, and the programs that run in them."""

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / ".build/libdialtone"
#: Long enough for a busy machine; only a failure takes it.
LIMIT = 60

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
os.environ["PKG_CONFIG_PATH"] = str(LIBRARY / "lib/pkgconfig")
os.environ["LD_LIBRARY_PATH"] = str(LIBRARY / "lib")
os.environ["PYTHONPATH"] = str(ROOT / "Python/src")


def flags(*packages):
    return subprocess.check_output(["pkg-config", "--cflags", "--libs", *packages], text=True).split()


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """The folder of the compiled programs."""
    folder = tmp_path_factory.mktemp("programs")
    for source, packages in [
        ("Tests/Library/answer.c", ["dialtone"]),
        ("Tests/Library/hostile.c", ["dialtone"]),
        ("Examples/C/poll.c", ["dialtone"]),
        ("Examples/C/glib.c", ["dialtone", "glib-2.0"]),
        ("Benchmarks/Contenders/glib.c", ["gio-2.0"]),
    ]:
        name = "glib-monitor" if source.startswith("Benchmarks") else Path(source).stem
        standard = ["-std=c11", "-D_GNU_SOURCE"]
        subprocess.run(
            ["cc", *standard, "-g", *WARNINGS, ROOT / source, "-o", folder / name, "-pthread", *flags(*packages)], check=True
        )
    return folder


class Run:
    """A program whose lines are read as they come."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.lines = []
        self._queue = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self._queue.put(line.rstrip("\n"))
        self._queue.put(None)

    def wait_for(self, is_expected, what):
        """The first line from here on that is as expected."""
        while True:
            try:
                line = self._queue.get(timeout=LIMIT)
            except queue.Empty:
                line = None
            assert line is not None, f"no line with {what}; the last ones: {self.lines[-3:]}"
            self.lines.append(line)
            if is_expected(line):
                return line

    def drain(self):
        """The last line so far."""
        while not self._queue.empty():
            if (line := self._queue.get()) is not None:
                self.lines.append(line)
        return self.lines[-1] if self.lines else None

    def end(self):
        """Ends a program that waits for the end of its input."""
        self.process.stdin.close()
        return self.process.wait(LIMIT)

    def kill(self):
        self.process.kill()
        self.process.wait(LIMIT)


class Network:
    """A network namespace, and another one at the far end of its links."""

    def __init__(self):
        self.runs = []
        self._holders = []
        self.near, self.far = self._make(), self._make()
        self._batch = None

    def _make(self):
        holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "echo ready; exec sleep infinity"], stdout=subprocess.PIPE, text=True
        )
        self._holders.append(holder)
        assert holder.stdout.readline() == "ready\n", "a network namespace needs root"
        return holder.pid

    def inside(self, command, far=False):
        return ["nsenter", f"--net=/proc/{self.far if far else self.near}/ns/net", "--", *command]

    def ip(self, *commands, far=False):
        """Runs commands of ip(8); DEVICE@far in one stands for the far namespace."""
        text = "".join(command.replace("@far", f"netns {self.far}") + "\n" for command in commands)
        subprocess.run(self.inside(["ip", "-batch", "-"], far), input=text, text=True, check=True)

    def link(self, name="up0", address="192.0.2.2/24"):
        """Adds a running link with an address."""
        self.ip(f"link add {name} type veth peer name far0 @far", f"link set {name} up")
        self.ip("link set lo up", "link set far0 up", "addr add 192.0.2.1/24 dev far0", far=True)
        if address:
            self.ip(f"addr add {address} dev {name}")

    def start(self, command, far=False):
        run = Run(self.inside(command, far))
        self.runs.append(run)
        return run

    def run(self, command, **options):
        command = self.inside([str(part) for part in command])
        return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT * 2, **options)

    def answer(self, programs, *arguments):
        """The answer of a C program that reads the path once."""
        return json.loads(self.run([programs / "answer", *arguments], check=True).stdout)

    def close(self):
        for run in self.runs:
            run.kill()
        for holder in self._holders:
            holder.kill()
            holder.wait()


@pytest.fixture
def network():
    network = Network()
    yield network
    network.close()


PYTHON = [sys.executable, str(ROOT / "Tests/Library/answer.py")]

