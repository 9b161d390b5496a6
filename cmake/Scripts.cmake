# Text files that the library carries with it, such as the scripts that engines run.
#
# pare_embed(OUT HEADER SOURCE NAME FILE [NAME FILE]...) writes the C file SOURCE, which includes
# HEADER and defines the array NAME with the bytes of FILE and a NUL, and sets OUT to its path.
# When a FILE changes, the next build makes SOURCE anew.
function(pare_embed out header source)
  set(text "/* Made by cmake/Scripts.cmake. */\n#include \"${header}\"\n")
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs name file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(................................................................................)"
      "\\1\n" bytes "${bytes}")
    # Bytes above 127 as characters: their numbers would not fit where char has a sign.
    string(REGEX REPLACE "0x([89a-f].)," "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND text "\nconst char ${name}[] = {\n${bytes}0x00};\n")
  endwhile()
  file(CONFIGURE OUTPUT "${source}" CONTENT "${text}" @ONLY)
  set(${out} "${source}" PARENT_SCOPE)
endfunction()
