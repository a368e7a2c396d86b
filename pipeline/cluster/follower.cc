#include "pipeline/cluster/follower.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "pipeline/model/soundness.h"
#include "pipeline/model/store_error.h"
#include "storage/byte_order.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

// Notes: position u64 LE; author/ID in hexadecimal digits: number and record, u64 LE each; digests: a line
// "RECORD DIGEST" for each. In the place of an author 0, which none is: the time of a record and the record.
// A program that knew no times takes that for an author, and it would refuse a note of another form.
constexpr std::string_view kPosition = "position";
constexpr std::string_view kAuthor = "author/";
constexpr std::string_view kDigests = "digests";
constexpr uint64_t kTime = 0;

std::string Little(uint64_t value) {
  std::string bytes;
  storage::AppendLittle(value, &bytes);
  return bytes;
}

std::string NoteOf(uint64_t author) { return fmt::format("{}{:016x}", kAuthor, author); }

std::optional<uint64_t> AuthorOf(std::string_view note) {
  note.remove_prefix(kAuthor.size());
  uint64_t author = 0;
  const char* const end = note.data() + note.size();
  const auto [stopped, error] = std::from_chars(note.data(), end, author, 16);
  return error == std::errc() && stopped == end ? std::optional(author) : std::nullopt;
}

std::string LinesOf(const std::vector<ModelDigest>& digests) {
  std::string lines;
  for (const ModelDigest& each : digests) lines += fmt::format("{} {}\n", each.record, each.digest);
  return lines;
}

std::optional<std::vector<ModelDigest>> DigestsOf(std::string_view lines) {
  std::vector<ModelDigest> digests;
  while (!lines.empty()) {
    const size_t end = lines.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    ModelDigest digest;
    const auto [stopped, error] = std::from_chars(lines.data(), lines.data() + end, digest.record);
    if (error != std::errc() || *stopped != ' ') return std::nullopt;
    digest.digest = std::string(stopped + 1, lines.data() + end);
    digests.push_back(std::move(digest));
    lines.remove_prefix(end + 1);
  }
  return digests;
}

// The record is noted later: to forget once more, after a crash, changes nothing.
Result<void> Forget(Model& model, const Operation& operation, Follower::Outcome* outcome) {
  const tokenizer::MessageKey& key = operation.keys.own;
  const bool is_all = operation.act == Act::kForgetAllOf;
  const auto forgotten = model.Forget([&](const storage::Example& example) {
    return is_all ? tokenizer::UserAndMessageId(example.message_id).user == key.message_id
                  : example.message_id == key.message_id && example.digest == key.digest;
  });
  if (!forgotten) return tl::unexpected(forgotten.error());
  outcome->forgotten = *forgotten;
  return {};
}

}  // namespace

Result<void> Follower::Resume(const Model& model) {
  const auto notes = model.ReadNotes();
  if (!notes) return tl::unexpected(notes.error());
  position_ = {};
  authors_.clear();
  digests_.clear();
  unstored_.clear();
  Author time;
  for (const auto& [name, value] : *notes) {
    if (name == kPosition && value.size() == sizeof(uint64_t)) {
      position_.record = storage::LoadLittle<uint64_t>(value.data());
      continue;
    }
    if (auto digests = name == kDigests ? DigestsOf(value) : std::nullopt) {
      digests_ = *std::move(digests);
      continue;
    }
    const auto author = name.starts_with(kAuthor) ? AuthorOf(name) : std::nullopt;
    if (!author || value.size() != 2 * sizeof(uint64_t))
      return tl::unexpected(CorruptStore(fmt::format("the note '{}' cannot be read", name)));
    const Author last{storage::LoadLittle<uint64_t>(value.data()),
                      storage::LoadLittle<uint64_t>(value.data() + sizeof(uint64_t))};
    (*author == kTime ? time : authors_[*author]) = last;
  }
  // Else a program that knew no times has applied later records.
  if (time.record == position_.record) position_.time_us = static_cast<int64_t>(time.number);
  return {};
}

uint64_t Follower::LastNumberOf(uint64_t author) const {
  const auto known = authors_.find(author);
  return known == authors_.end() ? 0 : known->second.number;
}

