#include "pipeline/export/model_export.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "pipeline/export/flat_object.h"
#include "pipeline/input/whole_line.h"
#include "pipeline/model/bad_examples.h"
#include "pipeline/model/each_example.h"
#include "pipeline/model/globals.h"
#include "pipeline/model/identity.h"
#include "pipeline/model/soundness.h"
#include "pipeline/model/store_error.h"
#include "pipeline/opening/opening.h"
#include "storage/example_log.h"
#include "storage/stream_digest.h"
#include "storage/walk.h"
#include "tokenizer/feature_decoder.h"

namespace thresher::pipeline {
namespace {

using nlohmann::ordered_json;

std::string_view LabelName(const storage::Example& example) {
  return storage::IsForgotten(example) ? "forgotten" : NameOf(LabelOf(example));
}

class Exporter {
 public:
  Exporter(const storage::Database& database, const storage::ExampleLog& log, const ModelIdentity& identity,
           const std::function<void(std::string_view)>& write)
      : database_(&database),
        log_(&log),
        identity_(&identity),
        decoder_(identity.MakeDecoder()),
        globals_(*identity.learner),
        write_(&write) {}

  Result<void> Export() {
    WriteHead();
    for (const auto step : {&Exporter::WriteState, &Exporter::WriteRows, &Exporter::WriteKeptExamples,
                            &Exporter::WriteExamples}) {
      if (auto done = (this->*step)(); !done) return done;
    }
    (*write_)(LineOf({{"rows", rows_}, {"kept", kept_}, {"examples", examples_}, {"xxh3", digest_.Hex()}}));
    return {};
  }

 private:
  void Write(const ordered_json& object) {
    const std::string line = LineOf(object);
    digest_.Add(line);
    (*write_)(line);
  }
  void WriteHead();
  Result<void> WriteState();
  Result<void> WriteRows();
  Result<void> WriteKeptExamples();
  Result<void> WriteExamples();
  std::optional<Error> WriteRow(const storage::StoredRow& stored);
  std::optional<Error> WriteKept(const storage::StoredExample& stored);
  std::optional<Error> WriteExample(const storage::StoredExample& stored);
  std::optional<Error> WriteTaught(std::string_view number, const storage::StoredExample& stored);

  // Calls write(item) for each item of the walk, until write reports damage.
  template <class Walk, class WriteItem>
  Result<void> ForEach(Walk walk, WriteItem write);

