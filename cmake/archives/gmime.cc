// Replaces three parts of GMime that its g_mime_init names and that thresher never uses: OpenPGP, S/MIME and
// streams over GIO. Without this file they would pull in gpgme, GIO and their dependencies.
//
// archives.cmake links this file into `thresher` before GMime's archive, so the archive's members of these
// names are not used. If some code ever uses more of them than the names below, linking fails.
#include <cstddef>

// NOLINTBEGIN(readability-identifier-naming): GMime's names
extern "C" {

// A cryptographic context that cannot be made: GMime reports that the protocol is not supported.
void* g_mime_gpg_context_new() { return nullptr; }
void* g_mime_pkcs7_context_new() { return nullptr; }

// Called to register the types; 0 is the invalid type.
size_t g_mime_gpg_context_get_type() { return 0; }
size_t g_mime_pkcs7_context_get_type() { return 0; }
size_t g_mime_stream_gio_get_type() { return 0; }

const char* gpgme_check_version_internal(const char* /*wanted*/, size_t /*offset*/) { return nullptr; }

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
