# Finds what pare builds on.  Each missing library is answered by one sentence
# that names the Debian package; all of them are reported at once.

find_package(PkgConfig QUIET)
if(NOT PKG_CONFIG_FOUND)
  message(FATAL_ERROR "pkg-config is missing: apt-get install pkg-config")
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads)

set(missing "")

# Defines PkgConfig::<prefix>, or notes which package would provide it.
macro(pare_require prefix module package purpose)
  pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${module})
  if(NOT ${prefix}_FOUND)
    string(APPEND missing
      "\n  ${module} is missing (${purpose}): apt-get install ${package}")
  endif()
endmacro()

pare_require(UTF8PROC libutf8proc libutf8proc-dev "Unicode, needed by libpare")
pare_require(XXHASH libxxhash libxxhash-dev "digests, needed by libpare")
pare_require(JANSSON jansson libjansson-dev "JSON, needed by libpare")
pare_require(PCRE2 libpcre2-8 libpcre2-dev "regular expressions, needed by libpare")
if(PARE_BUILD_TESTS)
  pare_require(CMOCKA cmocka libcmocka-dev
    "unit tests; or configure with -DPARE_BUILD_TESTS=OFF")
endif()
if(NOT Threads_FOUND)
  string(APPEND missing "\n  POSIX threads are missing: apt-get install libc6-dev")
endif()
if(missing)
  message(FATAL_ERROR "pare cannot be built yet:${missing}")
endif()
