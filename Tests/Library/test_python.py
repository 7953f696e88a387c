# SPDX-License-Identifier: Apache-2.0

"""The Python package beyond its answers, which test_cases.py compares."""

import json
import subprocess
import sys

import pytest
from conftest import PYTHON, ROOT


def python(network, code, **options):
    return network.run([sys.executable, "-c", code], **options)


def test_waiting_for_a_path(network):
    network.link()
    run = network.start([*PYTHON, "wait", "60"])
    network.ip("route add default via 192.0.2.1")
    assert json.loads(run.wait_for(lambda line: True, "a path"))["status"] == 1
    assert json.loads(network.run([*PYTHON, "wait", "0"], check=True).stdout)["status"] == 1


def test_errors_are_pythons(network):
    code = """
import dialtone, os
def error(body):
    try: body()
    except Exception as error: print(type(error).__name__)
error(lambda: dialtone.wait_for_path(0.01))
error(lambda: dialtone.set_endpoints(["ftp://example.org"]))
error(lambda: dialtone.set_endpoints([]))
error(lambda: dialtone.set_interface_cost("a\\0b", expensive=True))
error(lambda: dialtone.PathMonitor(verify=True, required_type=dialtone.InterfaceType.WIFI))
monitor = dialtone.PathMonitor(prohibited_types=[dialtone.InterfaceType.WIFI])
monitor.close()
monitor.close()
error(lambda: monitor.path)
error(monitor.fileno)
child = os.fork()
if child == 0:
    error(dialtone.current_path)
    error(dialtone.PathMonitor)
    os._exit(0)
os.waitpid(child, 0)
"""
    run = python(network, code, check=True)
    assert run.stdout.split() == [
        "TimeoutError", "OSError", "OSError", "ValueError", "OSError", "ValueError", "ValueError",
        "ChildProcessError", "ChildProcessError",
    ]  # fmt: skip
    assert run.stderr == ""


def test_a_wait_can_be_interrupted(network):
    code = """
import dialtone, signal
signal.signal(signal.SIGALRM, lambda *_: 1 / 0)
signal.setitimer(signal.ITIMER_REAL, 0.1)
dialtone.wait_for_path()
"""
    run = python(network, code)
    assert run.returncode == 1 and "ZeroDivisionError" in run.stderr


def test_cancelled_loops_leave_nothing(network):
    code = """
import asyncio, dialtone, gc, os
async def first():
    async for path in dialtone.paths():
        return path
async def main():
    await first()
    gc.collect()
    await asyncio.sleep(0)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(100):
        task = asyncio.create_task(first())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await first()
    gc.collect()
    await asyncio.sleep(0)
    # The kernel's sockets close when the library's thread has noticed that no monitor is left.
    print(len(os.listdir("/proc/self/fd")) - before <= 8)
asyncio.run(main())
"""
    run = python(network, code, check=True)
    assert run.stdout == "True\n" and run.stderr == ""


@pytest.mark.skipif(not list((ROOT / ".build/python").glob("*.whl")), reason="make python was not run")
def test_the_wheel_works_where_it_is_installed(network, tmp_path):
    (wheel,) = (ROOT / ".build/python").glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", tmp_path, wheel], check=True)
    code = f"import sys; sys.path[0] = '{tmp_path}'; import dialtone; print(dialtone.__file__, dialtone.current_path().reason)"
    run = network.run(["env", "-u", "PYTHONPATH", sys.executable, "-c", code], check=True)
    assert run.stdout.startswith(str(tmp_path)) and "except loopback" in run.stdout
    assert (tmp_path / "dialtone/py.typed").exists()
