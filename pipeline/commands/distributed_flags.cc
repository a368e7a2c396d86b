#include "pipeline/commands/distributed_flags.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace thresher::pipeline {
namespace {

// Beside the folder of this program: `make install` and the build have the same places.
constexpr const char* kPlace = "../libexec/thresher/thresher-mpi";

}  // namespace

void DistributedFlags::AddTo(Command command) {
  command
      .Add("--distributed", &on,
           "Fit in all processes that mpirun has started: `mpirun -np 4 thresher fit --distributed FILE`. "
           "FILE "
           "is in libsvm or Vowpal Wabbit format, not compressed; each process reads its own range of it. "
           "Solvers: sdca, sdca-by-features, asdca, asdca-by-features, agd")
      .Excludes({"--install", "--path", "--folders", "--document", "--threads", "--wait", "--store",
                 "--model", "--preset", "--set"});
  command
      .Add(
          "--parts", &parts,
          "Number of parts that the data is divided into; 0: one for each process. The result depends on it, "
          "and not on the number of processes")
      .Check(WholeNumber(1U << 20U))
      .Needs("--distributed")
      .ShowDefault();
}

Result<int> DistributedFlags::Run(DistributedOptions options, const std::vector<std::string>& inputs) const {
  if (inputs.size() != 1 || inputs.front() == "-")
    return tl::unexpected(
        Error{kUsage, "--distributed takes one INPUT, a file that several processes can read"});
  options.input = inputs.front();
  options.parts = parts;
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  std::string program = (self.parent_path() / kPlace).lexically_normal();
  auto text = TextOf(options);
  if (!text) return tl::unexpected(text.error());
  const std::array<char*, 3> arguments = {program.data(), text->data(), nullptr};
  ::execv(program.c_str(), arguments.data());
  if (errno == ENOENT)
    return tl::unexpected(
        Error{kConfig, fmt::format("{} is not there: `cmake --build --preset release --target thresher-mpi` "
                                   "makes it where OpenMPI is installed, and `cmake --install` puts it there",
                                   program)});
  return tl::unexpected(Error{kConfig, fmt::format("{}: {}", program, std::strerror(errno))});
}

}  // namespace thresher::pipeline
