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

# A library that may be missing.  PARE_<name>=AUTO takes it when it is there (default); ON: stop when it is
# not; OFF: leave it out.  Makes the target pare_<name>, in lower case, by which sources that are linked with
# it get PARE_HAVE_<name>; sets the variable of that name, and adds to what libpare is linked with.
#   title: of the option; short: of it, in the list of what is missing; without: what then is not done
set(PARE_OPTIONAL_LIBRARIES)
set(PARE_OPTIONAL_LIBRARY_DIRS)
macro(pare_optional_library name module package title short without)
  string(TOLOWER ${name} optional)
  set(PARE_${name} AUTO CACHE STRING "${title}: ON, OFF or AUTO")
  set_property(CACHE PARE_${name} PROPERTY STRINGS AUTO ON OFF)
  add_library(pare_${optional} INTERFACE)
  set(PARE_HAVE_${name} OFF)
  if(PARE_${name})
    pkg_check_modules(${name} QUIET IMPORTED_TARGET ${module})
  endif()
  if(PARE_${name} AND ${name}_FOUND)
    set(PARE_HAVE_${name} ON)
    target_compile_definitions(pare_${optional} INTERFACE PARE_HAVE_${name})
    target_link_libraries(pare_${optional} INTERFACE PkgConfig::${name})
    list(APPEND PARE_OPTIONAL_LIBRARIES ${${name}_LIBRARIES})
    list(APPEND PARE_OPTIONAL_LIBRARY_DIRS ${${name}_LIBRARY_DIRS})
  elseif(PARE_${name} STREQUAL "AUTO")
    message(STATUS "${module} is not installed (apt-get install ${package}): ${without}")
  elseif(PARE_${name})
    string(APPEND missing "\n  ${module} is missing (${short}): apt-get install ${package}; "
      "or configure with -DPARE_${name}=OFF")
  endif()
endmacro()

# Without Lua the hooks of `pare generate` answer with PARE_E_UNSUPPORTED.
pare_optional_library(LUA lua5.4 liblua5.4-dev "Hooks in Lua 5.4" "hooks in Lua"
  "pare is built without hooks in Lua")
# Without zlib binary files are reduced, and texts for workers sent, as they are.
pare_optional_library(ZLIB zlib zlib1g-dev "Unpacking members of binary files" "packed members"
  "packed members of binary files are not unpacked, texts for workers are sent as they are")
# Without liblzma files of xz are reduced as bytes.
pare_optional_library(LZMA liblzma liblzma-dev "Unpacking files of xz" "files of xz"
  "files of xz are not unpacked")

# Campaigns (`pare fuzz`) need SQLite and inih; without them the command says so.
#   PARE_CAMPAIGN=AUTO  take them when they are there (default); ON: stop when not; OFF: leave out
set(PARE_CAMPAIGN AUTO CACHE STRING "Campaigns, pare fuzz: ON, OFF or AUTO")
set_property(CACHE PARE_CAMPAIGN PROPERTY STRINGS AUTO ON OFF)
add_library(pare_campaign INTERFACE)
set(PARE_HAVE_CAMPAIGN OFF)
if(PARE_CAMPAIGN)
  pkg_check_modules(SQLITE QUIET IMPORTED_TARGET sqlite3)
  pkg_check_modules(INIH QUIET IMPORTED_TARGET inih)
endif()
if(PARE_CAMPAIGN AND SQLITE_FOUND AND INIH_FOUND)
  set(PARE_HAVE_CAMPAIGN ON)
  target_compile_definitions(pare_campaign INTERFACE PARE_HAVE_CAMPAIGN)
  target_link_libraries(pare_campaign INTERFACE PkgConfig::SQLITE PkgConfig::INIH)
elseif(PARE_CAMPAIGN STREQUAL "AUTO")
  message(STATUS "sqlite3 or inih is not installed (apt-get install libsqlite3-dev libinih-dev): "
    "pare is built without campaigns")
elseif(PARE_CAMPAIGN)
  string(APPEND missing "\n  sqlite3 or inih is missing (campaigns): "
    "apt-get install libsqlite3-dev libinih-dev; or configure with -DPARE_CAMPAIGN=OFF")
endif()

# What a campaign shows and tells, each behind one file: the terminal view, the web server, and
# sending to trackers.
pkg_check_modules(NCURSESW QUIET IMPORTED_TARGET ncursesw)
pkg_check_modules(MICROHTTPD QUIET IMPORTED_TARGET libmicrohttpd)
add_library(pare_top INTERFACE)
if(NCURSESW_FOUND)
  target_compile_definitions(pare_top INTERFACE PARE_HAVE_NCURSES)
  target_link_libraries(pare_top INTERFACE PkgConfig::NCURSESW)
endif()
add_library(pare_web INTERFACE)
# Its header only: the library is opened when a server starts (src/ui/fuzz_web_library.c).
if(MICROHTTPD_FOUND)
  target_compile_definitions(pare_web INTERFACE PARE_HAVE_MICROHTTPD)
  target_include_directories(pare_web SYSTEM INTERFACE ${MICROHTTPD_INCLUDE_DIRS})
endif()
pkg_check_modules(CURL QUIET IMPORTED_TARGET libcurl)
# Its header only: the library is opened when something is sent (src/campaign/tracker_send.c).
if(CURL_FOUND)
  target_compile_definitions(pare_campaign INTERFACE PARE_HAVE_CURL)
  target_include_directories(pare_campaign SYSTEM INTERFACE ${CURL_INCLUDE_DIRS})
endif()

# Its header only: the library is opened when workers are asked for (src/run/remote/link.c).
option(PARE_NATS "Run tests on other machines, where libnats's header is there" ON)
find_path(NATS_INCLUDE_DIR nats/nats.h)
add_library(pare_nats INTERFACE)
if(PARE_NATS AND NATS_INCLUDE_DIR)
  target_compile_definitions(pare_nats INTERFACE PARE_HAVE_NATS)
  target_include_directories(pare_nats SYSTEM INTERFACE ${NATS_INCLUDE_DIR})
elseif(PARE_NATS)
  message(STATUS "nats/nats.h is missing (apt-get install libnats-dev): "
    "pare is built without workers on other machines")
else()
  message(STATUS "PARE_NATS is off: pare is built without workers on other machines")
endif()

# What else libpare is linked with where it is there.
if(PARE_HAVE_CAMPAIGN)
  list(APPEND PARE_OPTIONAL_LIBRARIES ${SQLITE_LIBRARIES} ${INIH_LIBRARIES})
  list(APPEND PARE_OPTIONAL_LIBRARY_DIRS ${SQLITE_LIBRARY_DIRS} ${INIH_LIBRARY_DIRS})
endif()
if(missing)
  message(FATAL_ERROR "pare cannot be built yet:${missing}")
endif()
