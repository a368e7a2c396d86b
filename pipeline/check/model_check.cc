#include "pipeline/check/model_check.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "pipeline/check/image_comparison.h"
#include "pipeline/model/globals.h"
#include "pipeline/model/identity.h"
#include "pipeline/model/soundness.h"
#include "pipeline/model/store_error.h"
#include "pipeline/opening/opening.h"
#include "storage/database.h"
#include "storage/example_log.h"
#include "storage/walk.h"
#include "tokenizer/feature_decoder.h"

namespace thresher::pipeline {
namespace {

class Checker {
 public:
  Checker(const storage::Database& database, storage::ExampleLog log, const ModelIdentity& identity)
      : database_(&database),
        log_(log),
        identity_(&identity),
        decoder_(identity.MakeDecoder()),
        globals_(*identity.learner) {
    check_.learner = identity.learner->Name();
    check_.row_bytes = identity.learner->RowBytes();
    check_.log_of_messages = identity.features.keep_message;
    check_.first_seq = due_seq_ = log.extent().first_seq;
    check_.last_seq = log.last_seq();
  }

  void CheckFiles(const std::filesystem::path& dir) {
    check_.files =
        storage::VerifyFileChecksums(*database_, [this](const storage::Error& error) { Note(error); });
    ComplainOf(storage::Database::CheckLog(dir));
  }
  void CheckGlobals();
  void CheckRows(const ImageComparison::Source& image);
  void CheckExamples(const OnExample& on_progress);
  void CheckKeptExamples();
  void CheckMessageKeys();

  Result<ModelCheck> Take() {
    if (failure_ && check_.wrong_in_all == 0) return StoreFailure(*failure_);
    if (failure_) Complain("not all could be checked: " + failure_->message);
    return std::move(check_);
  }

 private:
  void Complain(std::string what);
  // Complains of damage. What cannot be read for another reason may be whole.
  void Note(const storage::Error& error);
  void ComplainOfRow(uint64_t id, const std::optional<std::string>& what);
  template <class T>
  void ComplainOf(const storage::Result<T>& result) {
    if (!result) Note(result.error());
  }
  void CheckRow(const storage::StoredRow& stored, ImageComparison* image);
  void CheckExample(const storage::StoredExample& stored);
  void CheckKeyOf(const storage::Example& example);
  void CheckMessageKey(const storage::StoredMessageKey& key);

