#include "pipeline/export/model_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "pipeline/export/export_lines.h"
#include "pipeline/export/model_export.h"
#include "pipeline/model/globals.h"
#include "pipeline/model/identity.h"
#include "pipeline/model/soundness.h"
#include "pipeline/model/store_error.h"
#include "pipeline/opening/agreement.h"
#include "pipeline/opening/opening.h"
#include "storage/new_model.h"
#include "tokenizer/ascii.h"
#include "tokenizer/feature_decoder.h"

namespace thresher::pipeline {
namespace {

// Far more than any model has: they are in memory until all of them are known to be sound.
constexpr size_t kMostNames = 100;
constexpr size_t kMostMetaBytes = size_t{1} << 20;

// An id in the form of an export: "0011aabb…".
std::optional<uint64_t> IdOf(const FlatObject& line) {
  const auto text = line.Text("id");
  if (!text || text->size() != 16 || text->find_first_not_of(tokenizer::kHexDigits) != std::string::npos)
    return std::nullopt;
  return std::stoull(*text, nullptr, 16);
}

std::optional<int8_t> LabelOf(const FlatObject& line) {
  const auto text = line.Text("label");
  if (text == "spam") return int8_t{1};
  if (text == "ham") return int8_t{-1};
  if (text == "forgotten") return int8_t{0};
  return std::nullopt;
}

class Importer {
 public:
  Importer(ExportLines* lines, storage::NewModel* model, const Settings& settings)
      : lines_(lines), model_(model), settings_(&settings) {}

  // The steps are in the order of the lines of an export.
  Result<Imported> Import() {
    for (const auto step :
         {&Importer::ReadForm, &Importer::ReadMeta, &Importer::ReadState, &Importer::ReadRows,
          &Importer::ReadKeptExamples, &Importer::ReadExamples, &Importer::ReadEnd}) {
      if (auto done = (this->*step)(); !done) return tl::unexpected(done.error());
    }
    if (auto finished = model_->Finish(); !finished) return StoreFailure(finished.error());
    return imported_;
  }

 private:
  // Reads the next line into line_.
  Result<void> Advance();
  tl::unexpected<Error> Wrong(std::string_view what) const { return tl::unexpected(lines_->Wrong(what)); }
  Result<void> Stored(const storage::Result<void>& result) const {
    return result ? Result<void>() : StoreFailure(result.error());
  }

  Result<void> ReadForm();
  Result<void> ReadMeta();
  Result<void> ReadState();
  Result<void> ReadRows();
  Result<void> ReadRow();
  Result<void> ReadKeptExamples();
  Result<void> ReadExamples();
  Result<void> ReadExample();
  // The example on the line; `number` names its number.
  Result<storage::Example> ReadTaught(std::string_view number) const;
  Result<void> ReadEnd();

  const learners::Learner& learner() const { return *identity_.learner; }

