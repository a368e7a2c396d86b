// thresher-mpi: `thresher fit --distributed` in each process that mpirun has started. thresher replaces
// itself by this program, which alone is linked with MPI; its argument has the options.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>

#include "pipeline/distributed/distributed_fit.h"
#include "pipeline/mpi/mpi_group.h"

int main(int argc, char** argv) {
  using namespace thresher::pipeline;
  std::signal(SIGPIPE, SIG_IGN);
  const auto options = OptionsOfText(argc == 2 ? argv[1] : "");
  if (!options) {
    fmt::print(stderr, "thresher-mpi: {}\n", options.error().message);
    return options.error().exit_code;
  }
  MpiGroup group;
  try {
    return RunDistributedFit(group, *options);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "thresher-mpi: %s\n", fault.what());
    MpiGroup::EndAll(kInternal);
  }
}
