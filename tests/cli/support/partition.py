"""Passes a connection on, and cuts it while a file is there: partition.py PORT SERVER_PORT CUT_FILE.

A cut is that of a net, not that of a program that ends: what was sent is neither lost nor refused, it
stays where it is until the file is gone, as TCP has it.  Connections that are made meanwhile are not
answered.  An empty file CUT_FILE.ready says that it listens.
"""
import os
import selectors
import socket
import sys
import time

LOOK_S = 0.05  # how often it is looked for the file
CHUNK = 65536


class Pipe:
    """Both ends of a connection, as the selector sees one of them."""

    def __init__(self, here, there):
        self.here, self.there = here, there


def pass_on(selector, pipe):
    try:
        data = pipe.here.recv(CHUNK)
        if data:
            pipe.there.sendall(data)
            return
    except OSError:
        pass
    for end in (pipe.here, pipe.there):
        try:
            selector.unregister(end)
        except (KeyError, ValueError):
            pass
        end.close()


def accept(selector, listener, server_port):
    near, _ = listener.accept()
    try:
        far = socket.create_connection(("127.0.0.1", server_port))
    except OSError:
        near.close()
        return
    for end in (near, far):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    selector.register(near, selectors.EVENT_READ, Pipe(near, far))
    selector.register(far, selectors.EVENT_READ, Pipe(far, near))


def main():
    port, server_port, cut = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    listener = socket.create_server(("127.0.0.1", port))
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    open(cut + ".ready", "w").close()
    while True:
        if os.path.exists(cut):
            time.sleep(LOOK_S)
            continue
        for key, _ in selector.select(LOOK_S):
            if key.data is None:
                accept(selector, listener, server_port)
            elif key.fileobj.fileno() >= 0:
                pass_on(selector, key.data)


main()
