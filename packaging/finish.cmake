# Run by CPack on the files of the package before it packs them: what Debian wants compressed is compressed, and
# the licence stands in the copyright file alone.
file(GLOB_RECURSE man_pages ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/man/*.?)
file(GLOB changelog ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/doc/thresher/changelog)
file(GLOB licence ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/doc/thresher/LICENSE)
execute_process(COMMAND gzip -9nf ${man_pages} ${changelog} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${licence})
