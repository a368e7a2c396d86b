#include "pipeline/trec/replay.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "pipeline/input/file_reader.h"
#include "pipeline/input/in_order.h"
#include "pipeline/model/self_training.h"
#include "tokenizer/feature_codec.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

// A message that one thread has tokenised, and encoded for the log, and another will learn.
struct Prepared {
  tokenizer::Features features;
  std::string encoded;
  uint64_t bytes = 0;
  std::optional<Error> error;  // reading it failed
};

// Few messages have more; each of the items that are prepared ahead would otherwise keep the memory of the
// largest.
constexpr size_t kManyFeatures = 4096;
constexpr size_t kLargeExample = size_t{256} << 10;  // bytes

class Replayer {
 public:
  Replayer(Model& model, const TrecIndex& index, const ReplayOptions& options,
           const std::function<void(const ReplayedMessage&)>& on_classified)
      : model_(model),
        inspection_(model.Inspect()),
        index_(index),
        options_(options),
        on_classified_(on_classified),
        id_space_(model.identity().MakeIdSpace()),
        buffers_(options.threads) {
    for (size_t thread = 0; thread < options.threads; ++thread)
      tokenizers_.push_back(model.identity().MakeTokenizer());
    std::unordered_set<std::string_view> trained;
    for (const TrecEntry& entry : index.entries) {
      if (entry.train && !trained.insert(entry.path).second) trained_again_.insert(entry.path);
    }
  }

  Result<ReplayReport> Run() {
    ForEachInOrder<Prepared>(
        index_.entries.size(), options_.threads,
        [this](size_t thread, size_t i, Prepared& item) { Prepare(thread, i, item); },
        [this](size_t i, Prepared& item) { return Consume(i, item); });
    // The last checkpoint takes memory of its own.
    tokenizers_.clear();
    buffers_.clear();
    buffers_.shrink_to_fit();
    if (auto done = model_.Finish(); !done && !failure_) failure_ = done.error();
    if (failure_) return tl::unexpected(*failure_);
    return std::move(report_);
  }

 private:
  void Prepare(size_t thread, size_t i, Prepared& item) {
    std::string& bytes = buffers_[thread];
    const auto read = ReadFile(index_.FileOf(index_.entries[i]), &bytes);
    item.error.reset();
    if (!read) {
      item.error = read.error();
      return;
    }
    item.bytes = bytes.size();
    tokenizers_[thread].Tokenize(bytes, options_.kind, &item.features, UserOf(index_.entries[i]));
    item.features.truncated |= *read == Extent::kCut;
    item.encoded.clear();
    if (index_.entries[i].train) tokenizer::EncodeFeatures(item.features, id_space_, &item.encoded);
  }

  std::string_view UserOf(const TrecEntry& entry) const {
    return options_.personal ? std::string_view(entry.user) : std::string_view();
  }

  bool Consume(size_t i, Prepared& item) {
    const auto done = ReplayEntry(i, item);
    if (!done) failure_ = done.error();
    if (item.features.size() > kManyFeatures || item.encoded.size() > kLargeExample) {
      Prepared fresh;
      std::swap(item, fresh);  // a string that an empty one is assigned to would keep its memory
    }
    return done.has_value();
  }

  Result<void> ReplayEntry(size_t i, const Prepared& item) {
    if (options_.on_progress) options_.on_progress(i + 1);
    if (options_.interrupts != nullptr && options_.interrupts->IsPending())
      return tl::unexpected(Error{kInternal, "interrupted"});
    if (auto noted = NoteCheckpoint(); !noted) return noted;
    const TrecEntry& entry = index_.entries[i];
    if (item.error) return NoteUnreadable(entry, *item.error);
    ++report_.entries;
    report_.bytes += item.bytes;
    report_.features += item.features.size();
    if (item.features.truncated && !IsSecondOfLine(entry)) report_.truncated.push_back(entry.line);
    const Result<Stepped> step = Step(entry, item);
    if (!step) return tl::unexpected(step.error());
    if (!entry.classify) return {};
    const Score& score = *step->score;
    const Verdict verdict = VerdictOf(score, options_.thresholds);
    if (!step->taught) {
      if (auto done = SelfTrain(entry, item.features, verdict, score.probability); !done) return done;
    }
    if (options_.feedback != Feedback::kAll)
      is_wanted_[entry.line] = Wants(options_.feedback, verdict, entry.is_spam);
    ++report_.classified;
    if (verdict == Verdict::kUnsure) ++(entry.is_spam ? report_.unsure_spam : report_.unsure_ham);
    on_classified_({i, score, entry.is_spam, verdict});
    return {};
  }

  // The late feedback of a line that was replayed before (stress.h).
  static bool IsSecondOfLine(const TrecEntry& entry) { return entry.answers == entry.line; }

  Result<void> NoteUnreadable(const TrecEntry& entry, const Error& error) {
    if (IsSecondOfLine(entry)) return {};
    report_.unreadable.push_back(fmt::format("{}:{}: {}", index_.path, entry.line, error.message));
    if (!options_.stop_at_missing) return {};
    return tl::unexpected(Error{kNoInput, report_.unreadable.back()});
  }

