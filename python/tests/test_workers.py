"""Workers: a server and a worker on loopback, which the test starts and ends."""
import os
import shutil
import signal
import socket
import subprocess
import time

import pare
import pytest

PROGRAM = os.environ.get("PARE") or shutil.which("pare")


def status(url):
    run = subprocess.run([PROGRAM, "worker", url, "--status"], capture_output=True, text=True)
    return run.stdout + run.stderr


def wait_until(is_so, what):
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end, f"did not come within a minute: {what}"
        time.sleep(0.05)


def end(process):
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a server of our own."""
    if not PROGRAM:
        pytest.skip("the program pare is not there (set PARE)")
    if not shutil.which("nats-server"):
        pytest.skip("nats-server is not there (apt-get install nats-server)")
    if "no server answers" not in status("nats://127.0.0.1:1"):
        pytest.skip("pare was built without libnats (apt-get install libnats-dev, and build again)")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("server")
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(["nats-server", "--addr", "127.0.0.1", "--port", str(port),
                                    "--jetstream", "--store_dir", str(folder / "store")],
                                   stdout=log, stderr=log)
    url = f"nats://127.0.0.1:{port}"
    try:
        wait_until(lambda: "no server answers" not in status(url), "the server")
        yield url
    finally:
        end(process)


@pytest.fixture
def worker(server, tmp_path):
    """A worker of that server."""
    with open(tmp_path / "worker.log", "wb") as log:
        process = subprocess.Popen([PROGRAM, "worker", server, "--name", "loop", "--jobs", "2"],
                                   stdout=log, stderr=log)
    try:
        wait_until(lambda: "\nloop " in "\n" + status(server), "the worker")
        yield server
    finally:
        end(process)


def test_a_reduction_uses_workers(worker, tmp_path):
    path = tmp_path / "in.txt"
    path.write_text("".join(f"line {n}\n" for n in range(200)))
    test = tmp_path / "test.sh"
    test.write_text('#!/bin/sh\n. "$(dirname "$0")/needle.sh"\nsleep 0.02\n'
                    'grep -q "$needle" "$1" && grep -q 123 "$1"\n')
    test.chmod(0o755)
    (tmp_path / "needle.sh").write_text("needle=77\n")
    here = pare.reduce_file(path, str(test), jobs=1)
    workers = pare.Workers(worker, with_files=tmp_path / "needle.sh")
    for attempt in range(10):  # a machine that is busy may be asked nothing
        (tmp_path / "needle.sh").write_text(f"needle=77 # {attempt}\n")  # nothing is known of it
        there = pare.reduce_file(path, str(test), jobs=1, workers=workers)
        assert there.data == here.data == b"12377"
        assert there.stats.workers.most_machines == 1
        if there.stats.workers.tests_away:
            break
    assert there.stats.workers.tests_away > 0
    assert there.stats.workers.traffic_bytes > 0


def test_no_worker_is_no_error(server, tmp_path):
    path = tmp_path / "in.txt"
    path.write_text("a\nb\nc\n")
    assert pare.reduce_file(path, "grep -q b", workers=pare.Workers(server)).data == b"b"


def test_no_server(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text("a\nb\nc\n")
    gone = "nats://127.0.0.1:1"
    with pytest.raises(pare.Error) as raised:
        pare.reduce_file(path, "grep -q b", workers=pare.Workers(gone))
    if isinstance(raised.value, pare.UnsupportedError):
        pytest.skip("libpare was built without libnats")
    notices = []
    result = pare.reduce_file(path, "grep -q b", workers=pare.Workers(gone, is_optional=True),
                              on_event=lambda event: event.notice and notices.append(event.notice))
    assert result.data == b"b" and any("127.0.0.1:1" in notice for notice in notices)
