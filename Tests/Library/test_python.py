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
    except Exception as error: print(f"{type(error).__name__}: {error}")
error(lambda: dialtone.wait_for_path(0.01))
error(lambda: dialtone.set_endpoints(["ftp://example.org"]))
error(lambda: dialtone.set_endpoints([]))
error(lambda: dialtone.set_interface_cost("a\\0b", expensive=True))
error(lambda: dialtone.set_interface_cost("a-name-of-16-chr", expensive=True))
error(lambda: dialtone.PathMonitor(required_type="wifi"))
error(lambda: dialtone.PathMonitor(required_type=99))
error(lambda: dialtone.PathMonitor(prohibited_types=[7]))
print(dialtone.verify(float("inf")).status.name)
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
    begins = [
        "TimeoutError: [Errno 110] the network was not ready in time",
        "ValueError: ['ftp://example.org'] are not endpoints: each must be a URL",
        "ValueError: [] are not endpoints",
        "ValueError: embedded null character",
        "ValueError: 'a-name-of-16-chr' is not the name of an interface",
        "ValueError: 'wifi' is not a valid InterfaceType",
        "ValueError: 99 is not a valid InterfaceType",
        "ValueError: 7 is not a valid InterfaceType",
        "UNSATISFIED",
        "ValueError: a monitor that verifies the Internet must allow all types of interface",
        "ValueError: the monitor is closed",
        "ValueError: the monitor is closed",
        "ChildProcessError: [Errno 10] dialtone cannot be used in a process that was forked after its first call: use",
        "ChildProcessError: [Errno 10] dialtone cannot be used in a process that was forked after its first call: use",
    ]
    lines = run.stdout.splitlines()
    assert len(lines) == len(begins) and all(map(str.startswith, lines, begins)), run.stdout
    assert run.stderr == ""


@pytest.mark.parametrize(
    "library, message",
    [("/nowhere/libdialtone.so.1", "set DIALTONE_LIBRARY to its file"), ("libc.so.6", "libdialtone is older than this package")],
)
def test_the_import_says_what_to_install(network, library, message):
    code = "try: import dialtone\nexcept ImportError as error: print(error)"
    run = network.run(["env", f"DIALTONE_LIBRARY={library}", sys.executable, "-c", code], check=True)
    assert message in run.stdout


def test_waits_in_asyncio(network):
    network.link()
    code = """
import asyncio, dialtone
async def main():
    try: await dialtone.wait_for_path_async(0.01)
    except TimeoutError as error: print(error, flush=True)
    waits = [asyncio.create_task(dialtone.wait_for_path_async(60)) for _ in range(10)]
    cancelled = asyncio.create_task(dialtone.wait_for_internet_async())
    await asyncio.sleep(0)
    cancelled.cancel()
    try: await cancelled
    except asyncio.CancelledError: print("cancelled", flush=True)
    print({path.status.name for path in await asyncio.gather(*waits)}, flush=True)
asyncio.run(main())
"""
    run = network.start([sys.executable, "-c", code])
    run.wait_for(lambda line: line == "[Errno 110] the network was not ready in time", "a time limit")
    run.wait_for(lambda line: line == "cancelled", "a cancelled wait")
    network.ip("route add default via 192.0.2.1")
    run.wait_for(lambda line: line == "{'SATISFIED'}", "a path")


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
    (information,) = tmp_path.glob("dialtone-*.dist-info")
    # Python writes a release candidate without the hyphen.
    version = subprocess.check_output([ROOT / "Scripts/version"], text=True).strip().replace("-rc.", "rc")
    metadata = (information / "METADATA").read_text()
    assert f"\nVersion: {version}\n" in metadata and "\nProject-URL: Homepage, https://" in metadata
    assert (information / "licenses/LICENSE").read_text() == (ROOT / "LICENSE").read_text()
