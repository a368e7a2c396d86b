// The earlier examples that may be learned again: the newest of each class that taught the model something.
// And those that wait to be learned at all.
//
// Part of a model's globals, stored with every checkpoint. Holds the numbers of examples; their features are
// in the log. Filled by Rehearsal; read by it, and by what must know which examples are kept or wait.
// Thread-safety: a plain value.
//
// Limits are those of one class (RehearsalOptions::PerClass): on the number of examples that are remembered,
// and on the bytes of these and of those that wait together. Remembered ones leave, the oldest first, until
// both are kept; what waits leaves only to be learned. The last example of a class stays, whatever its size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "learners/steps/rehearsal_options.h"
#include "pipeline/model/evidence.h"

namespace thresher::pipeline {

class RehearsalMemory {
 public:
  struct Entry {
    uint64_t seq = 0;      // of the example
    uint64_t message = 0;  // HashOfMessage
    uint32_t bytes = 0;    // RehearsedBytes; 0 in a model that does not limit them
    bool operator==(const Entry&) const = default;
  };

  // Stands for a message key: two messages may share it, with the effect that both are forgotten together.
  static uint64_t HashOfMessage(std::string_view message_id, std::string_view digest);

  // Remembers an example; others of its class leave as said above, or itself if it is the oldest.
  void Add(Label label, const Entry& entry, const learners::RehearsalLimits& most);
  // Puts an example, with a number above all others of its class, behind those that wait; remembered ones
  // leave.
  void Wait(Label label, const Entry& entry, const learners::RehearsalLimits& most);
  size_t waiting(Label label) const { return Of(label).waiting.size(); }
  // Whether an example of this message waits.
  bool Waits(uint64_t message) const;
  // Whether more examples wait than may be remembered, or more bytes.
  bool WaitTooMany(Label label, const learners::RehearsalLimits& most) const;
  // The example that has waited longest waits no longer. REQUIRES: waiting(label) > 0.
  Entry TakeWaiting(Label label);

  // All that wait were learned otherwise.
  void EndWaiting(const learners::RehearsalLimits& most);

  // Drops the examples of a message.
  void Forget(uint64_t message);
  // Drops the examples of a message that have this label.
  void ForgetAs(Label label, uint64_t message);
  // Drops one example.
  void ForgetExample(uint64_t seq);
  // Gives each example the number new_number(seq), in the same order; drops those for which it is 0.
  void Renumber(const std::function<uint64_t(uint64_t seq)>& new_number);
  // The numbers below `first_seq`, ascending.
  std::vector<uint64_t> Before(uint64_t first_seq) const;

  size_t size(Label label) const { return Of(label).entries.size(); }
  // REQUIRES: i < size(label).
  const Entry& At(Label label, size_t i) const { return Of(label).entries[i]; }
  // One after the other, the oldest first, then from the beginning. REQUIRES: size(label) > 0.
  const Entry& Next(Label label);

  bool empty() const { return *this == RehearsalMemory(); }

  // Nothing for an empty memory, as programs without rehearsal wrote, and without bytes if no example has
  // any, as programs that did not limit them.
  void AppendTo(std::vector<std::byte>* stored) const;
  // Becomes what AppendTo wrote; none if `stored` is empty. False, and nothing happens, for anything else.
  bool Assign(std::span<const std::byte> stored);

  bool operator==(const RehearsalMemory&) const = default;

 private:
  struct Class {
    std::vector<Entry> entries;  // their numbers ascend
    uint64_t next = 0;           // of Next, modulo the size
    std::vector<Entry> waiting;  // their numbers ascend
    bool operator==(const Class&) const = default;
  };
  static void MakeRoom(const learners::RehearsalLimits& most, Class* of);
  bool HaveBytes() const;
  template <class IsMeant>
  void EraseIf(const IsMeant& is_meant);
  const Class& Of(Label label) const { return classes_[label == Label::kSpam ? 1 : 0]; }
  Class& Of(Label label) { return classes_[label == Label::kSpam ? 1 : 0]; }

  std::array<Class, 2> classes_;  // ham, spam
};

}  // namespace thresher::pipeline