void Follower::Note(const AppliedRecord& position) {
  unstored_.insert_or_assign(std::string(kPosition), Little(position.record));
  unstored_.insert_or_assign(NoteOf(kTime),
                             Little(static_cast<uint64_t>(position.time_us)) + Little(position.record));
}

Result<Follower::Outcome> Follower::Apply(Model& model, const LogRecord& record) {
  if (record.seq <= position()) return Outcome{.fate = Fate::kBefore};
  if (record.previous > position()) return Outcome{.fate = Fate::kGap};
  auto outcome = Do(model, record);
  if (!outcome || outcome->fate == Fate::kNewer) return outcome;
  const uint64_t before = std::exchange(position_, {record.seq, record.time_us}).record;
  if (outcome->fate != Fate::kApplied) Note(position_);
  if (digest_every_ != 0 && position() / digest_every_ > before / digest_every_) {
    if (auto done = MakeDigest(model); !done) return tl::unexpected(done.error());
  }
  return outcome;
}

Result<void> Follower::MakeDigest(Model& model) {
  auto digest = model.Digest();
  if (!digest) return tl::unexpected(digest.error());
  digests_.push_back({position(), *std::move(digest)});
  if (digests_.size() > kMostDigests) digests_.erase(digests_.begin());
  unstored_.insert_or_assign(std::string(kDigests), LinesOf(digests_));
  return {};
}

// What the record says is checked as anything that comes from elsewhere. Every node finds the same.
Result<Follower::Outcome> Follower::Do(Model& model, const LogRecord& record) {
  const auto operation = DecodeOperation(record.bytes);
  if (!operation)
    return Outcome{.fate = operation.error() == NoOperation::kNewer ? Fate::kNewer : Fate::kForeign};
  if (operation->identity != identity_) return Outcome{.fate = Fate::kForeign};
  Outcome outcome{.author = operation->author, .number = operation->number};
  const auto last = authors_.find(operation->author);
  if (last != authors_.end() && operation->number <= last->second.number) {
    outcome.fate = Fate::kDuplicate;
    return outcome;
  }
  const bool teaches = operation->act == Act::kTeach;
  const auto features = teaches ? model.decoder().Decode(operation->features) : tokenizer::Features();
  if (!features ||
      (teaches && WrongWithFeatures(*features, model.decoder().id_space(), TextsOfTokens::kSome)))
    return Outcome{.fate = Fate::kForeign};
  Hear(operation->author, {operation->number, record.seq});
  Note({record.seq, record.time_us});
  const auto done =
      teaches ? Teach(model, *operation, *features, record, &outcome) : Forget(model, *operation, &outcome);
  if (!done) return tl::unexpected(done.error());
  return outcome;
}

Result<void> Follower::Teach(Model& model, const Operation& operation, const tokenizer::Features& features,
                             const LogRecord& record, Outcome* outcome) {
  // A clock that is ahead must not make examples that never expire, or all others expire.
  auto taught = TeachMessage(model, features, operation.label, operation.keys, operation.circumstances,
                             operation.is_reply,
                             {.time_us = std::min(operation.time_us, record.time_us), .notes = unstored_});
  if (!taught) return tl::unexpected(taught.error());
  if (taught->result != TeachResult::kKnown) unstored_.clear();
  outcome->taught = *std::move(taught);
  return {};
}

void Follower::Hear(uint64_t author, const Author& last) {
  if (!authors_.contains(author) && authors_.size() >= kMostAuthors) {
    const auto quietest =
        std::min_element(authors_.begin(), authors_.end(),
                         [](const auto& a, const auto& b) { return a.second.record < b.second.record; });
    unstored_.insert_or_assign(NoteOf(quietest->first), std::string());
    authors_.erase(quietest);
  }
  authors_[author] = last;
  unstored_.insert_or_assign(NoteOf(author), Little(last.number) + Little(last.record));
}

Result<void> Follower::Finish(Model& model) {
  if (unstored_.empty()) return {};
  if (auto done = model.WriteNotes(unstored_); !done) return done;
  unstored_.clear();
  return {};
}

}  // namespace thresher::pipeline
