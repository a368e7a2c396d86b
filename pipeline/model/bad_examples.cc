#include "pipeline/model/bad_examples.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "pipeline/model/forgetting.h"
#include "pipeline/model/log_applier.h"
#include "pipeline/model/rebuild_policy.h"
#include "pipeline/model/soundness.h"
#include "pipeline/model/store_error.h"
#include "storage/walk.h"

namespace thresher::pipeline {

namespace {

// The messages that lead to the unreadable ones: an example that was corrected later is led to by none.
Result<void> NameMessages(const ModelState& state, std::vector<BadExample>* bad) {
  const auto walked = storage::WalkMessageKeys(*state.database, [&](const storage::StoredMessageKey& key) {
    for (BadExample& example : *bad) {
      if (!example.is_readable && key.seq == example.seq)
        example.message = storage::MessageKeyText{key.message_id, key.digest};
    }
    return true;
  });
  return walked ? Result<void>() : StoreFailure(walked.error());
}

}  // namespace

Result<std::vector<BadExample>> FindBadExamples(const ModelState& state) {
  std::vector<BadExample> bad;
  bool all_readable = true;
  const auto visit = [&](const storage::StoredExample& stored) {
    if (!stored.seq) return true;  // RocksDB has checked the block: nobody wrote such a key
    if (!stored.example) {
      all_readable = false;
      bad.push_back({*stored.seq, "it does not match its checksum", std::nullopt, /*is_readable=*/false});
    } else if (auto wrong = WrongWithExample(*stored.example, state.decoder)) {
      bad.push_back({*stored.seq, *std::move(wrong),
                     storage::MessageKeyText{stored.example->message_id, stored.example->digest}});
    }
    return true;
  };
  if (const auto kept = storage::WalkKeptExamples(*state.database, visit); !kept)
    return StoreFailure(kept.error());
  if (const auto read = storage::WalkExamples(*state.database, visit); !read)
    return StoreFailure(read.error());
  if (all_readable) return bad;
  return NameMessages(state, &bad).map([&] { return std::move(bad); });
}

Result<void> ApplyLogWithout(const std::vector<BadExample>& bad, ModelState& state) {
  std::set<uint64_t> left_out;
  for (const BadExample& example : bad) {
    left_out.insert(example.seq);
    state.globals.rehearsal().ForgetExample(example.seq);
  }
  RebuildWithout policy(state, std::move(left_out));
  // A bad example may have had the text of a feature that later ones have.
  if (auto noted = policy.NoteStoredTexts(); !noted) return noted;
  return LogApplier(state, policy).ApplyLog(nullptr);
}

Result<void> EmptyUnreadable(ModelState& state, const std::vector<BadExample>& bad) {
  std::set<uint64_t> unreadable;
  std::vector<storage::MessageKeyText> keys;
  for (const BadExample& example : bad) {
    if (example.is_readable) continue;
    unreadable.insert(example.seq);
    if (example.message) keys.push_back(*example.message);
  }
  std::vector<storage::Example> emptied;
  storage::LogExtent extent{.first_seq = state.log.extent().first_seq};
  int64_t time_us = 0;  // of the example before
  const auto walked = storage::WalkExamples(*state.database, [&](const storage::StoredExample& stored) {
    if (stored.example) {
      time_us = stored.example->time_us;
      extent.bytes += storage::LoggedBytes(*stored.example);
    } else if (stored.seq && unreadable.contains(*stored.seq)) {
      emptied.push_back(ForgottenExample(state, *stored.seq, time_us));
      extent.bytes += storage::LoggedBytes(emptied.back());
    }
    return true;
  });
  if (!walked) return StoreFailure(walked.error());
  if (emptied.empty()) return {};
  if (auto done = state.log.Replace(emptied, keys, extent); !done) return StoreFailure(done.error());
  return {};
}

Error BadExampleError(uint64_t seq, std::string_view what) {
  return {kData,
          fmt::format("the store is corrupt: example {}: {}; `thresher rebuild --without-bad` makes the "
                      "model again without it",
                      seq, what)};
}

}  // namespace thresher::pipeline
