// The measurements of the choice of defaults in a file, one line each, so that a run that was interrupted
// continues.
//
// A line has, separated by tabs: stream, condition, seed, what was taught with (learner, its options and
// those of rehearsal, complete), then the quality and the seconds it took. Used by choice.cc. Thread-safety:
// one thread at a time.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <tuple>

#include "bench/choose/condition.h"

namespace thresher::bench {

// "ftrl alpha=0.9 … draws=3 memory=1000 mistrust=0"
std::string TextOf(const Teaching& teaching);

struct Measurement {
  std::string stream;
  std::string condition;
  uint64_t seed = 0;
  std::string teaching;  // TextOf

  auto operator<=>(const Measurement&) const = default;  // NOLINT(modernize-use-nullptr): as in choice.h
};

using Results = std::map<Measurement, Quality>;

// Nothing if there is no such file. Lines that are not whole are passed over.
Results ReadResults(const std::string& path);

class ResultWriter {
 public:
  // Ends the last line of the file if that is not whole.
  explicit ResultWriter(const std::string& path);
  void Add(const Measurement& what, const Quality& quality, double seconds);

 private:
  std::ofstream out_;
};

}  // namespace thresher::bench
