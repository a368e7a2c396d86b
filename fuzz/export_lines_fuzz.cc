// A line of an export of any bytes is refused, or its members can be read. Any bytes can be the text of a
// member.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "pipeline/export/flat_object.h"

namespace {

using thresher::pipeline::FlatObject;

constexpr std::string_view kKeys[] = {"id",      "seq",  "time",       "label", "evidence",
                                      "row_hex", "text", "message_id", ""};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto line = FlatObject::Parse(bytes)) {
    for (const std::string_view key : kKeys) {
      const bool is_there = line->Unsigned(key) || line->Signed(key);
      if (is_there && !line->Has(key)) std::abort();
      static_cast<void>(line->Text(key));
      static_cast<void>(line->Hex(key));
    }
  }
  nlohmann::ordered_json object;
  thresher::pipeline::SetText("text", bytes, &object);
  thresher::pipeline::SetHex("features", bytes, &object);
  const auto again = FlatObject::Parse(thresher::pipeline::LineOf(object));
  if (!again || again->Text("text") != bytes || again->Hex("features") != bytes) std::abort();
  return 0;
}
