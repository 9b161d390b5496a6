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

# Lua is for the hooks of `pare generate`; without it they answer with PARE_E_UNSUPPORTED.
#   PARE_LUA=AUTO  take it when it is there (default); ON: stop when it is not; OFF: leave it out
set(PARE_LUA AUTO CACHE STRING "Hooks in Lua 5.4: ON, OFF or AUTO")
set_property(CACHE PARE_LUA PROPERTY STRINGS AUTO ON OFF)
add_library(pare_lua INTERFACE)
if(PARE_LUA)
  pkg_check_modules(LUA QUIET IMPORTED_TARGET lua5.4)
endif()
if(PARE_LUA AND LUA_FOUND)
  target_compile_definitions(pare_lua INTERFACE PARE_HAVE_LUA)
  target_link_libraries(pare_lua INTERFACE PkgConfig::LUA)
elseif(PARE_LUA STREQUAL "AUTO")
  message(STATUS "lua5.4 is not installed (apt-get install liblua5.4-dev): "
    "pare is built without hooks in Lua")
elseif(PARE_LUA)
  string(APPEND missing "\n  lua5.4 is missing (hooks in Lua): apt-get install liblua5.4-dev; "
    "or configure with -DPARE_LUA=OFF")
endif()

# zlib is for members of binary files that are packed, and for what is sent to workers; without it files
# are reduced and sent as they are.
#   PARE_ZLIB=AUTO  take it when it is there (default); ON: stop when it is not; OFF: leave it out
set(PARE_ZLIB AUTO CACHE STRING "Unpacking members of binary files: ON, OFF or AUTO")
set_property(CACHE PARE_ZLIB PROPERTY STRINGS AUTO ON OFF)
add_library(pare_zlib INTERFACE)
if(PARE_ZLIB)
  pkg_check_modules(ZLIB QUIET IMPORTED_TARGET zlib)
endif()
if(PARE_ZLIB AND ZLIB_FOUND)
  target_compile_definitions(pare_zlib INTERFACE PARE_HAVE_ZLIB)
  target_link_libraries(pare_zlib INTERFACE PkgConfig::ZLIB)
elseif(PARE_ZLIB STREQUAL "AUTO")
  message(STATUS "zlib is not installed (apt-get install zlib1g-dev): "
    "packed members of binary files are not unpacked, texts for workers are sent as they are")
elseif(PARE_ZLIB)
  string(APPEND missing "\n  zlib is missing (packed members): apt-get install zlib1g-dev; "
    "or configure with -DPARE_ZLIB=OFF")
endif()

# liblzma is for files of xz; without it they are reduced as bytes.
#   PARE_LZMA=AUTO  take it when it is there (default); ON: stop when it is not; OFF: leave it out
set(PARE_LZMA AUTO CACHE STRING "Unpacking files of xz: ON, OFF or AUTO")
set_property(CACHE PARE_LZMA PROPERTY STRINGS AUTO ON OFF)
add_library(pare_lzma INTERFACE)
if(PARE_LZMA)
  pkg_check_modules(LZMA QUIET IMPORTED_TARGET liblzma)
endif()
if(PARE_LZMA AND LZMA_FOUND)
  target_link_libraries(pare_lzma INTERFACE PkgConfig::LZMA)
elseif(PARE_LZMA STREQUAL "AUTO")
  message(STATUS "liblzma is not installed (apt-get install liblzma-dev): "
    "files of xz are not unpacked")
elseif(PARE_LZMA)
  string(APPEND missing "\n  liblzma is missing (files of xz): apt-get install liblzma-dev; "
    "or configure with -DPARE_LZMA=OFF")
endif()

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

# What libpare is linked with where it is there, besides what it always needs.
set(PARE_OPTIONAL_LIBRARIES ${LUA_LIBRARIES} ${ZLIB_LIBRARIES} ${LZMA_LIBRARIES})
set(PARE_OPTIONAL_LIBRARY_DIRS ${LUA_LIBRARY_DIRS} ${ZLIB_LIBRARY_DIRS} ${LZMA_LIBRARY_DIRS})
if(PARE_HAVE_CAMPAIGN)
  list(APPEND PARE_OPTIONAL_LIBRARIES ${SQLITE_LIBRARIES} ${INIH_LIBRARIES})
  list(APPEND PARE_OPTIONAL_LIBRARY_DIRS ${SQLITE_LIBRARY_DIRS} ${INIH_LIBRARY_DIRS})
endif()
if(missing)
  message(FATAL_ERROR "pare cannot be built yet:${missing}")
endif()
