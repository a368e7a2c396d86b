// Removing thresher's headers leaves none that the head scanner finds, changes nothing when it is done again,
// and a message that `filter` wrote comes out of it as it went in.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tokenizer/ascii.h"
#include "tokenizer/message_head.h"
#include "tokenizer/own_marks.h"
#include "tokenizer/thresher_headers.h"

namespace {

using thresher::tokenizer::HeaderField;
using thresher::tokenizer::HeaderPlace;
using thresher::tokenizer::MessageHead;
using thresher::tokenizer::OwnMarks;
using thresher::tokenizer::RemoveThresherHeaders;
using thresher::tokenizer::WithoutThresherHeaders;

void Check(bool holds) {
  if (!holds) std::abort();
}

std::string Without(std::string message) {
  RemoveThresherHeaders(&message, OwnMarks());
  return message;
}

void CheckHead(const std::string& message) {
  const MessageHead head = thresher::tokenizer::ParseHead(message);
  std::string joined(head.from_line);
  for (const HeaderField& field : head.fields) {
    Check(!thresher::tokenizer::StartsWithIgnoringCase(field.name, thresher::tokenizer::kThresherHeader));
    joined += field.bytes;
  }
  Check(joined.append(head.rest) == message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string own = Without(std::string(bytes));
  std::string buffer;
  Check(WithoutThresherHeaders(bytes, &buffer, OwnMarks()) == own);
  Check(own.size() <= size && Without(own) == own);
  CheckHead(own);
  const HeaderPlace place = thresher::tokenizer::PlaceOfHeader(own);
  std::string filtered = own;
  filtered.insert(place.position, "X-Thresher: Ham, version=0" + std::string(place.line_end));
  Check(Without(filtered) == own);
  return 0;
}
