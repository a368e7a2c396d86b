#include "pipeline/model/live_scorer.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace thresher::pipeline {
namespace {

constexpr size_t kPrefetchAhead = 32;
// Rows that no longer weigh are dropped when they may be as many as those that do, and this many.
constexpr size_t kFewRows = 4096;

// visit(i, slot of ids[i]), in order, entries ahead being fetched meanwhile.
template <class Visit>
void ForEachSlot(const storage::RowSlots& rows, std::span<const uint64_t> ids, const Visit& visit) {
  for (size_t i = 0; i < std::min(kPrefetchAhead, ids.size()); ++i) rows.Prefetch(ids[i]);
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i + kPrefetchAhead < ids.size()) rows.Prefetch(ids[i + kPrefetchAhead]);
    visit(i, rows.Find(ids[i]));
  }
}

}  // namespace

LiveScorer::Version::Version(std::shared_ptr<const learners::Learner> new_learner)
    : learner(std::move(new_learner)), rows(learner->RowBytes()), globals(*learner) {}

void LiveScorer::Version::StartOver(const std::shared_ptr<const learners::Learner>& new_learner,
                                    size_t expected_rows) {
  learner = new_learner;
  rows = storage::RowSlots(learner->RowBytes());
  rows.Reserve(expected_rows);
}

void LiveScorer::Version::Write(size_t slot, uint64_t id, const std::byte* row) {
  if (slot == storage::RowSlots::kNone) slot = rows.Insert(id, 0);
  std::memcpy(rows[slot].row(), row, rows.row_bytes());
}

void LiveScorer::Changes::Clear() {
  all = false;
  ids.clear();
  rows.clear();
}

LiveScorer::LiveScorer(const ModelIdentity& identity)
    : versions_(Version(identity.learner), Version(identity.learner)), identity_(identity) {}

void LiveScorer::Replace(const std::shared_ptr<const learners::Learner>& learner,
                         const learners::RowSource& rows, std::span<const std::byte> globals) {
  Version& next = versions_.Back();
  is_next_begun_ = true;
  changes_.Clear();
  changes_.all = true;
  next.StartOver(learner, weighing_);  // about as many as before
  rows([&](uint64_t id, const std::byte* row) {
    if (learner->Weight(row, globals) == 0) return;
    next.rows.Reserve(1);
    next.Write(next.rows.Find(id), id, row);
  });
  weighing_ = next.rows.size();
}

// A row of weight zero changes only when touched, and is put again then, so it need not be copied. A row that
// this copy has must be overwritten.
void LiveScorer::Put(std::span<const uint64_t> ids, std::span<const std::byte* const> rows,
                     std::span<const std::byte> globals) {
  Version& next = Next();
  next.rows.Reserve(ids.size());
  ForEachSlot(next.rows, ids, [&](size_t i, size_t slot) {
    if (slot == storage::RowSlots::kNone && next.learner->Weight(rows[i], globals) == 0) return;
    next.Write(slot, ids[i], rows[i]);
    changes_.ids.push_back(ids[i]);
    changes_.rows.insert(changes_.rows.end(), rows[i], rows[i] + next.rows.row_bytes());
  });
}

void LiveScorer::Publish(const ModelGlobals& globals, uint64_t applied_seq) {
  Version& next = Next();
  next.globals = globals;
  next.applied_seq = applied_seq;
  if (next.rows.size() > 2 * weighing_ + kFewRows) DropWhatWeighsNothing(&next);
  versions_.Swap();
  is_next_begun_ = false;
}

uint64_t LiveScorer::CountWeights() const {
  const Version& front = versions_.front();
  uint64_t count = 0;
  front.rows.ForEach([&](const storage::RowSlots::Entry& entry) {
    if (front.learner->Weight(entry.row(), front.globals.learner()) != 0) ++count;
  });
  return count;
}

// The copy at the back, holding what the one in front holds and what was put since.
LiveScorer::Version& LiveScorer::Next() {
  Version& next = versions_.Back();
  if (!is_next_begun_) {
    CatchUp(&next);
    changes_.Clear();
    is_next_begun_ = true;
  }
  return next;
}

void LiveScorer::CatchUp(Version* back) const {
  const Version& front = versions_.front();
  if (changes_.all) {
    back->StartOver(front.learner, front.rows.size());
    front.rows.ForEach([back](const storage::RowSlots::Entry& entry) {
      back->Write(back->rows.Find(entry.id), entry.id, entry.row());
    });
    return;
  }
  back->rows.Reserve(changes_.ids.size());
  ForEachSlot(back->rows, changes_.ids, [&](size_t i, size_t slot) {
    back->Write(slot, changes_.ids[i], &changes_.rows[i * back->rows.row_bytes()]);
  });
}

// The other copy is then made anew from this one, rather than looking at all its rows too.
void LiveScorer::DropWhatWeighsNothing(Version* next) {
  next->rows.RemoveIf([next](const storage::RowSlots::Entry& entry) {
    return next->learner->Weight(entry.row(), next->globals.learner()) == 0;
  });
  weighing_ = next->rows.size();
  changes_.all = true;
}

Result<Score> LiveScorer::Reader::Classify(const tokenizer::Features& features) {
  rows_.resize(features.size());
  return versions_.Read([&](const Version& version) {
    version.rows.FindRows(features.ids, rows_);
    applied_seq_ = version.applied_seq;
    taught_ = version.globals.facts().taught;
    contradictions_ = version.globals.contradictions();
    return ScoreOf(*version.learner, {features.ids, features.values}, rows_, version.globals);
  });
}

}  // namespace thresher::pipeline
