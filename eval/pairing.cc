#include "eval/pairing.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string_view>

namespace thresher::eval {
namespace {

constexpr uint32_t kNobody = std::numeric_limits<uint32_t>::max();

// A line with the hash of its path. Sorting these takes a third of the time and memory of a hash table of
// paths.
struct Name {
  uint64_t hash;
  uint32_t line;
};

// Some total order of the paths.
int Order(const Results& a, Name x, const Results& b, Name y) {
  if (x.hash != y.hash) return x.hash < y.hash ? -1 : 1;
  return a.paths[x.line].compare(b.paths[y.line]);
}

// The first line of each path; adds the number of the others to *repeated.
std::vector<Name> Names(const Results& results, uint64_t* repeated) {
  std::vector<Name> names(results.outcomes.size());
  for (uint32_t line = 0; line < names.size(); ++line)
    names[line] = {std::hash<std::string_view>()(results.paths[line]), line};
  std::sort(names.begin(), names.end(), [&](Name x, Name y) {
    const int order = Order(results, x, results, y);
    return order < 0 || (order == 0 && x.line < y.line);
  });
  const auto end = std::unique(names.begin(), names.end(),
                               [&](Name x, Name y) { return Order(results, x, results, y) == 0; });
  *repeated += static_cast<uint64_t>(names.end() - end);
  names.erase(end, names.end());
  return names;
}

}  // namespace

Pairing PairUp(const Results& first, const Results& second) {
  Pairing pairing;
  const std::vector<Name> ones = Names(first, &pairing.repeated);
  const std::vector<Name> twos = Names(second, &pairing.repeated);
  std::vector<uint32_t> partner(first.outcomes.size(), kNobody);
  auto two = twos.begin();
  uint64_t shared = 0;
  for (const Name one : ones) {
    while (two != twos.end() && Order(second, *two, first, one) < 0) ++two;
    if (two == twos.end() || Order(second, *two, first, one) != 0) continue;
    ++shared;
    if (first.outcomes[one.line].judged_spam == second.outcomes[two->line].judged_spam) {
      partner[one.line] = two->line;
    } else {
      ++pairing.judged_differently;
    }
  }
  pairing.only_in_first = ones.size() - shared;
  pairing.only_in_second = twos.size() - shared;
  pairing.pairs.reserve(shared - pairing.judged_differently);
  for (uint32_t line = 0; line < partner.size(); ++line) {
    if (partner[line] != kNobody) pairing.pairs.push_back({line, partner[line]});
  }
  return pairing;
}

}  // namespace thresher::eval
