"""Takes away what a cluster has queued: all jobs, and the consumers that give them out.

    lose_jobs.py PORT

What a server does that has no room left, and what was not asked for in a long while."""

import json
import socket
import sys


class Server:
    """The lines of NATS that it takes to ask JetStream something."""

    def __init__(self, port):
        self.lines = socket.create_connection(("127.0.0.1", port)).makefile("rwb")
        self.lines.readline()
        self.send(b'CONNECT {"verbose":false}\r\nSUB lost 1\r\n')

    def send(self, what):
        self.lines.write(what)
        self.lines.flush()

    def ask(self, what):
        self.send(f"PUB $JS.API.{what} lost 2\r\n{{}}\r\n".encode())
        while True:
            head = self.lines.readline().split()
            if head[0] == b"MSG":
                return json.loads(self.lines.read(int(head[-1]) + 2))


server = Server(int(sys.argv[1]))
for name in server.ask("CONSUMER.NAMES.PARE_main_JOB")["consumers"]:
    assert server.ask("CONSUMER.DELETE.PARE_main_JOB." + name)["success"]
assert server.ask("STREAM.PURGE.PARE_main_JOB")["success"]
