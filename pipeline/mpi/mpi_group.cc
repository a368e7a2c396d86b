#include "pipeline/mpi/mpi_group.h"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>

namespace thresher::pipeline {
namespace {

constexpr size_t kLargestMessage = size_t{1} << 30;  // MPI counts by int

template <class Bytes, class Move>
void InPieces(Bytes bytes, const Move& move) {
  do {
    const size_t count = std::min(bytes.size(), kLargestMessage);
    move(bytes.data(), static_cast<int>(count));
    bytes = bytes.subspan(count);
  } while (!bytes.empty());
}

}  // namespace

// The default error handler of MPI ends all processes with a message.
MpiGroup::MpiGroup() {
  MPI_Init(nullptr, nullptr);
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rank_ = static_cast<size_t>(rank);
  size_ = static_cast<size_t>(size);
}

MpiGroup::~MpiGroup() { MPI_Finalize(); }

void MpiGroup::EndAll(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::abort();
}

void MpiGroup::DoSend(size_t to, std::span<const std::byte> bytes) {
  InPieces(bytes, [to](const std::byte* data, int count) {
    MPI_Send(data, count, MPI_BYTE, static_cast<int>(to), 0, MPI_COMM_WORLD);
  });
}

void MpiGroup::DoReceive(size_t from, std::span<std::byte> bytes) {
  InPieces(bytes, [from](std::byte* data, int count) {
    MPI_Recv(data, count, MPI_BYTE, static_cast<int>(from), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
}

}  // namespace thresher::pipeline
