"""Makes pare._pare, the extension module by which the package calls libpare (cffi, API mode).

The declarations are read from the public headers, so there is no second copy of them.  What a C
compiler sees is the headers themselves: a layout that differs cannot be.

    build_pare.py INCLUDE_DIR OUT.c     writes the module's C source (what CMake compiles)

setup.py uses `ffibuilder`, which finds the library by pkg-config, else by PARE_INCLUDE_DIR and
PARE_LIBRARY_DIR.
"""
import os
import re
import subprocess
import sys

import cffi

# Headers that are given to Python.  What they include comes with them.
HEADERS = ["explain", "generate", "guide", "history", "isolate", "language",
           "learn", "page", "parse", "reduce", "reduce_list"]

CALLBACKS = """
extern "Python" {
    pare_outcome pare_python_test(void *context, const void *bytes, size_t size);
    pare_outcome pare_python_test_list(void *context, const uint32_t *indices, size_t n);
    void pare_python_watch(void *context, const pare_event *event);
    pare_status pare_python_take_text(void *context, uint64_t number, const char *text,
                                      size_t size_bytes, pare_error *err);
    pare_status pare_python_take_member(void *context, uint64_t number, const char *text,
                                        size_t size_bytes, pare_error *err);
    pare_status pare_python_reach(void *context, const char *text, size_t size_bytes,
                                  pare_reached *reached, pare_error *err);
    pare_status pare_python_start(void *context, const pare_units *units, void **state,
                                  pare_error *err);
    pare_status pare_python_next(void *state, bool *done, pare_proposal *proposal,
                                 pare_error *err);
    pare_status pare_python_tell(void *state, pare_outcome outcome, pare_error *err);
    pare_status pare_python_copy(const void *state, void **copy, pare_error *err);
    void pare_python_end(void *state);
}
const char *pare_version(void);
"""


def declarations(include_dir):
    """What cffi is told: the declarations of HEADERS and of what they include, each once."""
    seen, parts = set(), []

    def read(name):
        if name in seen:
            return
        seen.add(name)
        with open(os.path.join(include_dir, "pare", name + ".h"), encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        for included in re.findall(r"#include <pare/(\w+)\.h>", text):
            read(included)
        text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.S)
        macros = re.findall(r"^#define (PARE_\w+) [(\w]", text, flags=re.M)
        text = re.sub(r"^#.*\n", "", text, flags=re.M)
        text = re.sub(r"static inline[^{;]*\{.*?^\}\n", "", text, flags=re.S | re.M)
        text = re.sub(r"\bPARE_(API|CHECK)\b", "", text)
        parts.append(text)
        parts.extend(f"#define {macro} ...\n" for macro in macros
                     if macro not in ("PARE_API", "PARE_CHECK"))

    for header in HEADERS:
        read(header)
    return "".join(parts)


def make_builder(include_dir, **extension):
    """The cffi.FFI of the module; `extension` are arguments of setuptools.Extension."""
    builder = cffi.FFI()
    builder.cdef(declarations(include_dir) + CALLBACKS)
    builder.set_source("pare._pare", "#include <pare/pare.h>\n", libraries=["pare"], **extension)
    return builder


def flags(what, variable):
    """The folders that pkg-config names for libpare; $variable goes first."""
    if variable in os.environ:
        return [os.environ[variable]]
    try:
        run = subprocess.run(["pkg-config", what, "pare"], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        sys.exit("setup.py: libpare is not found: install libpare-dev (pare's `make install` has it "
                 "too) and pkg-config, or set PARE_INCLUDE_DIR and PARE_LIBRARY_DIR")
    return [word[2:] for word in run.stdout.split()]


def ffibuilder():
    """For setup.py: the library that is installed."""
    include = flags("--cflags-only-I", "PARE_INCLUDE_DIR") or ["/usr/include"]
    folders = flags("--libs-only-L", "PARE_LIBRARY_DIR")
    run_paths = [folder for folder in folders if not folder.startswith("/usr/lib")]
    return make_builder(include[0], include_dirs=include, library_dirs=folders,
                        runtime_library_dirs=run_paths)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: build_pare.py INCLUDE_DIR OUT.c")
    make_builder(sys.argv[1]).emit_c_code(sys.argv[2])
