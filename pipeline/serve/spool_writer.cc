#include "pipeline/serve/spool_writer.h"

#include <exception>
#include <utility>

namespace thresher::pipeline {
namespace {

constexpr size_t kMostSpare = 16;
constexpr size_t kLargestSpare = size_t{256} << 10;  // bytes; few messages need more
constexpr size_t kMostWritten = 10000;

// About what they take in memory.
size_t BytesOf(const tokenizer::Features& features) {
  return features.size() * (sizeof(uint64_t) + sizeof(float) + sizeof(uint32_t)) + features.texts.size() +
         features.pairs.size() * sizeof(tokenizer::Features::WordPair) + features.message.size();
}

}  // namespace

void SpoolWriter::Keep(const Spool& spool, const tokenizer::MessageKey& key, tokenizer::Features* features) {
  if (IsWritten(spool, key)) return;
  const size_t bytes = BytesOf(*features);
  bool is_full = false;
  {
    const std::lock_guard lock(mutex_);
    if (thread_.is_finishing()) return;
    tokenizer::Features memory;
    if (!spare_.empty()) {
      memory = std::move(spare_.back());
      spare_.pop_back();
    }
    waiting_.push_back({spool, key, std::exchange(*features, std::move(memory)), bytes});
    waiting_bytes_ += bytes;
    is_full = waiting_bytes_ > most_waiting_bytes_;
  }
  thread_.Wake();
  if (is_full) WriteOldest();
}

// Another process may have removed the file meanwhile, and so may feedback.
bool SpoolWriter::IsWritten(const Spool& spool, const tokenizer::MessageKey& key) {
  {
    const std::lock_guard lock(mutex_);
    if (!written_.contains(key.digest)) return false;
  }
  return spool.Holds(key);
}

void SpoolWriter::WriteNow(std::string_view message_id) {
  WriteThose([message_id](const Entry& entry) { return entry.key.message_id == message_id; });
}

void SpoolWriter::WriteAllNow() {
  WriteThose([](const Entry&) { return true; });
}

void SpoolWriter::WriteOldest() {
  const std::lock_guard writing(writing_mutex_);
  std::unique_lock lock(mutex_);
  if (waiting_.empty()) return;  // another thread was faster
  Entry entry = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_bytes_ -= entry.bytes;
  lock.unlock();
  Write(entry);
  Recycle(std::move(entry));
}

void SpoolWriter::WriteThose(const std::function<bool(const Entry&)>& are_meant) {
  const std::lock_guard writing(writing_mutex_);
  std::deque<Entry> taken;
  {
    const std::lock_guard lock(mutex_);
    std::deque<Entry> left;
    for (Entry& entry : waiting_) {
      const bool is_meant = are_meant(entry);
      if (is_meant) waiting_bytes_ -= entry.bytes;
      (is_meant ? taken : left).push_back(std::move(entry));
    }
    waiting_ = std::move(left);
  }
  for (const Entry& entry : taken) Write(entry);
}

// A full or read-only spool costs late feedback only, and so does a lack of memory.
void SpoolWriter::Write(const Entry& entry) {
  bool is_kept = false;
  try {
    const auto kept = entry.spool.Keep(entry.key, entry.features);
    is_kept = kept.has_value();
    if (!kept) on_failure_(entry.key, kept.error());
    const std::lock_guard lock(mutex_);
    if (written_.size() == kMostWritten) written_.clear();
    if (kept) written_.insert(entry.key.digest);
  } catch (const std::exception&) {
  }
  if (!is_kept) ++failures_;
}

void SpoolWriter::Recycle(Entry entry) {
  if (entry.bytes > kLargestSpare) return;
  entry.features.Clear();
  const std::lock_guard lock(mutex_);
  if (spare_.size() < kMostSpare) spare_.push_back(std::move(entry.features));
}

}  // namespace thresher::pipeline
