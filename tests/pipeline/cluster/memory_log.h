// A shared log in the memory of a test, whose connections can fail.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/cluster/ordered_log.h"

namespace thresher::pipeline {

// What the servers of the log of one model have. Thread-safety: any threads, by its functions.
class MemoryStream {
 public:
  // `numbers`: the last one, of the records of all logs that have their numbers in common.
  explicit MemoryStream(
      std::shared_ptr<std::atomic<uint64_t>> numbers = std::make_shared<std::atomic<uint64_t>>(0))
      : numbers_(std::move(numbers)) {}

  uint64_t Append(const std::string& name, std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    // As a server does within its window; later it does not know the name any more.
    if (knows_names && !name.empty() && !names_.insert(name).second) return 0;
    const uint64_t previous = Last();
    records_.push_back({++*numbers_, previous, clock_us += 1000, std::string(bytes)});
    changed_.notify_all();
    return Last();
  }
  OrderedLog::Batch Read(uint64_t after, size_t most, std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [&] { return Last() > after; });
    OrderedLog::Batch batch{.records = {}, .first = first, .last = Last()};
    for (const LogRecord& record : records_) {
      if (record.seq > after && record.seq >= first && batch.records.size() < most)
        batch.records.push_back(record);
    }
    return batch;
  }
  OrderedLog::Rest After(uint64_t after) {
    const std::lock_guard lock(mutex_);
    OrderedLog::Rest rest;
    for (const LogRecord& record : records_) {
      if (record.seq <= after || record.seq < first) continue;
      if (rest.records++ == 0) {
        rest.first = record.seq;
        rest.oldest_us = record.time_us;
      }
      rest.bytes += record.bytes.size();
    }
    return rest;
  }
  std::optional<std::string> Agreed() {
    const std::lock_guard lock(mutex_);
    return agreed;
  }
  std::string Agree(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (!agreed) agreed = text;
    return *agreed;
  }

  // As if the bucket was removed that has it, and the note of the snapshot.
  void LoseAgreement() {
    const std::lock_guard lock(mutex_);
    agreed.reset();
    announced.reset();
  }

  void PutEntry(const std::string& node, const std::string& text) {
    const std::lock_guard lock(mutex_);
    entries_[node] = {text, clock_us += 1000};
  }
  std::vector<OrderedLog::Entry> Entries() {
    const std::lock_guard lock(mutex_);
    std::vector<OrderedLog::Entry> all;
    for (const auto& [node, entry] : entries_) all.push_back(entry);
    return all;
  }

  uint64_t PutPiece(const std::string& snapshot, std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    pieces[++last_piece_] = {snapshot, std::string(bytes)};
    return last_piece_;
  }
  std::vector<std::string> PiecesOf(const std::string& snapshot) {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> found;
    for (const auto& [number, piece] : pieces) {
      if (piece.first == snapshot) found.push_back(piece.second);
    }
    return found;
  }
  void DropPiecesOf(const std::string& snapshot) {
    const std::lock_guard lock(mutex_);
    std::erase_if(pieces, [&](const auto& each) { return each.second.first == snapshot; });
  }
  size_t CountPieces() {
    const std::lock_guard lock(mutex_);
    return pieces.size();
  }
  void DropPieces(uint64_t before) {
    const std::lock_guard lock(mutex_);
    pieces.erase(pieces.begin(), pieces.lower_bound(before));
  }
  std::optional<std::string> Announced() {
    const std::lock_guard lock(mutex_);
    return announced;
  }
  void Announce(const std::string& text) {
    const std::lock_guard lock(mutex_);
    announced = text;
  }
  void DropRecords(uint64_t before) {
    const std::lock_guard lock(mutex_);
    first = std::max(first, before);
  }
  // Who does not renew its entry now is away.
  void PassMinutes() {
    const std::lock_guard lock(mutex_);
    clock_us += 120'000'000;
  }
  // As from a backup of the servers.
  void RestoreRecords() {
    const std::lock_guard lock(mutex_);
    first = 1;
  }
  // As from an older backup of them.
  void LoseRecordsAfter(uint64_t last) {
    const std::lock_guard lock(mutex_);
    std::erase_if(records_, [&](const LogRecord& record) { return record.seq > last; });
    *numbers_ = last;
    names_.clear();
  }

  bool knows_names = true;
  uint64_t first = 1;  // older records are gone
  int64_t clock_us = 1'700'000'000'000'000;
  std::optional<std::string> agreed;
  std::optional<std::string> announced;
  std::map<uint64_t, std::pair<std::string, std::string>> pieces;  // of which snapshot, bytes

 private:
  uint64_t Last() const { return records_.empty() ? 0 : records_.back().seq; }

  const std::shared_ptr<std::atomic<uint64_t>> numbers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<LogRecord> records_;
  std::set<std::string> names_;
  std::map<std::string, OrderedLog::Entry> entries_;
  uint64_t last_piece_ = 0;
};

