# The Debian package: `scripts/package` makes it, with the preset package.
#
# What only the package has is installed by the component debian; a plain `cmake --install` leaves it out.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME thresher)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "thresher developers <maintainers@users.noreply.a-seed-8d7e8694.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "spam filter with a sparse model that people can read")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL Unspecified debian)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION mail)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_DEPENDS adduser)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # adds the libraries
set(CPACK_DEBIAN_DEBUGINFO_PACKAGE ON)  # strips the program, too
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libnats3.4, procmail | maildrop | dovecot-sieve | postfix")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"thresher learns, message by message, which mail is spam, and keeps a sparse
model of its words. It filters a stream of mail from procmail, maildrop,
Postfix or Sieve and is corrected by feedback; a killed process loses nothing
that it acknowledged. It shows the words that it learned and why a message
got its verdict, and it measures itself and other filters on corpora in the
form of the TREC spam track.")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${PROJECT_BINARY_DIR}/packaging/conffiles
  ${PROJECT_SOURCE_DIR}/packaging/debian/postinst
  ${PROJECT_SOURCE_DIR}/packaging/debian/prerm
  ${PROJECT_SOURCE_DIR}/packaging/debian/postrm)

execute_process(COMMAND date -u -R -d "${THRESHER_RELEASE_DATE}" OUTPUT_VARIABLE THRESHER_RELEASE_RFC_DATE
  OUTPUT_STRIP_TRAILING_WHITESPACE)
file(WRITE ${PROJECT_BINARY_DIR}/packaging/conffiles /etc/thresher/config.yaml\n)

# The sources of the archives that the program is linked from, with their versions, for the copyright file.
set(THRESHER_BUILT_USING none)
if(THRESHER_ARCHIVES)
  foreach(name IN LISTS THRESHER_ARCHIVE_NAMES)
    list(APPEND archives ${ARCHIVE_${name}})
  endforeach()
  execute_process(COMMAND sh -c "dpkg-query -S \"$@\" | sed 's/: .*//' | sort -u |
    xargs dpkg-query -W -f '\${source:Package} (= \${source:Version})\\n' | sort -u | paste -sd , | sed 's/,/,\\n /g'"
    sh ${archives} OUTPUT_VARIABLE THRESHER_BUILT_USING OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
configure_file(packaging/debian/changelog.in packaging/changelog @ONLY)
configure_file(packaging/debian/copyright.in packaging/copyright @ONLY)

install(FILES ${PROJECT_BINARY_DIR}/reference/config.yaml DESTINATION /etc/thresher
  COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES ${PROJECT_BINARY_DIR}/packaging/copyright ${PROJECT_BINARY_DIR}/packaging/changelog
  DESTINATION /usr/share/doc/thresher COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES packaging/debian/lintian-overrides DESTINATION /usr/share/lintian/overrides RENAME thresher
  COMPONENT debian EXCLUDE_FROM_ALL)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/finish.cmake)
include(CPack)
