#include "pipeline/serve/log_figures.h"

#include <algorithm>

namespace thresher::pipeline {
namespace {

uint64_t LagOf(const LogFigures& figures) { return figures.last - std::min(figures.last, figures.position); }

void AddTrouble(const LogFigures& one, const std::string& why, std::string* all) {
  if (all->empty() && !why.empty()) *all = one.stream + ": " + why;
}

}  // namespace

void AddFigures(const LogFigures& one, LogFigures* all) {
  AddTrouble(one, one.trouble, &all->trouble);
  AddTrouble(one, one.differs, &all->differs);
  AddTrouble(one, one.snapshot_trouble, &all->snapshot_trouble);
  if (all->last == 0 || LagOf(one) > LagOf(*all)) {
    all->position = one.position;
    all->last = one.last;
  }
  all->digest_record = std::max(all->digest_record, one.digest_record);
  all->snapshot = std::max(all->snapshot, one.snapshot);
  all->differs_from_most = all->differs_from_most || one.differs_from_most;
  all->outbox += one.outbox;
  all->outbox_bytes += one.outbox_bytes;
  all->applied += one.applied;
  all->duplicates += one.duplicates;
  all->foreign += one.foreign;
}

}  // namespace thresher::pipeline