// One node's way to it.
class MemoryLog : public OrderedLog {
 public:
  explicit MemoryLog(std::shared_ptr<MemoryStream> stream) : stream_(std::move(stream)) {}

  Result<void> Create() override { return Reach(); }
  Result<std::optional<std::string>> Agreed() override {
    return Reach().map([&] { return stream_->Agreed(); });
  }
  Result<std::string> Agree(const std::string& text) override {
    return Reach().map([&] { return stream_->Agree(text); });
  }
  Result<uint64_t> Publish(const std::string& name, std::string_view bytes) override {
    if (auto reached = Reach(); !reached) return tl::unexpected(reached.error());
    const uint64_t seq = stream_->Append(name, bytes);
    if (loses_answers) return tl::unexpected(Error{kBusy, "the answer was lost"});
    return seq;
  }
  Result<Batch> Read(uint64_t after, size_t most, std::chrono::milliseconds patience) override {
    ++read;
    if (auto reached = Reach(); !reached) return tl::unexpected(reached.error());
    const uint64_t last = stream_->Read(0, 0, {}).last;
    if (last > after && patience < answers_after) return Batch{.records = {}, .first = 0, .last = last};
    return stream_->Read(after, most, std::min(patience, std::chrono::milliseconds(20)));
  }
  Result<uint64_t> Last() override {
    return Reach().map([&] { return stream_->Read(0, 0, {}).last; });
  }
  Result<Rest> After(uint64_t after) override {
    return Reach().map([&] { return stream_->After(after); });
  }
  void EndReading() override {}  // it never takes long
  Result<void> PutEntry(const std::string& node, const std::string& text) override {
    ++put;
    before_put();
    if (auto reached = Reach(); !reached) return reached;
    if (refuses_entries) return tl::unexpected(Error{kBusy, "an entry was refused"});
    if (loses_renewals && text.find("\"renewed\":0") == std::string::npos)
      return tl::unexpected(Error{kBusy, "an entry was lost"});
    stream_->PutEntry(node, text);
    return {};
  }
  Result<std::vector<Entry>> Entries() override {
    return Reach().map([&] { return stream_->Entries(); });
  }
  Result<uint64_t> PutPiece(const std::string& snapshot, std::string_view bytes) override {
    if (auto reached = Reach(); !reached) return tl::unexpected(reached.error());
    const uint64_t number = stream_->PutPiece(snapshot, bytes);
    if (loses_pieces) return tl::unexpected(Error{kBusy, "the answer was lost"});
    return number;
  }
  Result<void> GetPieces(const std::string& snapshot, const TakePiece& take) override {
    if (auto reached = Reach(); !reached) return reached;
    ++fetched;
    if (loses_pieces) return tl::unexpected(Error{kBusy, "a piece was lost"});
    for (const std::string& piece : stream_->PiecesOf(snapshot)) {
      if (auto taken = take(piece); !taken) return taken;
    }
    return {};
  }
  Result<void> DropPiecesOf(const std::string& snapshot) override {
    return Reach().map([&] { stream_->DropPiecesOf(snapshot); });
  }
  Result<void> DropPieces(uint64_t before, const GoesOn& /*goes_on*/) override {
    return Reach().map([&] { stream_->DropPieces(before); });
  }
  Result<std::optional<std::string>> Announced() override {
    return Reach().map([&] { return stream_->Announced(); });
  }
  Result<void> Announce(const std::string& text) override {
    if (auto reached = Reach(); !reached) return reached;
    if (refuses_notes) return tl::unexpected(Error{kBusy, "the note was refused"});
    stream_->Announce(text);
    if (loses_answers) return tl::unexpected(Error{kBusy, "the answer was lost"});
    return {};
  }
  Result<void> DropRecords(uint64_t before, const GoesOn& /*goes_on*/) override {
    if (keeps_records) return tl::unexpected(Error{kBusy, "a record cannot be removed"});
    return Reach().map([&] { stream_->DropRecords(before); });
  }

  std::atomic<bool> is_cut_off = false;
  std::atomic<bool> loses_answers = false;
  std::chrono::milliseconds answers_after{0};  // records come later: the servers are far away
  std::atomic<bool> loses_pieces = false;
  std::atomic<bool> refuses_notes = false;
  std::atomic<bool> keeps_records = false;
  std::atomic<bool> refuses_entries = false;
  std::atomic<bool> loses_renewals = false;  // entries of a node that makes itself again
  std::atomic<int> put = 0;                  // calls of PutEntry
  std::function<void()> before_put = [] {};  // in each of them
  std::atomic<int> fetched = 0;              // of GetPieces
  std::atomic<int> read = 0;                 // of Read

 protected:
  // Called by each of the functions above before anything else.
  virtual Result<void> Reach() {
    if (is_cut_off) return tl::unexpected(Error{kBusy, "the log cannot be reached"});
    return {};
  }

  std::shared_ptr<MemoryStream> stream_;
};

}  // namespace thresher::pipeline