  ExportLines* lines_;
  storage::NewModel* model_;
  const Settings* settings_;
  FlatObject line_;
  ModelIdentity identity_;
  std::optional<tokenizer::FeatureDecoder> decoder_;
  std::optional<ModelGlobals> globals_;
  uint64_t applied_seq_ = 0;
  uint64_t first_seq_ = 1;
  uint64_t log_bytes_ = 0;
  uint64_t counted_bytes_ = 0;  // of examples in the weights
  std::optional<uint64_t> last_id_;
  uint64_t last_seq_ = 0;
  Imported imported_;
};

Result<void> Importer::Advance() {
  auto next = lines_->Next();
  if (!next) return tl::unexpected(next.error());
  if (!*next) return Wrong("the export ends before its last line: it is incomplete");
  line_ = **std::move(next);
  return {};
}

Result<void> Importer::ReadForm() {
  if (auto read = Advance(); !read) return read;
  if (line_.Text("form") != kExportForm) return Wrong("this is not the export of a model");
  const auto version = line_.Unsigned("version");
  if (!version || *version == 0 || *version > kExportVersion)
    return Wrong(fmt::format("the export has version {}, this program reads versions 1 to {}",
                             version ? std::to_string(*version) : "unknown", kExportVersion));
  return Advance();
}

Result<void> Importer::ReadMeta() {
  storage::Meta meta;
  size_t bytes = 0;
  while (line_.Has("name")) {
    const auto name = line_.Text("name");
    const auto text = line_.Text("text");
    if (name && text) bytes += name->size() + text->size();
    if (meta.size() == kMostNames || bytes > kMostMetaBytes) {
      return Wrong(fmt::format("a model has at most {} names, and {} bytes of them and their texts",
                               kMostNames, kMostMetaBytes));
    }
    if (!name || !text || !meta.emplace(*name, *text).second)
      return Wrong("expected a name that has not occurred before, and its text");
    if (auto read = Advance(); !read) return read;
  }
  auto identity = ReadCheckedIdentity(meta, *settings_);
  if (!identity)
    return tl::unexpected(Error{identity.error().exit_code, lines_->Wrong(identity.error().message).message});
  identity_ = *std::move(identity);
  decoder_.emplace(identity_.MakeDecoder());
  globals_.emplace(learner());
  return Stored(model_->PutMeta(meta));
}

Result<void> Importer::ReadState() {
  const auto applied = line_.Unsigned("applied");
  const auto first = line_.Unsigned("first");
  const auto log_bytes = line_.Unsigned("log_bytes");
  const auto globals = line_.Hex("globals");
  if (!applied || !first || !log_bytes || !globals)
    return Wrong("expected applied, first, log_bytes and globals");
  applied_seq_ = *applied;
  first_seq_ = *first;
  log_bytes_ = *log_bytes;
  if (globals->empty() && *applied == 0) {  // a model before its first checkpoint
    if (*first != 1 || *log_bytes != 0) return Wrong("nothing can have expired before the first checkpoint");
    return Advance();
  }
  if (!globals_->Assign(std::as_bytes(std::span(*globals))) || !globals_->AreSound(learner()))
    return Wrong(fmt::format("the globals are not valid for {}", learner().Name()));
  if (auto put = model_->PutState(*globals, *applied, {*first, *log_bytes}); !put)
    return StoreFailure(put.error());
  return Advance();
}

Result<void> Importer::ReadRows() {
  while (line_.Has("id")) {
    if (auto read = ReadRow(); !read) return read;
    if (auto read = Advance(); !read) return read;
  }
  return {};
}

Result<void> Importer::ReadRow() {
  const auto id = IdOf(line_);
  const auto row = line_.Hex("row");
  auto text = line_.Text("text");
  if (!id || !row || !text) return Wrong("expected an id of 16 digits, a text and a row");
  if (last_id_ && *id <= *last_id_) return Wrong("ids must ascend");
  last_id_ = id;
  if (const auto wrong = WrongWithRow(*row, learner(), *globals_)) return Wrong(*wrong);
  if (tokenizer::IdSpace::IsNgram(*id)) {
    if (*text != decoder_->id_space().NgramText(*id)) return Wrong("its text is another feature's");
    text->clear();  // the id determines it
  }
  if (const auto wrong = WrongWithText(*id, *text, *row, learner(), *globals_, decoder_->id_space()))
    return Wrong(*wrong);
  ++imported_.rows;
  return Stored(model_->PutRow(*id, *row, *text));
}

Result<void> Importer::ReadKeptExamples() {
  uint64_t last = 0;
  while (line_.Has("kept") && !line_.Has("xxh3")) {
    const auto example = ReadTaught("kept");
    if (!example) return tl::unexpected(example.error());
    if (example->seq <= last || example->seq >= first_seq_)
      return Wrong("numbers of kept examples must ascend, and be those of expired examples");
    last = example->seq;
    ++imported_.kept;
    if (auto put = model_->PutKept(*example); !put) return StoreFailure(put.error());
    if (auto read = Advance(); !read) return read;
  }
  return {};
}

Result<void> Importer::ReadExamples() {
  while (line_.Has("seq")) {
    if (auto read = ReadExample(); !read) return read;
    if (auto read = Advance(); !read) return read;
  }
  return {};
}

Result<storage::Example> Importer::ReadTaught(std::string_view number) const {
  const auto seq = line_.Unsigned(number);
  const auto time = line_.Signed("time");
  const auto label = LabelOf(line_);
  const auto evidence = line_.Unsigned("evidence");
  auto message_id = line_.Text("message_id");
  auto digest = line_.Text("digest");
  auto features = line_.Hex("features");
  if (!seq || !time || !label || !evidence || !message_id || !digest || !features)
    return Wrong(
        "expected seq, time, label (ham, spam or forgotten), evidence, message_id, digest and features");
  if (*evidence > std::numeric_limits<uint8_t>::max()) return Wrong("why it was taught is not known");
  if (message_id->size() + digest->size() > storage::kLongestMessageKey)
    return Wrong(fmt::format("a message key has at most {} bytes", storage::kLongestMessageKey));
  storage::Example example{*seq,
                           *time,
                           *label,
                           static_cast<uint8_t>(*evidence),
                           *std::move(message_id),
                           *std::move(digest),
                           *std::move(features)};
  if (const auto wrong = WrongWithExample(example, *decoder_)) return Wrong(*wrong);
  return example;
}

Result<void> Importer::ReadExample() {
  const auto example = ReadTaught("seq");
  if (!example) return tl::unexpected(example.error());
  const uint64_t seq = example->seq;
  const uint64_t due = last_seq_ == 0 ? first_seq_ : last_seq_ + 1;
  if (seq == 0 || seq != due || seq > kMostExamples)
    return Wrong("examples must be numbered without gaps, from the first one kept");
  last_seq_ = seq;
  ++imported_.examples;
  if (seq <= applied_seq_) counted_bytes_ += storage::LoggedBytes(*example);
  return Stored(model_->PutExample(*example));
}

Result<void> Importer::ReadEnd() {
  if (!line_.Has("xxh3")) return Wrong("expected a row, an example or the last line, in this order");
  if (line_.Unsigned("rows") != imported_.rows || line_.Unsigned("examples") != imported_.examples ||
      line_.Unsigned("kept").value_or(0) != imported_.kept)
    return Wrong(
        fmt::format("there are {} rows, {} kept examples and {} examples, but the last line says "
                    "otherwise",
                    imported_.rows, imported_.kept, imported_.examples));
  if (line_.Text("xxh3") != lines_->DigestBefore())
    return Wrong("the lines above do not match their checksum");
  if (first_seq_ == 0 || first_seq_ > std::max<uint64_t>(last_seq_, 1) || log_bytes_ != counted_bytes_)
    return Wrong("first and log_bytes do not match the examples");
  if (applied_seq_ > last_seq_) return Wrong("applied is the number of an example that is missing");
  const auto more = lines_->Next();
  if (!more || *more) return Wrong("there is data after the last line");
  return {};
}

}  // namespace

Result<Imported> ImportModel(const std::string& path, const std::filesystem::path& dir,
                             const Settings& settings) {
  if (auto is_store = CheckIsStore(dir.parent_path()); !is_store) return tl::unexpected(is_store.error());
  auto lines = ExportLines::Open(path);
  if (!lines) return tl::unexpected(lines.error());
  const auto model = storage::NewModel::Begin(dir);
  if (!model) return StoreFailure(model.error());
  return Importer(&*lines, model->get(), settings).Import();
}

}  // namespace thresher::pipeline
