# SPDX-License-Identifier: Apache-2.0

"""The samples of the documentation are the programs in Examples, and they work."""

import signal
import sys

import pytest
from conftest import ROOT


def samples(language):
    texts = [(ROOT / page).read_text() for page in ["README.md", "docs/c.md", "Python/README.md"]]
    return [part.split("\n```")[0].strip() for text in texts for part in text.split(f"```{language}\n")[1:]]


@pytest.mark.parametrize(
    "name, language", [("Examples/C/poll.c", "c"), ("Examples/Python/watch.py", "python")]
)
def test_the_samples_are_files(name, language):
    assert (ROOT / name).read_text().strip() in samples(language)


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
