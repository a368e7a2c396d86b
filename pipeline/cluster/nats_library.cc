#include "pipeline/cluster/nats_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

namespace thresher::pipeline {
namespace {

constexpr char kNatsFile[] = "libnats.so.3.4";

// What is missing; empty if nothing is.
std::string LoadInto(NatsLibrary* library) {
  void* const file = ::dlopen(kNatsFile, RTLD_NOW | RTLD_LOCAL);
  if (file == nullptr) return ::dlerror();
#define THRESHER_NATS_LOAD(function)                                                           \
  library->function = reinterpret_cast<decltype(library->function)>(::dlsym(file, #function)); \
  if (library->function == nullptr) return #function;
  THRESHER_NATS_FUNCTIONS(THRESHER_NATS_LOAD)
#undef THRESHER_NATS_LOAD
  return {};
}

}  // namespace

Result<const NatsLibrary*> NatsLibrary::Get() {
  static NatsLibrary library;
  static const std::string missing = LoadInto(&library);
  if (missing.empty()) return &library;
  return tl::unexpected(
      Error{kConfig, fmt::format("a shared log needs the client library of NATS, Debian's package libnats3.4 "
                                 "({})",
                                 missing)});
}

}  // namespace thresher::pipeline