  const storage::Database* database_;
  storage::ExampleLog log_;
  const ModelIdentity* identity_;
  tokenizer::FeatureDecoder decoder_;
  std::string stored_globals_;
  ModelGlobals globals_;
  bool globals_sound_ = true;
  uint64_t due_seq_ = 1;                   // of the next example
  uint64_t logged_bytes_ = 0;              // of examples in the weights
  std::optional<storage::Error> failure_;  // why something could not be checked
  ModelCheck check_;
};

void Checker::Complain(std::string what) {
  ++check_.wrong_in_all;
  if (check_.wrong.size() < ModelCheck::kMostListed) check_.wrong.push_back(std::move(what));
}

void Checker::Note(const storage::Error& error) {
  using Kind = storage::ErrorKind;
  if (error.kind == Kind::kCorrupt || error.kind == Kind::kMissing) {
    Complain(error.message);
  } else if (!failure_) {
    failure_ = error;
  }
}

void Checker::ComplainOfRow(uint64_t id, const std::optional<std::string>& what) {
  if (what) Complain(fmt::format("feature {:016x}: {}", id, *what));
}

void Checker::CheckGlobals() {
  const auto stored = database_->ReadGlobals();
  const auto applied = database_->ReadAppliedSeq();
  ComplainOf(stored);
  ComplainOf(applied);
  check_.applied_seq = applied.value_or(0);
  if (check_.applied_seq > check_.last_seq)
    Complain(fmt::format("the weights are those after example {}, but the log ends at {}", *applied,
                         check_.last_seq));
  stored_globals_ = stored.value_or("");
  if (!stored) {
    globals_sound_ = false;
  } else if (stored->empty()) {
    if (check_.applied_seq > 0) Complain("there are no globals");
  } else if (!globals_.Assign(std::as_bytes(std::span(*stored)))) {
    globals_sound_ = false;
    Complain(
        fmt::format("the globals, {} bytes, do not have the form of {}'s", stored->size(), check_.learner));
  } else if (!globals_.AreSound(*identity_->learner)) {
    globals_sound_ = false;
    Complain(fmt::format("the globals are not valid for {}: a number is not finite or out of bounds",
                         check_.learner));
  }
}

void Checker::CheckRows(const ImageComparison::Source& source) {
  const learners::Learner& learner = *identity_->learner;
  // Without sound globals no row is compared.
  const auto has_weight = [&](const std::byte* row) {
    return globals_sound_ && learner.Weight(row, globals_.learner()) != 0;
  };
  ImageComparison image(source, *database_, std::as_bytes(std::span(stored_globals_)), check_.applied_seq,
                        learner.RowBytes(), has_weight);
  ComplainOf(storage::WalkRows(*database_, [&](const storage::StoredRow& stored) {
    CheckRow(stored, &image);
    return true;
  }));
  const auto [state, what] = image.Finish();
  check_.image = state;
  if (what) Complain(*what);
}

void Checker::CheckRow(const storage::StoredRow& stored, ImageComparison* image) {
  const learners::Learner& learner = *identity_->learner;
  check_.rows += stored.row ? 1 : 0;
  check_.texts += stored.text ? 1 : 0;
  if (!stored.id) return Complain("the key of a row or text is not a feature id");
  if (!stored.row) return ComplainOfRow(*stored.id, "it has a text, but no row");
  if (!globals_sound_) return;  // a row cannot be judged without them
  if (const auto wrong = WrongWithRow(*stored.row, learner, globals_))
    return ComplainOfRow(*stored.id, wrong);
  ComplainOfRow(*stored.id, WrongWithText(*stored.id, stored.text.value_or(""), *stored.row, learner,
                                          globals_, decoder_.id_space()));
  const auto* row = reinterpret_cast<const std::byte*>(stored.row->data());
  if (learner.Weight(row, globals_.learner()) == 0) return;
  ++check_.weights;
  image->Add(*stored.id, *stored.row);
}

void Checker::CheckExamples(const OnExample& on_progress) {
  const size_t wrong_before = check_.wrong_in_all;
  ComplainOf(storage::WalkExamples(*database_, [&](const storage::StoredExample& stored) {
    CheckExample(stored);
    on_progress(++check_.examples, check_.last_seq);
    return true;
  }));
  if (check_.wrong_in_all > wrong_before) return;  // then their sum is wrong as well
  if (logged_bytes_ != log_.extent().bytes)
    Complain(
        fmt::format("the examples in the weights have {} bytes, not {}", logged_bytes_, log_.extent().bytes));
}

void Checker::CheckExample(const storage::StoredExample& stored) {
  if (!stored.seq) return Complain("the key of an example is not a number");
  if (*stored.seq == 0) Complain("example 0: they are numbered from 1");
  if (*stored.seq != due_seq_)
    Complain(fmt::format("examples {} to {} are missing", due_seq_, *stored.seq - 1));
  due_seq_ = *stored.seq + 1;
  if (!stored.example) {
    ++check_.bad_examples;
    return Complain(fmt::format("example {} does not match its checksum", *stored.seq));
  }
  if (const auto wrong = WrongWithExample(*stored.example, decoder_)) {
    ++check_.bad_examples;
    Complain(fmt::format("example {}: {}", *stored.seq, *wrong));
  }
  if (*stored.seq <= check_.applied_seq) logged_bytes_ += storage::LoggedBytes(*stored.example);
  if (!storage::IsForgotten(*stored.example)) return CheckKeyOf(*stored.example);
  ++check_.forgotten;
}

void Checker::CheckKeyOf(const storage::Example& example) {
  const auto leads_to = log_.Find(example.message_id, example.digest);
  if (!leads_to) {
    Note(leads_to.error());
  } else if (!*leads_to) {
    Complain(fmt::format("example {}: its message key is not indexed", example.seq));
  } else if (**leads_to < example.seq) {
    Complain(fmt::format("example {}: its message key points to example {}, which is older", example.seq,
                         **leads_to));
  }
}

void Checker::CheckKeptExamples() {
  ComplainOf(storage::WalkKeptExamples(*database_, [this](const storage::StoredExample& stored) {
    const auto wrong = !stored.example ? std::optional<std::string>("it does not match its checksum")
                                       : WrongWithExample(*stored.example, decoder_);
    check_.bad_examples += wrong ? 1 : 0;
    if (wrong)
      Complain(fmt::format("example {}, which has expired and is rehearsed: {}", *stored.seq, *wrong));
    return true;
  }));
}

void Checker::CheckMessageKeys() {
  ComplainOf(storage::WalkMessageKeys(*database_, [this](const storage::StoredMessageKey& key) {
    ++check_.message_keys;
    CheckMessageKey(key);
    return true;
  }));
}

void Checker::CheckMessageKey(const storage::StoredMessageKey& key) {
  if (!key.seq) return Complain("an entry of the message keys is malformed");
  if (*key.seq > check_.last_seq || *key.seq == 0)
    return Complain(fmt::format("a message key points to example {}, which does not exist", *key.seq));
  if (*key.seq < check_.first_seq) return;  // it has expired
  const auto example = log_.Get(*key.seq);
  if (!example || !*example) return;  // reported already
  if ((*example)->message_id != key.message_id || (*example)->digest != key.digest)
    Complain(fmt::format("a message key points to example {}, which has another key", *key.seq));
}

}  // namespace

Result<ModelCheck> CheckModel(const std::filesystem::path& dir, const Settings& settings,
                              const OnExample& on_progress) {
  // Before the database, so that it cannot be of a later checkpoint.
  const ImageComparison::Source image = ImageComparison::Open(dir);
  const auto model = OpenStored(dir, settings);
  if (!model) return tl::unexpected(model.error());
  Checker checker(*model->database, storage::ExampleLog(*model->database), model->identity);
  checker.CheckFiles(dir);
  checker.CheckGlobals();
  checker.CheckRows(image);
  checker.CheckExamples(on_progress);
  checker.CheckKeptExamples();
  checker.CheckMessageKeys();
  return checker.Take();
}

}  // namespace thresher::pipeline
