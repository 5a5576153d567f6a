# Before packages are made: files that both components install, so that each can be had alone, are in the program's package only,
# on which the other one depends.
file(GLOB twice "${CPACK_TEMPORARY_DIRECTORY}/library/usr/*/cmake/groundswell/groundswell-config*.cmake")
file(REMOVE ${twice})
