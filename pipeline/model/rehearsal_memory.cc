#include "pipeline/model/rehearsal_memory.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

namespace thresher::pipeline {
namespace {

// As stored: for each class the number of its entries and `next`, then the entries: seq and message of each.
// If any wait: for each class their number, then they. If any entry has bytes: kHaveBytes first, and those of
// each entry behind its message.
constexpr uint64_t kHaveBytes = std::numeric_limits<uint64_t>::max();  // no number of entries

using Entries = std::vector<RehearsalMemory::Entry>;

uint64_t BytesOf(const Entries& entries) {
  return std::accumulate(entries.begin(), entries.end(), uint64_t{0},
                         [](uint64_t sum, const auto& entry) { return sum + entry.bytes; });
}

template <class Number>
void AppendNumber(Number number, std::vector<std::byte>* stored) {
  const auto bytes = std::as_bytes(std::span(&number, 1));
  stored->insert(stored->end(), bytes.begin(), bytes.end());
}

void AppendEntries(const Entries& entries, bool have_bytes, std::vector<std::byte>* stored) {
  for (const auto& entry : entries) {
    AppendNumber(entry.seq, stored);
    AppendNumber(entry.message, stored);
    if (have_bytes) AppendNumber(entry.bytes, stored);
  }
}

template <class Number>
bool TakeNumber(std::span<const std::byte>* stored, Number* number) {
  if (stored->size() < sizeof(*number)) return false;
  std::memcpy(number, stored->data(), sizeof(*number));
  *stored = stored->subspan(sizeof(*number));
  return true;
}

bool TakeHaveBytes(std::span<const std::byte>* stored) {
  auto rest = *stored;
  uint64_t first = 0;
  if (!TakeNumber(&rest, &first) || first != kHaveBytes) return false;
  *stored = rest;
  return true;
}

bool TakeEntries(std::span<const std::byte>* stored, uint64_t size, bool have_bytes, Entries* entries) {
  RehearsalMemory::Entry entry;
  const size_t each = sizeof(entry.seq) + sizeof(entry.message) + (have_bytes ? sizeof(entry.bytes) : 0);
  if (size > stored->size() / each) return false;
  entries->reserve(size);
  while (entries->size() < size) {
    const uint64_t before = entry.seq;
    TakeNumber(stored, &entry.seq);
    TakeNumber(stored, &entry.message);
    if (have_bytes) TakeNumber(stored, &entry.bytes);
    if (!entries->empty() && entry.seq <= before) return false;
    entries->push_back(entry);
  }
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

void RehearsalMemory::MakeRoom(const learners::RehearsalLimits& most, Class* of) {
  uint64_t bytes = BytesOf(of->entries) + BytesOf(of->waiting);
  size_t left = of->entries.size();
  auto first = of->entries.begin();  // that stays
  const auto is_last = [&] { return left == 0 || left + of->waiting.size() == 1; };
  for (; left > most.examples || (bytes > most.bytes && !is_last()); --left) bytes -= (first++)->bytes;
  of->entries.erase(of->entries.begin(), first);
}

void RehearsalMemory::Add(Label label, const Entry& entry, const learners::RehearsalLimits& most) {
  Class& of = Of(label);
  of.entries.insert(std::ranges::upper_bound(of.entries, entry.seq, {}, &Entry::seq), entry);
  MakeRoom(most, &of);
}

void RehearsalMemory::Wait(Label label, const Entry& entry, const learners::RehearsalLimits& most) {
  Class& of = Of(label);
  of.waiting.push_back(entry);
  MakeRoom(most, &of);
}

bool RehearsalMemory::Waits(uint64_t message) const {
  return std::ranges::any_of(classes_, [&](const Class& each) {
    return std::ranges::find(each.waiting, message, &Entry::message) != each.waiting.end();
  });
}

bool RehearsalMemory::WaitTooMany(Label label, const learners::RehearsalLimits& most) const {
  const Entries& waiting = Of(label).waiting;
  return waiting.size() > most.examples || (waiting.size() > 1 && BytesOf(waiting) > most.bytes);
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

void RehearsalMemory::ForgetAs(Label label, uint64_t message) {
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

RehearsalMemory::Entry RehearsalMemory::TakeWaiting(Label label) {
  Entries& waiting = Of(label).waiting;
  const Entry first = waiting.front();
  waiting.erase(waiting.begin());
  return first;
}

const RehearsalMemory::Entry& RehearsalMemory::Next(Label label) {
  Class& of = Of(label);
  return of.entries[of.next++ % of.entries.size()];
}

void RehearsalMemory::EndWaiting(const learners::RehearsalLimits& most) {
  for (const Label label : {Label::kHam, Label::kSpam}) {
    while (waiting(label) > 0) Add(label, TakeWaiting(label), most);
  }
}

bool RehearsalMemory::HaveBytes() const {
  return std::ranges::any_of(
      classes_, [](const Class& each) { return BytesOf(each.entries) + BytesOf(each.waiting) > 0; });
}

void RehearsalMemory::AppendTo(std::vector<std::byte>* stored) const {
  if (*this == RehearsalMemory()) return;
  const bool have_bytes = HaveBytes();
  if (have_bytes) AppendNumber(kHaveBytes, stored);
  for (const Class& each : classes_) {
    AppendNumber(uint64_t{each.entries.size()}, stored);
    AppendNumber(each.next, stored);
    AppendEntries(each.entries, have_bytes, stored);
  }
  if (std::ranges::all_of(classes_, [](const Class& each) { return each.waiting.empty(); })) return;
  for (const Class& each : classes_) {
    AppendNumber(uint64_t{each.waiting.size()}, stored);
    AppendEntries(each.waiting, have_bytes, stored);
  }
}

bool RehearsalMemory::Assign(std::span<const std::byte> stored) {
  RehearsalMemory read;
  if (stored.empty()) {
    *this = read;
    return true;
  }
  uint64_t size = 0;
  const bool have_bytes = TakeHaveBytes(&stored);
  for (Class& each : read.classes_) {
    if (!TakeNumber(&stored, &size) || !TakeNumber(&stored, &each.next) ||
        !TakeEntries(&stored, size, have_bytes, &each.entries))
      return false;
  }
  const bool any_wait = !stored.empty();
  uint64_t waiting = 0;
  for (Class& each : read.classes_) {
    if (any_wait && (!TakeNumber(&stored, &size) || !TakeEntries(&stored, size, have_bytes, &each.waiting)))
      return false;
    waiting += each.waiting.size();
  }
  if (!stored.empty() || (any_wait && waiting == 0) || have_bytes != read.HaveBytes()) return false;
  *this = std::move(read);
  return true;
}

}  // namespace thresher::pipeline
