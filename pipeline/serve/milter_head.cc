#include "pipeline/serve/milter_head.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "pipeline/serve/milter_packet.h"
#include "tokenizer/ascii.h"
#include "tokenizer/thresher_headers.h"

namespace thresher::pipeline {
namespace {

// "Name:value\n"
std::string_view HeaderAt(const MilterMessage& message, size_t i) {
  const size_t end = i + 1 < message.headers.size() ? message.headers[i + 1] : message.head_end;
  return std::string_view(message.text).substr(message.headers[i], end - message.headers[i]);
}

std::string_view NameOf(std::string_view header) { return header.substr(0, header.find(':')); }

struct Change {
  size_t header = 0;
  uint32_t number = 0;  // among those of its name, from 1
  std::string value;    // empty: the header goes
};

// A Subject with the tag, unless it has it.
std::string Tagged(std::string_view header, std::string_view tag) {
  std::string tagged(header);
  const auto place = tokenizer::PlaceOfSubjectTag(header);
  if (place && !tokenizer::HasSubjectTag(header, *place, tag)) tagged.insert(*place, std::string(tag) + ' ');
  return tagged;
}

std::vector<Change> ChangesOf(const MilterMessage& message, std::string_view tag,
                              const tokenizer::OwnMarks& own) {
  std::vector<Change> changes;
  std::string buffer;
  std::string tagged;
  for (size_t i = 0; i < message.headers.size(); ++i) {
    const std::string_view header = HeaderAt(message, i);
    std::string_view kept = tokenizer::WithoutThresherHeaders(header, &buffer, own);
    if (!tag.empty() && tokenizer::EqualsIgnoringCase(NameOf(header), "subject")) {
      kept = tagged = Tagged(kept, tag);
      tag = {};
    }
    if (kept == header) continue;
    Change& change = changes.emplace_back();
    change.header = i;
    const std::string_view begin = header.substr(0, NameOf(header).size() + 1);
    if (!kept.starts_with(begin)) continue;
    kept.remove_prefix(begin.size());
    if (kept.ends_with('\n')) kept.remove_suffix(1);
    change.value = kept;
  }
  return changes;
}

// Sorts the headers by name, so that the time for many of them is not that of all with all.
void NumberByName(const MilterMessage& message, std::vector<Change>* changes) {
  std::vector<std::pair<std::string, size_t>> names;
  for (size_t i = 0; i < message.headers.size(); ++i)
    names.emplace_back(tokenizer::LowerAscii(NameOf(HeaderAt(message, i))), i);
  std::sort(names.begin(), names.end());
  std::vector<uint32_t> numbers(names.size());
  uint32_t number = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    number = i > 0 && names[i].first == names[i - 1].first ? number + 1 : 1;
    numbers[names[i].second] = number;
  }
  for (Change& change : *changes) change.number = numbers[change.header];
}

std::string HeaderData(uint32_t number, std::string_view name, std::string_view value) {
  std::string data;
  AppendMilterNumber(number, &data);
  data.append(name).push_back('\0');
  data.append(value).push_back('\0');
  return data;
}

}  // namespace

std::string PacketsOfMarks(const MilterMessage& message, const Marks& marks, const tokenizer::OwnMarks& own) {
  std::vector<Change> changes = ChangesOf(message, marks.tag, own);
  if (!changes.empty()) NumberByName(message, &changes);
  std::string packets;
  // From the last one: whether those that stay are numbered anew does not matter then.
  std::reverse(changes.begin(), changes.end());
  for (const Change& change : changes) {
    const std::string_view name = NameOf(HeaderAt(message, change.header));
    AppendMilterPacket(kMilterChangeHeader, HeaderData(change.number, name, change.value), &packets);
  }
  std::vector<std::string_view> lines;
  for (std::string_view left = marks.lines; !left.empty();) lines.push_back(TakeMarkLine(&left));
  // Place 1 is below the Received header of the server itself; each goes above the one before.
  std::reverse(lines.begin(), lines.end());
  for (const std::string_view line : lines) {
    const std::string_view name = NameOf(line);
    AppendMilterPacket(kMilterInsertHeader, HeaderData(1, name, line.substr(name.size() + 1)), &packets);
  }
  return packets;
}

}  // namespace thresher::pipeline
