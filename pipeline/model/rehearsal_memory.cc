#include "pipeline/model/rehearsal_memory.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace thresher::pipeline {
namespace {

// As stored: for each class the number of its entries and `next`, then the entries.
static_assert(std::is_trivially_copyable_v<RehearsalMemory::Entry> && sizeof(RehearsalMemory::Entry) == 16);

void Append(uint64_t number, std::vector<std::byte>* stored) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(&number);
  stored->insert(stored->end(), bytes, bytes + sizeof(number));
}

bool Take(std::span<const std::byte>* stored, uint64_t* number) {
  if (stored->size() < sizeof(*number)) return false;
  std::memcpy(number, stored->data(), sizeof(*number));
  *stored = stored->subspan(sizeof(*number));
  return true;
}

}  // namespace

// FNV-1a, 64 bits. A byte that no text has separates the two.
uint64_t RehearsalMemory::HashOfMessage(std::string_view message_id, std::string_view digest) {
  uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3; };
  for (const char c : message_id) add(static_cast<unsigned char>(c));
  add(0xff);
  for (const char c : digest) add(static_cast<unsigned char>(c));
  return hash;
}

void RehearsalMemory::Add(learners::Label label, const Entry& entry, size_t most) {
  std::vector<Entry>& entries = Of(label).entries;
  entries.push_back(entry);
  if (entries.size() > most) entries.erase(entries.begin(), entries.end() - static_cast<ptrdiff_t>(most));
}

void RehearsalMemory::Forget(uint64_t message) {
  for (Class& each : classes_)
    std::erase_if(each.entries, [&](const Entry& entry) { return entry.message == message; });
}

std::vector<uint64_t> RehearsalMemory::Before(uint64_t first_seq) const {
  std::vector<uint64_t> seqs;
  for (const Class& each : classes_) {
    for (const Entry& entry : each.entries) {
      if (entry.seq < first_seq) seqs.push_back(entry.seq);
    }
  }
  std::ranges::sort(seqs);
  return seqs;
}

const RehearsalMemory::Entry& RehearsalMemory::Next(learners::Label label) {
  Class& of = Of(label);
  return of.entries[of.next++ % of.entries.size()];
}

void RehearsalMemory::AppendTo(std::vector<std::byte>* stored) const {
  if (*this == RehearsalMemory()) return;
  for (const Class& each : classes_) {
    Append(each.entries.size(), stored);
    Append(each.next, stored);
    const auto bytes = std::as_bytes(std::span(each.entries));
    stored->insert(stored->end(), bytes.begin(), bytes.end());
  }
}

bool RehearsalMemory::Assign(std::span<const std::byte> stored) {
  RehearsalMemory read;
  if (stored.empty()) {
    *this = read;
    return true;
  }
  for (Class& each : read.classes_) {
    uint64_t size = 0;
    if (!Take(&stored, &size) || !Take(&stored, &each.next) || size > stored.size() / sizeof(Entry))
      return false;
    each.entries.resize(size);
    if (size > 0) std::memcpy(each.entries.data(), stored.data(), size * sizeof(Entry));
    stored = stored.subspan(size * sizeof(Entry));
    const auto not_ascending = [](const Entry& a, const Entry& b) { return a.seq >= b.seq; };
    if (std::ranges::adjacent_find(each.entries, not_ascending) != each.entries.end()) return false;
  }
  if (!stored.empty()) return false;
  *this = std::move(read);
  return true;
}

}  // namespace thresher::pipeline
