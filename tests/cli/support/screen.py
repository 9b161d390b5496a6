"""A terminal with a program in it: what its screen shows, and keys for it.

The screen is an emulator of what xterm does with the sequences that curses writes; a sequence that it
does not know ends the test, so nothing is passed over in silence.  Rows are compared as text; a
character that takes two columns is followed by an empty cell."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
import unicodedata

CONTROL = re.compile(
    rb"\x1b\[(?P<arguments>[?>0-9;]*)(?P<final>[@-~])|\x1b(?P<escape>[()][A-Z0-9]|[=>78DEHM])"
    rb"|\x1b\](?P<title>[^\x07\x1b]*)(?:\x07|\x1b\\)"
)


class Screen:
    """Rows of cells, and a cursor."""

    def __init__(self, rows, columns):
        self.titles = []
        self.is_alternate = False
        self.left = b""
        self.cells = []
        self.resize(rows, columns)

    def resize(self, rows, columns):
        """What is on the screen stays there, as far as there is room."""
        self.rows, self.columns = rows, columns
        self.cells = [(row + [" "] * columns)[:columns] for row in self.cells[:rows]]
        self.cells += [[" "] * columns for _ in range(rows - len(self.cells))]
        self.row = self.column = 0
        self.region = (0, rows)
        self.saved = (0, 0)
        self.last = " "

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells) + "\n"

    def feed(self, data):
        data = self.left + data
        at = 0
        while at < len(data):
            byte = data[at : at + 1]
            if byte == b"\x1b":
                found = CONTROL.match(data, at)
                if not found:
                    if len(data) - at < 64:
                        break  # the rest of it is still to come
                    sys.exit("unknown sequence: %r" % data[at : at + 20])
                self.control(found)
                at = found.end()
            elif byte < b" ":
                self.steer(byte)
                at += 1
            else:
                size = 1 if byte < b"\x80" else 2 if byte < b"\xe0" else 3 if byte < b"\xf0" else 4
                if at + size > len(data):
                    break
                self.put(data[at : at + size].decode("utf-8"))
                at += size
        self.left = data[at:]

    def steer(self, byte):
        if byte == b"\r":
            self.column = 0
        elif byte == b"\n":
            self.line_feed()
        elif byte == b"\b":
            self.column = max(0, self.column - 1)
        elif byte == b"\t":
            self.column = min(self.columns - 1, (self.column // 8 + 1) * 8)
        elif byte not in b"\x07\x0f\x0e":
            sys.exit("unknown control character: %r" % byte)

    def line_feed(self):
        top, end = self.region
        if self.row + 1 == end:
            self.cells[top:end] = self.cells[top + 1 : end] + [[" "] * self.columns]
        else:
            self.row = min(self.row + 1, self.rows - 1)

    def put(self, character):
        width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if self.column + width > self.columns:
            self.column = 0
            self.line_feed()
        self.cells[self.row][self.column] = character
        if width == 2:
            self.cells[self.row][self.column + 1] = ""
        self.column += width
        self.last = character

    def control(self, found):
        if found["title"] is not None:
            self.titles.append(found["title"])
            return
        if found["escape"]:
            escape = found["escape"]
            if escape == b"7":
                self.saved = (self.row, self.column)
            elif escape == b"8":
                self.row, self.column = self.saved
            elif escape == b"M":
                self.scroll_down()
            elif escape == b"D":
                self.line_feed()
            return
        arguments, final = found["arguments"].decode(), found["final"].decode()
        if arguments[:1] in "?>" and arguments:
            if arguments in ("?1049", "?47"):
                self.is_alternate = final == "h"
                self.cells = [[" "] * self.columns for _ in range(self.rows)]
            return
        numbers = [int(n) if n else 0 for n in arguments.split(";")]
        self.sequence(final, numbers, max(1, numbers[0]))

    def scroll_down(self):
        top, end = self.region
        if self.row == top:
            self.cells[top:end] = [[" "] * self.columns] + self.cells[top : end - 1]
        else:
            self.row = max(0, self.row - 1)

    def sequence(self, final, numbers, n):
        row = self.cells[self.row]
        if final in "Hf":
            self.row = min(n, self.rows) - 1
            self.column = min(max(1, numbers[1]) if len(numbers) > 1 else 1, self.columns) - 1
        elif final == "A":
            self.row = max(0, self.row - n)
        elif final == "B":
            self.row = min(self.rows - 1, self.row + n)
        elif final == "C":
            self.column = min(self.columns - 1, self.column + n)
        elif final == "D":
            self.column = max(0, self.column - n)
        elif final == "G":
            self.column = min(n, self.columns) - 1
        elif final == "d":
            self.row = min(n, self.rows) - 1
        elif final == "J":
            self.erase_rows(numbers[0])
        elif final == "K":
            begin, end = [(self.column, self.columns), (0, self.column + 1), (0, self.columns)][
                numbers[0]
            ]
            row[begin:end] = [" "] * (end - begin)
        elif final == "X":
            end = min(self.columns, self.column + n)
            row[self.column : end] = [" "] * (end - self.column)
        elif final == "P":
            row[self.column :] = (row[self.column + n :] + [" "] * n)[: self.columns - self.column]
        elif final == "@":
            row[self.column :] = ([" "] * n + row[self.column :])[: self.columns - self.column]
        elif final == "b":
            for _ in range(n):
                self.put(self.last)
        elif final in "LM":
            self.move_rows(final, n)
        elif final in "ST":
            top, end = self.region
            empty = [[" "] * self.columns for _ in range(n)]
            rows = self.cells[top:end]
            self.cells[top:end] = rows[n:] + empty if final == "S" else empty + rows[: len(rows) - n]
        elif final == "r":
            self.region = (n - 1, numbers[1] if len(numbers) > 1 and numbers[1] else self.rows)
            self.row = self.column = 0
        elif final not in "mhltc":
            sys.exit("unknown sequence: %r %r" % (numbers, final))

    def erase_rows(self, how):
        if how == 0:
            self.cells[self.row][self.column :] = [" "] * (self.columns - self.column)
            self.cells[self.row + 1 :] = [
                [" "] * self.columns for _ in range(self.rows - self.row - 1)
            ]
        else:
            self.cells = [[" "] * self.columns for _ in range(self.rows)]

    def move_rows(self, final, n):
        end = self.region[1]
        rows = self.cells[self.row : end]
        empty = [[" "] * self.columns for _ in range(min(n, len(rows)))]
        self.cells[self.row : end] = (
            empty + rows[: len(rows) - len(empty)] if final == "L" else rows[len(empty) :] + empty
        )


class Program:
    """A program on a terminal of its own."""

    def __init__(self, command, rows, columns):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execv(command[0], command)
        self.screen = Screen(rows, columns)
        self.seen = b""
        self.is_gone = False

    def read(self, limit_s):
        """Takes what is written within that time; False: nothing, or the program has ended."""
        if self.is_gone or not select.select([self.fd], [], [], limit_s)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        self.is_gone = not data
        self.seen += data
        self.screen.feed(data)
        return not self.is_gone

    def await_text(self, *texts):
        """Until the screen shows all of them."""
        end = time.monotonic() + float(os.environ.get("PATIENCE", "120"))
        while not all(text in self.screen.text() for text in texts):
            if not self.read(max(0, end - time.monotonic())):
                sys.exit("never shown: %r in\n%s" % (texts, self.screen.text()))

    def key(self, text):
        os.write(self.fd, text)

    def resize(self, rows, columns):
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def end(self):
        """The exit code, or minus the signal; all that is written until then is taken."""
        while not self.is_gone:
            self.read(120)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
