#!/usr/bin/env python3
"""Records what a command shows on a terminal as an animated SVG without scripts.

Usage: scripts/record_svg.py -o FILE.svg [--title TEXT] [--columns N] [--rows N] [--hold SECONDS]
           -- COMMAND ARGS

The command runs under a pseudo-terminal; what it prints is interpreted as far as
pare and plain commands need: printed characters, CR, LF, BS, "erase line", "erase
below", cursor up and down, and colours.  Each different text of each row becomes
one <text>, shown during the intervals in which it stood there, so a line that is
redrawn costs only itself.  The picture starts again after --hold seconds; a still
viewer (one without animation) shows the last state.

docs/guide/run.svg is made by
    scripts/record_svg.py -o docs/guide/run.svg --title "pare reduce ./test.sh catalogue.json" \
        -- examples/demo/run.sh build/release/pare
"""
import argparse
import html
import os
import pty
import re
import select
import signal
import struct
import fcntl
import sys
import termios
import time

CELL_WIDTH, CELL_HEIGHT, MARGIN = 8.43, 19, 16  # px, of a 14 px monospaced font
FRAME_S = 0.1  # changes within this time are one frame
COLOURS = {30: "#6e7681", 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79c0ff",
           35: "#d2a8ff", 36: "#76e3ea", 37: "#c9d1d9", 90: "#8b949e"}
ESCAPE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b[()][A-Z0-9]|\x1b[=>78]")


class Screen:
    """Rows of (character, style) cells; a style is (colour or None, bold)."""

    def __init__(self, columns, rows):
        self.columns, self.n_rows = columns, rows
        self.rows, self.x, self.y, self.style = [[]], 0, 0, (None, False)

    def put(self, char):
        if self.x >= self.columns:
            self.x = 0
            self.down()
        row = self.rows[self.y]
        row.extend([(" ", (None, False))] * (self.x + 1 - len(row)))
        row[self.x] = (char, self.style)
        self.x += 1

    def down(self):
        self.y += 1
        if self.y == len(self.rows):
            self.rows.append([])
        if len(self.rows) > self.n_rows:
            del self.rows[0]
            self.y -= 1

    def control(self, numbers, letter):
        values = [int(n) for n in numbers.split(";") if n.isdigit()] or [0]
        if letter == "K":
            del self.rows[self.y][self.x if values[0] == 0 else 0:]
        elif letter == "J" and values[0] == 0:
            del self.rows[self.y][self.x:]
            del self.rows[self.y + 1:]
        elif letter == "A":
            self.y = max(0, self.y - max(1, values[0]))
        elif letter == "B":
            for _ in range(max(1, values[0])):
                self.down()
        elif letter == "G":
            self.x = max(1, values[0]) - 1
        elif letter == "m":
            for value in values:
                if value == 0:
                    self.style = (None, False)
                elif value == 1:
                    self.style = (self.style[0], True)
                elif value == 2:
                    self.style = (COLOURS[90], self.style[1])
                elif value in COLOURS:
                    self.style = (COLOURS[value], self.style[1])
                elif value == 39:
                    self.style = (None, self.style[1])

    def feed(self, text):
        at = 0
        while at < len(text):
            match = ESCAPE.match(text, at)
            if match:
                if match.group(2):
                    self.control(match.group(1), match.group(2))
                at = match.end()
                continue
            char = text[at]
            at += 1
            if char == "\r":
                self.x = 0
            elif char == "\n":
                self.down()
            elif char == "\b":
                self.x = max(0, self.x - 1)
            elif char >= " ":
                self.put(char)

    def picture(self):
        """The rows as tuples of runs (text, style), without blanks at their ends."""
        rows = []
        for row in self.rows:
            runs = []
            for char, style in row:
                if runs and runs[-1][1] == style:
                    runs[-1][0] += char
                else:
                    runs.append([char, style])
            if runs:
                runs[-1][0] = runs[-1][0].rstrip()
            rows.append(tuple((text, style) for text, style in runs if text))
        return tuple(rows)


