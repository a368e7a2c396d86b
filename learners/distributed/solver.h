// The interface of batch solvers that run in several processes, and the table of them.
//
// The data is divided into parts; a process has some of them. All processes call the same functions in the
// same order and get the same results. These are a function of data, parts, options and seed alone: with
// equal parts, the same to the bit for any number of processes.
//
// Called by pipeline/distributed. To add a solver: a file with its method, a line in THRESHER_DISTRIBUTED
// below. The tests run over the table. Thread-safety: one thread in each process; the table is immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "learners/batch/examples.h"
#include "learners/batch/solver.h"
#include "learners/distributed/group.h"
#include "learners/registry.h"

namespace thresher::learners::distributed {

// What a process has of the data. It must outlive the solver.
struct Share {
  // How the entries are divided among the parts.
  enum class By { kExamples, kFeatures };

  Group& group;
  Parts parts;
  // Of this process, in order. By examples, a part has all features of its rows; by features, it has all
  // rows, with the features of the part only. `rows` and `targets` are set, `columns` are empty.
  std::vector<batch::Examples> own;
  uint64_t examples = 0;  // of all parts
  uint64_t entries = 0;   // of all parts
  uint32_t features = 0;  // of all parts

  size_t first() const { return parts.FirstOf(group.rank()); }
  // By features: the columns of a part begin here.
  size_t FirstFeatureOf(size_t part) const { return size_t{features} * part / parts.count; }
};

class Solver {
 public:
  Solver() = default;
  virtual ~Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // One epoch: about one pass over the examples.
  virtual void Step() = 0;
  virtual batch::Progress Report() = 0;
  // Of all features. Valid until the next call.
  virtual std::span<const double> Weights() = 0;

  // The state that a solver carries from one epoch to the next, as in batch/solver.h: what is the same in all
  // processes, and what belongs to one of the parts of this process.
  virtual std::vector<std::span<double>> SharedMemory() = 0;
  virtual std::vector<std::span<double>> PartMemory(size_t own_part) = 0;
};

struct SolverSpec {
  std::string_view name;
  std::string_view summary;  // one line
  Share::By by;
  std::span<const OptionSpec> options;
  std::unique_ptr<Solver> (*make)(const Share& share, const OptionValues& complete, uint64_t seed);
};

#define THRESHER_DISTRIBUTED(SOLVER) \
  SOLVER(AgdByExamples)              \
  SOLVER(AsdcaByExamples)            \
  SOLVER(AsdcaByFeatures)            \
  SOLVER(SdcaByExamples)             \
  SOLVER(SdcaByFeatures)

#define THRESHER_DECLARE(Name) SolverSpec Name();
THRESHER_DISTRIBUTED(THRESHER_DECLARE)
#undef THRESHER_DECLARE

std::span<const SolverSpec> AllSolvers();
// Null if there is none of that name.
const SolverSpec* FindSolver(std::string_view name);

// `given` over the solver's defaults. The error is one line.
tl::expected<OptionValues, std::string> CompleteSolverOptions(std::string_view name,
                                                              const OptionValues& given);

}  // namespace thresher::learners::distributed
