// Stands in for three parts of GMime that its g_mime_init names and that thresher never uses: OpenPGP, S/MIME
// and streams over GIO. They alone would bring gpgme and GIO with all that these need. Linked into `thresher`
// by archives.cmake, before GMime's archive, whose members of these names then stay out; should anything ever
// use more of them than its name, linking fails.
#include <cstddef>

// NOLINTBEGIN(readability-identifier-naming): GMime's names
extern "C" {

// A cryptographic context that cannot be made: GMime reports that the protocol is not supported.
void* g_mime_gpg_context_new() { return nullptr; }
void* g_mime_pkcs7_context_new() { return nullptr; }

// Asked for so that the types are known from then on; 0 is the invalid type.
size_t g_mime_gpg_context_get_type() { return 0; }
size_t g_mime_pkcs7_context_get_type() { return 0; }
size_t g_mime_stream_gio_get_type() { return 0; }

const char* gpgme_check_version_internal(const char* /*wanted*/, size_t /*offset*/) { return nullptr; }

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
