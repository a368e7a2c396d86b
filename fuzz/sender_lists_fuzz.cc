// Any bytes as a file of allowed and blocked senders, and as the head of a message that is looked up in it:
// either an error that names a line, or entries that are found again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pipeline/delivery/sender_lists.h"

namespace {

using thresher::pipeline::SenderLists;
using thresher::pipeline::Verdict;

void Check(bool holds) {
  if (!holds) std::abort();
}

void CheckJudged(const SenderLists& lists, std::string_view message, std::string_view authserv_id) {
  const auto decided = lists.Decide(message, authserv_id);
  if (!decided) return;
  const bool allows = decided->entry.starts_with("allow:");
  Check(allows || decided->entry.starts_with("block:"));
  Check(decided->verdict == (allows ? Verdict::kHam : Verdict::kSpam));
  // Only entries that allow need proof: without a server's name no fewer senders are allowed.
  if (!authserv_id.empty() && allows) Check(lists.Decide(message, {}).has_value());
}

}  // namespace

// The list, a NUL, and a message.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t end = bytes.find('\0');
  const std::string_view message = end == std::string_view::npos ? bytes : bytes.substr(end + 1);
  const auto lists = SenderLists::Parse(bytes.substr(0, end), "F");
  if (!lists) {
    Check(lists.error().message.starts_with("F:"));
  } else {
    Check(lists->size() <= bytes.size());
    CheckJudged(*lists, message, "");
    CheckJudged(*lists, message, "mx.example");
  }
  static const SenderLists kKnown =
      *SenderLists::Parse("allow domain bank.example\nblock sender a@b.c\nallow list-id l.bank.example", "F");
  CheckJudged(kKnown, message, "");
  CheckJudged(kKnown, message, "mx.example");
  return 0;
}
