# SPDX-License-Identifier: Apache-2.0

"""The samples of the documentation are the programs in Examples, and they work."""

import signal
import sys

import pytest
from conftest import ROOT


@pytest.mark.parametrize(
    "page, name, language",
    [
        ("docs/c.md", "Examples/C/poll.c", "c"),
        ("docs/c.md", "Examples/Python/watch.py", "python"),
        ("Python/README.md", "Examples/Python/verify.py", "python"),
    ],
)
def test_the_samples_are_files(page, name, language):
    text = (ROOT / page).read_text()
    assert f"```{language}\n{(ROOT / name).read_text()}```" in text
    # Every sample in this language is one of them.
    assert text.count(f"```{language}\n") == 1


@pytest.mark.parametrize("name", ["poll", "glib", "watch"])
def test_the_examples_follow_the_path(name, network, programs):
    network.link()
    command = [sys.executable, ROOT / "Examples/Python/watch.py"] if name == "watch" else [programs / name]
    run = network.start(command)
    run.wait_for(lambda line: line.startswith("There is an address, but no route"), "no route")
    network.ip("route add default via 192.0.2.1")
    run.wait_for(lambda line: line.startswith("There is a path"), "a path")
    network.ip("route del default")
    run.wait_for(lambda line: line.startswith("There is an address, but no route"), "no route")
    if name == "glib":
        run.process.send_signal(signal.SIGTERM)
        assert run.process.wait(60) == 0


def test_the_example_that_verifies(network):
    run = network.start([sys.executable, ROOT / "Examples/Python/verify.py"])
    run.wait_for(lambda line: line == "OFFLINE This machine has no network interface except loopback.", "offline")
