"""Which lines of a script of Python are executed, by sys.monitoring (3.12 and newer) or sys.settrace.

Run as `python -c THIS`, the script's path in PARE_REACH.  Writes "= N" for each line that has code,
then "+ N" when a line is executed for the first time, to descriptor 9: what was written stays when
the interpreter dies.
"""


def run(path):
    import os
    import sys
    import types
    write = os.write
    with open(path, 'rb') as script:
        text = script.read()
    code = compile(text, path, 'exec', 0, True)
    with_code, todo = set(), [code]
    while todo:
        part = todo.pop()
        todo.extend(k for k in part.co_consts if isinstance(k, types.CodeType))
        if hasattr(part, 'co_lines'):
            with_code.update(line for _, _, line in part.co_lines() if line)
        else:
            import dis
            with_code.update(line for _, line in dis.findlinestarts(part))
    write(9, ''.join('= %d\n' % line for line in sorted(with_code)).encode() or b'e\n')
    seen = set()

    def note(line):
        if line not in seen:
            seen.add(line)
            write(9, ('+ %d\n' % line).encode())

    def in_frame(frame, event, _):
        if event == 'line':
            note(frame.f_lineno)
        return in_frame

    def on_call(frame, event, _):
        return in_frame if frame.f_code.co_filename == path else None

    monitoring = getattr(sys, 'monitoring', None)

    def on_line(part, line):
        if part.co_filename == path:
            note(line)
        return monitoring.DISABLE

    module = types.ModuleType('__main__')
    module.__file__ = path
    sys.modules['__main__'] = module
    sys.argv = [path]
    sys.path[0] = os.path.dirname(path)
    if monitoring:
        monitoring.use_tool_id(monitoring.COVERAGE_ID, 'pare')
        monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, on_line)
        monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)
    else:
        import threading
        threading.settrace(on_call)
        sys.settrace(on_call)
    exec(code, module.__dict__)


run(__import__('os').environ['PARE_REACH'])