  // The model as of the last checkpoint, if there has been one since the last call.
  Result<void> NoteCheckpoint() {
    const uint64_t last = inspection_.log().checkpoint_seq;
    if (last == checkpoint_seq_) return {};
    checkpoint_seq_ = last;
    const auto model = inspection_.Statistics();
    if (!model) return tl::unexpected(model.error());
    report_.curve.push_back({.examples = report_.taught,
                             .classified = report_.classified,
                             .nonzeros = model->nonzeros,
                             .l1_norm = model->l1_norm,
                             .stored_rows = model->stored_rows});
    return {};
  }

  Result<void> NoteSize() {
    if (options_.size_every == 0 || report_.taught % options_.size_every != 0) return {};
    const auto model = inspection_.Statistics();
    if (!model) return tl::unexpected(model.error());
    report_.sizes.push_back({report_.taught, model->nonzeros});
    return {};
  }

  struct Stepped {
    std::optional<Score> score;  // before the message was taught; always there if it is to be classified
    bool taught;
  };

  // Classifies and learns, as the entry and the feedback say. Learning computes the score first, so most
  // messages are looked up once; where the verdict decides whether the message is learned, twice.
  Result<Stepped> Step(const TrecEntry& entry, const Prepared& item) {
    const tokenizer::Features& features = item.features;
    const auto untaught = [](const Score& score) { return Stepped{score, false}; };
    if (!entry.train) return model_.Classify(features).map(untaught);
    const auto answered = is_wanted_.find(entry.answers);
    // What got no verdict is no reply to one: it is taught as where all get feedback.
    const bool has_verdict = entry.classify || answered != is_wanted_.end();
    const Feedback feedback = has_verdict ? options_.feedback : Feedback::kAll;
    const bool is_reply = IsReply(feedback, inspection_.taught());
    if (entry.classify && is_reply) {
      const auto score = model_.Classify(features);
      if (!score || !Wants(feedback, VerdictOf(*score, options_.thresholds), entry.is_spam))
        return score.map(untaught);
    }
    if (!entry.classify && is_reply && !answered->second) return Stepped{std::nullopt, false};
    return Teach(entry, item, EvidenceInReplay(feedback, is_reply));
  }

  // `evidence`: if the message was not taught under the other label.
  Result<Stepped> Teach(const TrecEntry& entry, const Prepared& item, Evidence evidence) {
    const tokenizer::MessageKey key = KeyOf(entry);
    const Label label = entry.taught_spam ? Label::kSpam : Label::kHam;
    const auto before =
        trained_again_.contains(entry.path) ? model_.Messages().LabelOf(key) : Result<std::optional<Label>>();
    if (!before) return tl::unexpected(before.error());
    if (*before && **before != label) evidence = Evidence::kCorrection;
    const auto learned = model_.Learn(item.features, key, {label, evidence}, {.encoded = item.encoded});
    if (!learned) return tl::unexpected(learned.error());
    ++report_.taught;
    report_.updated += learned->updated ? 1 : 0;
    if (auto noted = NoteSize(); !noted) return tl::unexpected(noted.error());
    return Stepped{learned->before, true};
  }

  // Teaches what the model says of a message that gets no feedback, if it is sure and the options want it.
  Result<void> SelfTrain(const TrecEntry& entry, const tokenizer::Features& features, Verdict verdict,
                         double probability) {
    const std::optional<Label> label = LabelByVerdict(verdict, probability, options_.self_train);
    if (!label) return {};
    const auto learned = model_.Learn(features, KeyOf(entry), {*label, Evidence::kSelf});
    if (!learned) return tl::unexpected(learned.error());
    ++report_.self_taught;
    report_.self_wrong += entry.is_spam != (*label == Label::kSpam) ? 1 : 0;
    trained_again_.insert(entry.path);
    return {};
  }

  tokenizer::MessageKey KeyOf(const TrecEntry& entry) const {
    return {tokenizer::MessageIdOf(UserOf(entry), entry.path), ""};
  }

  Model& model_;
  Inspection inspection_;
  const TrecIndex& index_;
  const ReplayOptions& options_;
  const std::function<void(const ReplayedMessage&)>& on_classified_;
  const tokenizer::IdSpace id_space_;
  std::vector<std::string> buffers_;  // one per thread
  std::vector<tokenizer::Tokenizer> tokenizers_;
  std::unordered_set<std::string_view> trained_again_;  // paths
  // Of the lines that were classified: whether there is feedback on the verdict. Empty where there is on all.
  std::unordered_map<size_t, bool> is_wanted_;
  ReplayReport report_;
  uint64_t checkpoint_seq_ = 0;
  std::optional<Error> failure_;
};

}  // namespace

Result<ReplayReport> Replay(Model& model, const TrecIndex& index, const ReplayOptions& options,
                            const std::function<void(const ReplayedMessage&)>& on_classified) {
  return Replayer(model, index, options, on_classified).Run();
}

}  // namespace thresher::pipeline
