#include "pipeline/model/rehearsal_memory.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace thresher::pipeline {
namespace {

// As stored: for each class the number of its entries and `next`, then the entries. If any wait: for each
// class their number, then they.
static_assert(std::is_trivially_copyable_v<RehearsalMemory::Entry> && sizeof(RehearsalMemory::Entry) == 16);

void Append(uint64_t number, std::vector<std::byte>* stored) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(&number);
  stored->insert(stored->end(), bytes, bytes + sizeof(number));
}

using Entries = std::vector<RehearsalMemory::Entry>;

void Append(const Entries& entries, std::vector<std::byte>* stored) {
  const auto bytes = std::as_bytes(std::span(entries));
  stored->insert(stored->end(), bytes.begin(), bytes.end());
}

bool Take(std::span<const std::byte>* stored, uint64_t* number) {
  if (stored->size() < sizeof(*number)) return false;
  std::memcpy(number, stored->data(), sizeof(*number));
  *stored = stored->subspan(sizeof(*number));
  return true;
}

bool Take(std::span<const std::byte>* stored, uint64_t size, Entries* entries) {
  if (size > stored->size() / sizeof(RehearsalMemory::Entry)) return false;
  entries->resize(size);
  const size_t bytes = size * sizeof(RehearsalMemory::Entry);
  if (size > 0) std::memcpy(entries->data(), stored->data(), bytes);
  *stored = stored->subspan(bytes);
  const auto not_ascending = [](const auto& a, const auto& b) { return a.seq >= b.seq; };
  return std::ranges::adjacent_find(*entries, not_ascending) == entries->end();
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
  entries.insert(std::ranges::upper_bound(entries, entry.seq, {}, &Entry::seq), entry);
  if (entries.size() > most) entries.erase(entries.begin(), entries.end() - static_cast<ptrdiff_t>(most));
}

template <class IsMeant>
void RehearsalMemory::EraseIf(const IsMeant& is_meant) {
  for (Class& each : classes_) {
    std::erase_if(each.entries, is_meant);
    std::erase_if(each.waiting, is_meant);
  }
}

void RehearsalMemory::Forget(uint64_t message) {
  EraseIf([&](const Entry& entry) { return entry.message == message; });
}

void RehearsalMemory::ForgetAs(learners::Label label, uint64_t message) {
  for (Entries* entries : {&Of(label).entries, &Of(label).waiting})
    std::erase_if(*entries, [&](const Entry& entry) { return entry.message == message; });
}

void RehearsalMemory::ForgetExample(uint64_t seq) {
  EraseIf([&](const Entry& entry) { return entry.seq == seq; });
}

void RehearsalMemory::Renumber(const std::function<uint64_t(uint64_t)>& new_number) {
  for (Class& each : classes_) {
    for (Entries* entries : {&each.entries, &each.waiting}) {
      for (Entry& entry : *entries) entry.seq = new_number(entry.seq);
    }
  }
  ForgetExample(0);
}

std::vector<uint64_t> RehearsalMemory::Before(uint64_t first_seq) const {
  std::vector<uint64_t> seqs;
  const auto add = [&](const Entries& entries) {
    for (const Entry& entry : entries) {
      if (entry.seq < first_seq) seqs.push_back(entry.seq);
    }
  };
  for (const Class& each : classes_) {
    add(each.entries);
    add(each.waiting);
  }
  std::ranges::sort(seqs);
  return seqs;
}

RehearsalMemory::Entry RehearsalMemory::TakeWaiting(learners::Label label) {
  Entries& waiting = Of(label).waiting;
  const Entry first = waiting.front();
  waiting.erase(waiting.begin());
  return first;
}

const RehearsalMemory::Entry& RehearsalMemory::Next(learners::Label label) {
  Class& of = Of(label);
  return of.entries[of.next++ % of.entries.size()];
}

void RehearsalMemory::EndWaiting(size_t most) {
  for (const learners::Label label : {learners::Label::kHam, learners::Label::kSpam}) {
    while (waiting(label) > 0) Add(label, TakeWaiting(label), most);
  }
}

void RehearsalMemory::AppendTo(std::vector<std::byte>* stored) const {
  if (*this == RehearsalMemory()) return;
  for (const Class& each : classes_) {
    Append(each.entries.size(), stored);
    Append(each.next, stored);
    Append(each.entries, stored);
  }
  if (std::ranges::all_of(classes_, [](const Class& each) { return each.waiting.empty(); })) return;
  for (const Class& each : classes_) {
    Append(each.waiting.size(), stored);
    Append(each.waiting, stored);
  }
}

bool RehearsalMemory::Assign(std::span<const std::byte> stored) {
  RehearsalMemory read;
  if (stored.empty()) {
    *this = read;
    return true;
  }
  uint64_t size = 0;
  for (Class& each : read.classes_) {
    if (!Take(&stored, &size) || !Take(&stored, &each.next) || !Take(&stored, size, &each.entries))
      return false;
  }
  const bool any_wait = !stored.empty();
  uint64_t waiting = 0;
  for (Class& each : read.classes_) {
    if (any_wait && (!Take(&stored, &size) || !Take(&stored, size, &each.waiting))) return false;
    waiting += each.waiting.size();
  }
  if (!stored.empty() || (any_wait && waiting == 0)) return false;
  *this = std::move(read);
  return true;
}

}  // namespace thresher::pipeline
