#include "pipeline/commands/running.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "pipeline/terminal/character.h"

namespace thresher::pipeline {

int Fail(const Error& error) {
  // One line, whatever names and texts of others are in it.
  std::string line = "thresher: ";
  for (std::string_view left = error.message; !left.empty();) {
    const Character c = TakeCharacter(&left);
    line += c.is_safe ? c.bytes : "?";
  }
  line += '\n';
  // Not fmt::print, which throws where nobody reads what we say.
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
  return error.exit_code;
}

namespace {

// What became of standard output. errno is that of the write that failed.
int Written(int exit_code) {
  const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!failed) return exit_code;
  if (errno == EPIPE) return kIo;
  return Fail({kIo, fmt::format("writing to standard output failed: {}", std::strerror(errno))});
}

}  // namespace

int Run(const std::function<Result<int>()>& body) {
  try {
    const Result<int> code = body();
    if (!code) return Fail(code.error());
    return Written(*code);
  } catch (const std::bad_alloc&) {
    return Fail({kInternal, "there is not enough memory"});
  } catch (const std::exception& fault) {
    const bool unheard = std::ferror(stdout) != 0 || std::ferror(stderr) != 0;
    if (unheard) return Written(kIo);  // that is what fmt::print threw
    return Fail({kInternal, fault.what()});
  }
}

}  // namespace thresher::pipeline
