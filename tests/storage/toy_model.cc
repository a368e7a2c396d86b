#include "tests/storage/toy_model.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <span>
#include <utility>

#include "storage/database_impl.h"

namespace thresher::storage {
namespace {

constexpr size_t kFeatures = 24;
constexpr uint64_t kUniverse = 3000;

ToyRow RowAt(const std::byte* row) {
  ToyRow values;
  std::memcpy(values.data(), row, sizeof values);
  return values;
}

bool IsLive(const std::byte* row) { return RowAt(row) != ToyRow{}; }
bool HasWeight(const std::byte* row) { return ToyHasWeight(RowAt(row)); }

ToyRow Taught(ToyRow row, uint64_t seq) {
  row = {row[0] + 1, row[1] * 31 + seq};
  return row[1] % 7 == 0 ? ToyRow{} : row;
}

}  // namespace

bool ToyHasWeight(const ToyRow& row) { return row[0] % 3 != 0; }

std::vector<uint64_t> ToyIds(uint64_t seq) {
  std::mt19937_64 random(seq);
  std::vector<uint64_t> ids;
  while (ids.size() < kFeatures) {
    const uint64_t word = std::min(random() % kUniverse, random() % kUniverse);
    const uint64_t id = (word + 1) * 0xD6E8FEB86659FD93U;
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
  return ids;
}

std::string ToyText(uint64_t id) { return id % 3 == 0 ? "" : "word:" + std::to_string(id); }

Example ToyExample(uint64_t seq) {
  Example example;
  example.time_us = static_cast<int64_t>(seq) * 1000;
  example.label = seq % 2 == 0 ? int8_t{1} : int8_t{-1};
  example.message_id = std::to_string(seq % 100) + "@example.org";
  example.digest = std::to_string(seq % 1000);
  const std::vector<uint64_t> ids = ToyIds(seq);
  example.features.assign(reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof ids[0]);
  example.features.append(seq % 5 * 400, 'x');
  return example;
}

void ToyTwin::LearnUpTo(uint64_t seq) {
  while (seq_ < seq) {
    ++seq_;
    for (const uint64_t id : ToyIds(seq_)) {
      const ToyRow row = Taught(rows_[id], seq_);
      if (row == ToyRow{}) {
        rows_.erase(id);
      } else {
        rows_[id] = row;
      }
    }
  }
}

ToyModel::ToyModel(std::unique_ptr<Database> database)
    : database_(std::move(database)), log_(*database_), weights_(*database_, sizeof(ToyRow)) {}

Result<std::unique_ptr<ToyModel>> ToyModel::Join(Result<std::unique_ptr<Database>> database) {
  if (!database) return tl::unexpected(database.error());
  std::unique_ptr<ToyModel> model(new ToyModel(*std::move(database)));
  const auto applied = model->database_->ReadAppliedSeq();
  if (!applied) return tl::unexpected(applied.error());
  model->applied_seq_ = *applied;
  return model;
}

Result<std::unique_ptr<ToyModel>> ToyModel::OpenOrCreate(const std::filesystem::path& dir,
                                                         Durability durability) {
  auto model = Join(Database::OpenOrCreate(dir, {{"learner", "toy"}}, durability, std::chrono::seconds(20)));
  if (!model) return model;
  if (auto recovered = (*model)->Recover(); !recovered) return tl::unexpected(recovered.error());
  return model;
}

Result<std::unique_ptr<ToyModel>> ToyModel::OpenForReading(const std::filesystem::path& dir) {
  return Join(Database::OpenForReading(dir));
}

Result<uint64_t> ToyModel::Learn() {
  auto seq = log_.Append(ToyExample(log_.last_seq() + 1));
  if (!seq) return seq;
  if (auto applied = Apply(*seq); !applied) return tl::unexpected(applied.error());
  return seq;
}

Result<void> ToyModel::Apply(uint64_t seq) {
  const std::vector<uint64_t> ids = ToyIds(seq);
  FoundRows found;
  if (auto done = weights_.Find(ids, &found); !done) return done;
  std::vector<std::string> texts;
  std::transform(ids.begin(), ids.end(), std::back_inserter(texts), ToyText);
  const auto rows = weights_.Touch(found);
  if (!rows) return tl::unexpected(rows.error());
  weights_.KeepTexts(found, std::vector<uint8_t>(ids.size(), 1),
                     [&texts](size_t i) -> std::string_view { return texts[i]; });
  for (std::byte* row : *rows) {
    ToyRow values;
    std::memcpy(values.data(), row, sizeof values);
    values = Taught(values, seq);
    std::memcpy(row, values.data(), sizeof values);
  }
  applied_seq_ = seq;
  return {};
}

Result<void> ToyModel::Recover() {
  Result<void> applied;
  auto read = log_.Read(applied_seq_, [&](const Example& example) {
    applied = Apply(example.seq);
    return applied.has_value();
  });
  return read ? applied : read;
}

Result<void> ToyModel::Checkpoint(Way way) {
  DatabaseAccess::ImplOf(*database_).set_largest_batch(way == Way::kBatch ? SIZE_MAX : 0);
  const std::string globals = "globals after " + std::to_string(applied_seq_);
  auto counts = weights_.Checkpoint(std::as_bytes(std::span(globals)), applied_seq_, IsLive, HasWeight);
  if (!counts) return tl::unexpected(counts.error());
  return {};
}

Result<std::map<uint64_t, ToyRow>> ToyModel::Rows() {
  if (auto loaded = weights_.LoadAll(); !loaded) return tl::unexpected(loaded.error());
  std::map<uint64_t, ToyRow> rows;
  weights_.ForEach([&rows](uint64_t id, const std::byte* row) {
    if (IsLive(row)) std::memcpy(rows[id].data(), row, sizeof(ToyRow));
  });
  return rows;
}

}  // namespace thresher::storage