  const storage::Database* database_;
  const storage::ExampleLog* log_;
  const ModelIdentity* identity_;
  tokenizer::FeatureDecoder decoder_;
  ModelGlobals globals_;
  const std::function<void(std::string_view)>* write_;
  storage::StreamDigest digest_;
  uint64_t rows_ = 0;
  uint64_t kept_ = 0;
  uint64_t examples_ = 0;
  uint64_t last_seq_ = 0;
};

void Exporter::WriteHead() {
  Write({{"form", kExportForm}, {"version", kExportVersion}});
  for (const auto& [name, text] : database_->meta()) {
    if (name == kFollows) continue;  // what is imported follows no log
    ordered_json line;
    SetText("name", name, &line);
    SetText("text", text, &line);
    Write(line);
  }
}

Result<void> Exporter::WriteState() {
  const auto stored = database_->ReadGlobals();
  if (!stored) return StoreFailure(stored.error());
  const auto applied = database_->ReadAppliedSeq();
  if (!applied) return StoreFailure(applied.error());
  const bool sound = stored->empty() || (globals_.Assign(std::as_bytes(std::span(*stored))) &&
                                         globals_.AreSound(*identity_->learner));
  if (!sound) return tl::unexpected(CorruptStore("the globals are not valid for its learner"));
  const storage::LogExtent extent = log_->extent();
  ordered_json line = {{"applied", *applied}, {"first", extent.first_seq}, {"log_bytes", extent.bytes}};
  SetHex("globals", *stored, &line);
  Write(line);
  return {};
}

template <class Walk, class WriteItem>
Result<void> Exporter::ForEach(Walk walk, WriteItem write) {
  return WalkUntilError([&](const auto& pass) { return walk(*database_, pass); },
                        [&](const auto& item) -> Result<bool> {
                          if (const auto failure = (this->*write)(item)) return tl::unexpected(*failure);
                          return true;
                        });
}

Result<void> Exporter::WriteRows() { return ForEach(storage::WalkRows, &Exporter::WriteRow); }
Result<void> Exporter::WriteKeptExamples() {
  return ForEach(storage::WalkKeptExamples, &Exporter::WriteKept);
}
Result<void> Exporter::WriteExamples() { return ForEach(storage::WalkExamples, &Exporter::WriteExample); }

std::optional<Error> Exporter::WriteRow(const storage::StoredRow& stored) {
  if (!stored.id || !stored.row) return CorruptStore("a text has no row, or no id");
  const learners::Learner& learner = *identity_->learner;
  const std::string_view text = stored.text.value_or("");
  auto wrong = WrongWithRow(*stored.row, learner, globals_);
  if (!wrong) wrong = WrongWithText(*stored.id, text, *stored.row, learner, globals_, decoder_.id_space());
  if (wrong) return CorruptStore(fmt::format("feature {:016x}: {}", *stored.id, *wrong));
  const auto* row = reinterpret_cast<const std::byte*>(stored.row->data());
  const learners::Counts counts = learners::Learner::CountsOf(row);
  ordered_json line = {{"id", fmt::format("{:016x}", *stored.id)}};
  SetText("text", tokenizer::IdSpace::IsNgram(*stored.id) ? decoder_.id_space().NgramText(*stored.id) : text,
          &line);
  line["weight"] = learner.Weight(row, globals_.learner());
  line["ham"] = counts.ham;
  line["spam"] = counts.spam;
  SetHex("row", *stored.row, &line);
  Write(line);
  ++rows_;
  return std::nullopt;
}

std::optional<Error> Exporter::WriteKept(const storage::StoredExample& stored) {
  ++kept_;
  return WriteTaught("kept", stored);
}

std::optional<Error> Exporter::WriteExample(const storage::StoredExample& stored) {
  if (stored.seq && last_seq_ != 0 && *stored.seq != last_seq_ + 1)
    return CorruptStore(fmt::format("example {} is missing", last_seq_ + 1));
  last_seq_ = stored.seq.value_or(0);
  ++examples_;
  return WriteTaught("seq", stored);
}

std::optional<Error> Exporter::WriteTaught(std::string_view number, const storage::StoredExample& stored) {
  if (!stored.seq) return CorruptStore("an example has no number");
  if (!stored.example) return BadExampleError(*stored.seq, "it does not match its checksum");
  const storage::Example& example = *stored.example;
  if (const auto wrong = WrongWithExample(example, decoder_)) return BadExampleError(*stored.seq, *wrong);
  constexpr size_t kOthers = size_t{1} << 20;  // bytes of what is not features: some thousands
  if (2 * example.features.size() + kOthers > kLongestLine) {
    return Error{kData,
                 fmt::format("example {} has {} bytes, which no import would take: forget its message, "
                             "and teach it with smaller limits.*",
                             *stored.seq, example.features.size())};
  }
  ordered_json line = {{number, *stored.seq},
                       {"time", example.time_us},
                       {"label", LabelName(example)},
                       {"evidence", example.evidence}};
  SetText("message_id", example.message_id, &line);
  SetText("digest", example.digest, &line);
  SetHex("features", example.features, &line);
  Write(line);
  return std::nullopt;
}

}  // namespace

Result<void> ExportModel(const std::filesystem::path& dir, const Settings& settings,
                         const std::function<void(std::string_view line)>& write) {
  const auto model = OpenStored(dir, settings);
  if (!model) return tl::unexpected(model.error());
  return Exporter(*model->database, storage::ExampleLog(*model->database), model->identity, write).Export();
}

}  // namespace thresher::pipeline