def record(command, columns, rows):
    """Runs `command`; returns the frames as (seconds, picture), and its exit code."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS=str(columns), LINES=str(rows),
                          LC_ALL="C.UTF-8")
        os.environ.pop("NO_COLOR", None)
        os.execvp(command[0], command)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.kill(pid, signal.SIGWINCH)
    screen, frames, start, rest = Screen(columns, rows), [], time.monotonic(), b""
    while True:
        select.select([fd], [], [])
        try:
            data = os.read(fd, 65536)
        except OSError:  # the other side is closed
            break
        if not data:
            break
        rest += data
        text = rest.decode("utf-8", "ignore")
        end = text.rfind("\x1b")
        if end >= 0 and not ESCAPE.match(text, end):  # an escape of which more is to come
            continue
        rest = b""
        screen.feed(text)
        now, picture = time.monotonic() - start, screen.picture()
        if frames and now - frames[-1][0] < FRAME_S:
            frames[-1] = (frames[-1][0], picture)
        else:
            frames.append((now, picture))
    return frames, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def intervals(frames, total):
    """{(row, runs): [(from, to), ...]}: when each text stood in each row."""
    spans = {}
    for i, (start, picture) in enumerate(frames):
        end = frames[i + 1][0] if i + 1 < len(frames) else total
        for y, runs in enumerate(picture):
            if not runs:
                continue
            seen = spans.setdefault((y, runs), [])
            if seen and seen[-1][1] == start:
                seen[-1] = (seen[-1][0], end)
            else:
                seen.append((start, end))
    return spans


def animation(spans, total):
    """An <animate> of the visibility by `spans`; nothing for what is always there."""
    if spans == [(0, total)]:
        return ""
    times, values = [0.0], ["hidden"]
    for start, end in spans:
        for at, value in ((start, "visible"), (end, "hidden")):
            if at >= total:
                continue
            if at / total == times[-1]:
                values[-1] = value
            else:
                times.append(at / total)
                values.append(value)
    return (f'<animate attributeName="visibility" calcMode="discrete" dur="{total:.2f}s" '
            f'repeatCount="indefinite" values="{";".join(values)}" '
            f'keyTimes="{";".join(f"{t:.4f}".rstrip("0").rstrip(".") for t in times)}"/>')


def escape(text):
    """`text` for XML, with blanks that no viewer collapses."""
    return html.escape(text).replace(" ", "\u00a0")


def draw(frames, columns, hold, title):
    total = frames[-1][0] + hold
    height = max(len(picture) for _, picture in frames)
    width_px = columns * CELL_WIDTH + 2 * MARGIN
    height_px = height * CELL_HEIGHT + 2 * MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width_px:.0f} {height_px}" '
           f'width="{width_px:.0f}" height="{height_px}" role="img">',
           f"<title>{html.escape(title)}</title>",
           f'<rect width="100%" height="100%" rx="8" fill="#0d1117"/>',
           '<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace" '
           'font-size="14" fill="#c9d1d9">']
    last = frames[-1][1]
    for (y, runs), spans in intervals(frames, total).items():
        x, tspans = 0, []
        for text, (colour, bold) in runs:
            style = (f' fill="{colour}"' if colour else "") + (' font-weight="600"' if bold else "")
            left = MARGIN + x * CELL_WIDTH
            length = f' textLength="{len(text) * CELL_WIDTH:.1f}"' if len(text) > 1 else ""
            tspans.append(f'<tspan x="{left:.1f}"{length}{style}>{escape(text)}</tspan>')
            x += len(text)
        stays = y < len(last) and last[y] == runs
        hidden = "" if stays else ' visibility="hidden"'
        out.append(f'<text y="{MARGIN + (y + 0.75) * CELL_HEIGHT:.1f}"{hidden}>'
                   f'{"".join(tspans)}{animation(spans, total)}</text>')
    return "\n".join(out + ["</g>", "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][7:])
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--title")
    parser.add_argument("--columns", type=int, default=96)
    parser.add_argument("--rows", type=int, default=24)
    parser.add_argument("--hold", type=float, default=6.0)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    frames, code = record(options.command, options.columns, options.rows)
    if code or not frames:
        print(f"record_svg: the command ended with exit code {code}", file=sys.stderr)
        return 1
    frames[0] = (0, frames[0][1])
    text = draw(frames, options.columns, options.hold,
                options.title or os.path.basename(options.command[0]))
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"{options.output}: {len(frames)} frames, {frames[-1][0]:.1f} s, {len(text)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
