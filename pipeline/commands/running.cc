#include "pipeline/commands/running.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

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

bool HasReader(int fd) {
  pollfd asked = {.fd = fd, .events = 0, .revents = 0};
  return ::poll(&asked, 1, 0) != 1 || (asked.revents & (POLLERR | POLLHUP)) == 0;
}

// What became of standard output. `known`: the errno of an earlier write that failed, or 0.
int Written(int exit_code, int known = 0) {
  const int reason = std::fflush(stdout) != 0 ? errno : known;
  if (reason == 0 && std::ferror(stdout) == 0) return exit_code;
  if (reason == EPIPE || !HasReader(STDOUT_FILENO)) return kIo;
  const std::string why = reason == 0 ? "" : fmt::format(": {}", std::strerror(reason));
  return Fail({kIo, "writing to standard output failed" + why});
}

}  // namespace

int Run(const std::function<Result<int>()>& body) {
  try {
    const Result<int> code = body();
    if (!code) return Fail(code.error());
    return Written(*code);
  } catch (const std::bad_alloc&) {
    return Fail({kInternal, "there is not enough memory"});
  } catch (const std::system_error& fault) {  // of fmt::print
    if (std::ferror(stdout) != 0) return Written(kIo, fault.code().value());
    return std::ferror(stderr) != 0 ? kIo : Fail({kInternal, fault.what()});
  } catch (const std::exception& fault) {
    const bool unheard = std::ferror(stdout) != 0 || std::ferror(stderr) != 0;
    if (unheard) return Written(kIo);  // that is what fmt::print threw
    return Fail({kInternal, fault.what()});
  }
}

}  // namespace thresher::pipeline
