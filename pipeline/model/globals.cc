#include "pipeline/model/globals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <new>

namespace thresher::pipeline {

ModelGlobals::ModelGlobals(const learners::Learner& model_learner)
    : bytes_(sizeof(Facts) + model_learner.GlobalsBytes()) {
  new (bytes_.data()) Facts;
  model_learner.InitGlobals(learner());
}

namespace {

constexpr size_t PlaceInCalibration(size_t place) {
  return offsetof(ModelGlobals::Facts, calibration) + place;
}
constexpr size_t PlaceInTaught(size_t place) { return offsetof(ModelGlobals::Facts, taught) + place; }

void Insert(uint64_t bits, size_t place, std::vector<std::byte>* bytes) {
  const auto inserted = std::bit_cast<std::array<std::byte, sizeof bits>>(bits);
  bytes->insert(bytes->begin() + static_cast<std::ptrdiff_t>(place), inserted.begin(), inserted.end());
}

// Stores of format 2 have no trust. Their probabilities were those of σ(A·margin + B) alone.
std::vector<std::byte> WithTrust(std::span<const std::byte> stored) {
  constexpr double kFull = 1000;
  std::vector<std::byte> with_trust(stored.begin(), stored.end());
  Insert(std::bit_cast<uint64_t>(kFull), PlaceInCalibration(offsetof(learners::Calibration, trust)),
         &with_trust);
  return with_trust;
}

template <class Plain>
void Append(const Plain& plain, std::vector<std::byte>* bytes) {
  const auto appended = std::as_bytes(std::span(&plain, 1));
  bytes->insert(bytes->end(), appended.begin(), appended.end());
}

uint64_t BitsAt(std::span<const std::byte> bytes, size_t place) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.subspan(place, sizeof bits).data(), sizeof bits);
  return bits;
}

// A number of the facts, of eight bytes, that older stores lack. It is stored behind the rest, unless it is
// what a new model has, and its mark follows. What else globals end with is this mark only by a chance of
// 2^-64.
struct LateNumber {
  size_t place;  // in the facts
  uint64_t mark;

  uint64_t OfNewModel() const {
    const ModelGlobals::Facts facts;
    return BitsAt(std::as_bytes(std::span(&facts, 1)), place);
  }
  void Append(uint64_t bits, std::vector<std::byte>* stored) const {
    if (bits != OfNewModel()) pipeline::Append(std::array{bits, mark}, stored);
  }
  // What Append wrote at the end of `stored`, which is taken off there.
  uint64_t TakeFromEnd(std::span<const std::byte>* stored) const {
    constexpr size_t kSize = sizeof(std::array{mark, mark});
    if (stored->size() < kSize) return OfNewModel();
    const auto last = stored->last(kSize);
    if (BitsAt(last, sizeof mark) != mark) return OfNewModel();
    *stored = stored->first(stored->size() - kSize);
    return BitsAt(last, 0);
  }
};

// In the order of their places, and of the formats, 9, 11 and 12, that have them first.
constexpr std::array kLateNumbers = {
    LateNumber{PlaceInCalibration(offsetof(learners::Calibration, share_wrong)), 0x6772'6f6e'6777'6c62},
    LateNumber{PlaceInTaught(offsetof(TaughtCounts, answered)), 0x6465'7265'7773'6e61},
    LateNumber{PlaceInTaught(offsetof(TaughtCounts, ham_corrected)), 0x6d61'6874'6f6e'7361},
    LateNumber{PlaceInTaught(offsetof(TaughtCounts, spam_corrected)), 0x6d61'7073'746f'6e61},
    LateNumber{PlaceInTaught(offsetof(TaughtCounts, kept)), 0x6568'6372'6161'6e69}};

}  // namespace

bool ModelGlobals::Assign(std::span<const std::byte> stored) {
  const size_t size = bytes_.size() - kLateNumbers.size() * sizeof(uint64_t);
  if (stored.size() + sizeof(learners::Calibration::trust) == size) return Assign(WithTrust(stored));
  if (stored.size() < size) return false;
  Contradictions contradictions;
  LastReply last_reply;
  std::array<uint64_t, kLateNumbers.size()> late{};
  auto rest = stored.subspan(size);
  if (!last_reply.TakeFromEnd(&rest)) return false;
  for (size_t i = late.size(); i-- > 0;) late[i] = kLateNumbers[i].TakeFromEnd(&rest);
  // The sizes that a memory begins with say where it ends, so that only one of the two forms can be read.
  if (!rehearsal_.Assign(rest)) {
    if (rest.size() < sizeof contradictions) return false;
    const auto last = rest.last(sizeof contradictions);
    std::memcpy(&contradictions, last.data(), last.size());
    if (contradictions.examples == 0 || !contradictions.IsSound() ||
        !rehearsal_.Assign(rest.first(rest.size() - last.size())))
      return false;
  }
  contradictions_ = contradictions;
  last_reply_ = last_reply;
  bytes_.assign(stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(size));
  for (size_t i = 0; i < late.size(); ++i) Insert(late[i], kLateNumbers[i].place, &bytes_);
  return true;
}

std::vector<std::byte> ModelGlobals::Stored() const {
  std::vector<std::byte> stored = bytes_;
  for (size_t i = kLateNumbers.size(); i-- > 0;) {
    const auto place = stored.begin() + static_cast<std::ptrdiff_t>(kLateNumbers[i].place);
    stored.erase(place, place + sizeof(uint64_t));
  }
  rehearsal_.AppendTo(&stored);
  if (contradictions_.examples > 0) Append(contradictions_, &stored);
  for (const LateNumber& late : kLateNumbers) late.Append(BitsAt(bytes_, late.place), &stored);
  last_reply_.AppendTo(&stored);
  return stored;
}

bool ModelGlobals::AreSound(const learners::Learner& model_learner) const {
  return facts().calibration.IsSound() && facts().taught.IsSound() && facts().keep.IsSound() &&
         model_learner.AreGlobalsSound(learner());
}

ModelGlobals::Facts& ModelGlobals::facts() { return *std::launder(reinterpret_cast<Facts*>(bytes_.data())); }

const ModelGlobals::Facts& ModelGlobals::facts() const {
  return *std::launder(reinterpret_cast<const Facts*>(bytes_.data()));
}

}  // namespace thresher::pipeline
