// A small problem as the share of one process.
#pragma once

#include <string>
#include <vector>

#include "learners/distributed/solver.h"

namespace thresher::learners::distributed {

class DividedProblem {
 public:
  DividedProblem(const batch::Examples& examples, Share::By by, const Parts& parts, Group& group)
      : share_{.group = group,
               .parts = parts,
               .own = {},
               .examples = examples.rows.size(),
               .entries = examples.rows.entries(),
               .features = examples.rows.width} {
    for (size_t part = share_.first(); part < parts.FirstOf(group.rank() + 1); ++part) {
      if (by == Share::By::kExamples) AddRows(examples, part);
      if (by == Share::By::kFeatures) AddColumns(examples, part);
    }
  }

  const Share& share() const { return share_; }

 private:
  struct Lines {
    std::vector<uint64_t> starts = {0};
    std::vector<uint32_t> indices;
    std::vector<float> values;
  };

  void AddRows(const batch::Examples& all, size_t part) {
    const size_t first = all.rows.size() * part / share_.parts.count;
    const size_t count = all.rows.size() * (part + 1) / share_.parts.count - first;
    batch::Examples own = all;
    own.columns = {};
    own.rows.starts = all.rows.starts.subspan(first, count + 1);
    own.targets = all.targets.subspan(first, count);
    share_.own.push_back(own);
  }

  void AddColumns(const batch::Examples& all, size_t part) {
    const auto from = static_cast<uint32_t>(share_.FirstFeatureOf(part));
    const auto to = static_cast<uint32_t>(share_.FirstFeatureOf(part + 1));
    Lines& lines = *lines_.emplace_back(std::make_unique<Lines>());
    for (size_t i = 0; i < all.rows.size(); ++i) {
      const batch::SparseLines::Line row = all.rows[i];
      for (size_t k = 0; k < row.size(); ++k) {
        if (row.indices[k] < from || row.indices[k] >= to) continue;
        lines.indices.push_back(row.indices[k]);
        lines.values.push_back(row.values[k]);
      }
      lines.starts.push_back(lines.indices.size());
    }
    batch::Examples own = all;
    own.columns = {};
    own.rows = {lines.starts, lines.indices, lines.values, all.rows.width};
    share_.own.push_back(own);
  }

  Share share_;
  std::vector<std::unique_ptr<Lines>> lines_;
};

// The names of all distributed solvers, as an error lists them.
inline std::string KnownSolvers() {
  std::string names;
  for (const SolverSpec& spec : AllSolvers()) names += (names.empty() ? "" : ", ") + std::string(spec.name);
  return names;
}

}  // namespace thresher::learners::distributed
