// What a calendar says is within what it has, and lines lose only what folds them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tokenizer/calendar.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::string unfolded;
  thresher::tokenizer::UnfoldCalendar(bytes, &unfolded);
  const auto folded = [](std::string_view text) {
    return text.find("\n ") != std::string_view::npos || text.find("\n\t") != std::string_view::npos;
  };
  if (unfolded.size() > size || folded(bytes) != (unfolded.size() < size)) std::abort();
  thresher::tokenizer::Calendar calendar;
  thresher::tokenizer::ReadCalendar(unfolded, &calendar);
  const auto lines = static_cast<size_t>(std::ranges::count(unfolded, '\n')) + 1;
  size_t shown = calendar.text.size();
  calendar.pages.ForEach([&](std::string_view page) { shown += page.size(); });
  if (shown > unfolded.size() + 1 || calendar.attendees > lines) std::abort();
  return 0;
}
