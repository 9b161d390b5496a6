#!/usr/bin/env python3
"""SIGTERM while a large input is read, hashed, cut and written: how much processor time the run takes after it.

Usage: stop_instants.py PARE NAME MEGABYTES LIMIT INSTANT...

The input is a single line.  pare is told to end when it has taken as many seconds of processor time as
an INSTANT says since it has taken over the signal (before that there is nothing to end, and a build with
sanitizers needs longer to get there), so an instant is at the same work on a busy machine as on an idle
one; and what it takes
from then on, its tests included, has to be at most LIMIT seconds of processor time.  The run ends with 130
(stopped by a signal), and the input is as it was."""

import hashlib
import os
import signal
import subprocess
import sys
import time

TICK = os.sysconf("SC_CLK_TCK")


def spent(pid):
    """Processor time of the process and of the children it has waited for."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15]) / TICK


def is_running(pid):
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None


def takes_signal(pid):
    """Whether the process has a handler for SIGTERM."""
    with open(f"/proc/{pid}/status") as file:
        caught = next(int(line.split()[1], 16) for line in file if line.startswith("SigCgt:"))
    return caught >> (signal.SIGTERM - 1) & 1


def stop_at(instant, command):
    """Returns the exit code and the processor time after the signal."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while is_running(process.pid) and not takes_signal(process.pid):
        time.sleep(0.005)
    begin = spent(process.pid)
    while is_running(process.pid) and spent(process.pid) - begin < instant:
        time.sleep(0.005)
    before = spent(process.pid)
    process.send_signal(signal.SIGTERM)
    _, status, used = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime - before


def main():
    pare, name, megabytes, limit = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    block = "".join(f"f(a,{k})[x] " for k in range(90_000)).encode()[:1_000_000]
    with open(name, "wb") as file:
        for _ in range(megabytes):
            file.write(block)
        file.write(b"needle")
    with open("test.sh", "w") as file:
        file.write(f"#!/bin/sh\ngrep -q needle {name}\n")
    os.chmod("test.sh", 0o755)
    with open(name, "rb") as file:
        original = hashlib.sha256(file.read()).digest()

    n_bad = 0
    command = [pare, "reduce", "-q", "--no-journal", "-o", "result", "./test.sh", name]
    for instant in map(float, sys.argv[5:]):
        code, after = stop_at(instant, command)
        print(f"{instant} s: exit {code}, {after:.2f} s more")
        n_bad += code != 130 or after > limit
    with open(name, "rb") as file:
        n_bad += hashlib.sha256(file.read()).digest() != original
    return 1 if n_bad else 0


if __name__ == "__main__":
    sys.exit(main())
