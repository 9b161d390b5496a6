# Compiles through ccache where it is installed, so that a second clone on the same machine (continuous
# integration, another work tree) takes what the first one has compiled.
#
# Paths below the source folder are hashed relative to it; debug information may then name the folder of
# the clone that compiled first.  -DPARE_CCACHE=OFF, or a launcher of one's own, leaves it out.
option(PARE_CCACHE "Compile through ccache where it is installed" ON)
if(PARE_CCACHE AND NOT CMAKE_C_COMPILER_LAUNCHER)
  find_program(CCACHE_PROGRAM ccache)
  find_program(ENV_PROGRAM env)
  if(CCACHE_PROGRAM AND ENV_PROGRAM)
    set(CMAKE_C_COMPILER_LAUNCHER
      ${ENV_PROGRAM} "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
  endif()
endif()
