#include "tokenizer/thresher_headers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <vector>

#include "tests/tokenizer/filtered.h"
#include "tests/tokenizer/hostile_text.h"
#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

using std::string_view_literals::operator""sv;
using ::testing::HasSubstr;

std::string Without(std::string_view message) {
  std::string copy(message);
  RemoveThresherHeaders(&copy, {});
  return copy;
}

struct Case {
  std::string_view message;
  std::string_view kept;
};

// In the order of the rules in thresher_headers.h. scripts/ask-readers asks real mail programs.
constexpr Case kCases[] = {
    {"A: b\nX-Thresher: Ham\nB: c\n\nbody\n", "A: b\nB: c\n\nbody\n"},
    {"X-Thresher: Ham\r\nA: b\r\n\r\nbody\r\n", "A: b\r\n\r\nbody\r\n"},
    {"A: b\nx-THRESHER-Note: 1\n\n", "A: b\n\n"},
    {"A: b\nX-Thresher: Ham", "A: b\n"},
    // Folded, by a sender and by another program
    {"X-Thresher: Ham, forged\n and folded\nA: b\n\n", "A: b\n\n"},
    {"X-Thresher: Spam,\r\n key=1,\r\n version=0.1.0\r\n own\r\nA: b\r\n\r\n", " own\r\nA: b\r\n\r\n"},
    // Ends of lines
    {"A: b\rX-Thresher: Ham\rB: c\n\n", "A: b\rB: c\n\n"},
    {"A: b\rX-Thresher: Ham\n\n", "A: b\n\n"},
    {"A: b\rX-Thresher: Ham\r\n\r\n", "A: b\r\n\r\n"},
    {"A: b\r\r\rX-Thresher: Ham\rX-Thresher: 2\rB: c\n\n", "A: b\rB: c\n\n"},
    {"A: b\r\rX-Thresher: Ham\n\nX-Thresher: body\r\n", "A: b\n\nX-Thresher: body\r\n"},
    {"A: b\n\rX-Thresher: Ham\n\n", "A: b\n\n"},
    {"A: b\rX-Thresher\r", "A: b\r"},
    {"A: b\rB: X-Thresher: Ham\n\n", "A: b\rB: X-Thresher: Ham\n\n"},
    // Names
    {"A: b\nX-Thresher : Ham\n\n", "A: b\n\n"},
    {"A: b\nX-Thresher\t: Ham\n\n", "A: b\n\n"},
    {"A: b\nX-Thresher\n : Ham\n\n", "A: b\n\n"},
    {"A: b\nX-Thr\resher\r: Ham\nB: c\n\n", "A: b\nB: c\n\n"},
    {"A: b\nX-Thresher\0: Ham\n\0X-\0Thresher: Ham\nB: c\n\n"sv, "A: b\nB: c\n\n"},
    {"A: b\nX-Thr\rX-Thresher: 1\resher: Ham\nB: c\n\n", "A: b\nB: c\n\n"},
    {"A: b\nX-Thre\n sher: Ham\nY-Thresher: Ham\n\n", "A: b\nX-Thre\n sher: Ham\nY-Thresher: Ham\n\n"},
    // Ends of heads
    {"A: b\n\nX-Thresher: body\n", "A: b\n\nX-Thresher: body\n"},
    {"A: b\r\n\r\nX-Thresher: body\r\n", "A: b\r\n\r\nX-Thresher: body\r\n"},
    {"A: b\n\r\nX-Thresher: Ham\n\nX-Thresher: body\n", "A: b\n\r\n\nX-Thresher: body\n"},
    {"A: b\r\n\nX-Thresher: Ham\r\n\r\nX-Thresher: body", "A: b\r\n\n\r\nX-Thresher: body"},
    {"From a\nA: b\r\n\r\nX-Thresher: Ham\r\n", "From a\nA: b\r\n\r\n"},
    {"X-Thresher: 1\r\nA: b\n\r\nX-Thresher: Ham\n\n", "A: b\n\r\n\n"},
    {"A: b\rX-Thresher: Ham\r\rX-Thresher: body\n\n", "A: b\n\n"},
    {"A: b\n \nX-Thresher: Ham\n\n", "A: b\n \n\n"},
    {"A: b\n\0\nX-Thresher: Ham\n\n"sv, "A: b\n\0\n\n"sv},
    {"no header\nX-Thresher: Ham\nno header\nX-Thresher: Ham", "no header\nno header\n"},
    {" cont\nFrom: a\nX-Thresher: Ham\n\n", " cont\nFrom: a\n\n"},
    {"\nX-Thresher: body\n", "\nX-Thresher: body\n"},
    {"From a\nX-Thresher: Ham\nA: b\nFrom c\nX-Thresher: Ham\n\n", "From a\nA: b\nFrom c\n\n"},
    {"", ""},
};

TEST(ThresherHeaders, AreRemovedAndNothingElse) {
  for (const Case& c : kCases) {
    EXPECT_EQ(Without(c.message), c.kept) << ::testing::PrintToString(c.message);
    std::string buffer;
    EXPECT_EQ(WithoutThresherHeaders(c.message, &buffer, {}), c.kept) << ::testing::PrintToString(c.message);
    EXPECT_EQ(Without(c.kept), c.kept);
  }
}

std::vector<std::string> Split(std::string_view text, bool at_cr) {
  std::vector<std::string> lines(1);
  for (size_t i = 0; i < text.size(); ++i) {
    lines.back() += text[i];
    const bool is_crlf = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (text[i] == '\n' || (at_cr && text[i] == '\r' && !is_crlf)) lines.emplace_back();
  }
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

bool IsName(std::string text) {
  std::erase(text, '\0');
  return StartsWithIgnoringCase(text, "x-thresher");
}

std::vector<std::string> PiecesBetweenCrs(const std::string& line) {
  std::vector<std::string> pieces(1);
  for (const char c : line) c == '\r' ? pieces.emplace_back() : pieces.back() += c;
  return pieces;
}

bool IsThreshers(const std::string& line) {
  std::string name;
  for (std::string piece : PiecesBetweenCrs(line)) {
    std::erase(piece, '\0');
    if (name.empty() || !IsName(piece)) name += piece;
  }
  return IsName(name);
}

// The slow and obvious twin.
std::string WithoutInLine(const std::string& line) {
  const std::vector<std::string> pieces = PiecesBetweenCrs(line);
  std::string kept = pieces[0];
  for (size_t i = 1; i < pieces.size(); ++i) {
    if (!IsName(pieces[i])) {
      kept += "\r" + pieces[i];
      continue;
    }
    while (kept.ends_with('\r')) kept.pop_back();
    if (pieces[i].ends_with('\n')) kept += "\n";
  }
  return kept;
}

std::string SlowlyWithout(std::string_view message) {
  std::string kept;
  std::string end;
  bool in_head = true;
  bool removing = false;
  for (const std::string& line : Split(message, false)) {
    const bool continues = removing && (line[0] == ' ' || line[0] == '\t');
    if (in_head && (continues || IsThreshers(line))) {
      removing = line.find("version=") == std::string::npos;
      continue;
    }
    removing = false;
    if (end.empty()) end = line.ends_with("\r\n") ? "\r\n" : "\n";
    kept += in_head ? WithoutInLine(line) : line;
    in_head = in_head && line != end;
  }
  return kept;
}

TEST(ThresherHeaders, MayFollowUntilTheHeadEndsForEveryProgram) {
  for (const std::string_view whole : {"A: b\n\nbody", "A: b\r\n\r\n", "X-Thresher: Ham\n\n", "A: b\rB\n\n"})
    EXPECT_TRUE(HasWholeHead(whole, {})) << whole;
  for (const std::string_view part : {"", "A: b", "A: b\n", "A: b\n\r\nB: c\n", "A: b\r\n\nB: c\r\n"})
    EXPECT_FALSE(HasWholeHead(part, {})) << part;
}

TEST(ThresherHeaders, AreRemovedAsByTheTwin) {
  for (uint64_t seed = 0; seed < 50000; ++seed) {
    const std::string message = HostileText(seed).Message(20);
    const std::string kept = SlowlyWithout(message);
    ASSERT_EQ(Without(message), kept) << seed << "\n" << ::testing::PrintToString(message);
    std::string buffer;
    ASSERT_EQ(WithoutThresherHeaders(message, &buffer, {}), kept) << seed;
  }
}

// How a mail program reads a head.
struct Reader {
  bool cr_ends_lines;
  bool removes_cr;
  bool removes_nul;
  bool crlf_ends_head;
};

std::vector<std::string> HeadersSeenBy(const Reader& reader, std::string_view message) {
  std::string text(message);
  if (reader.removes_nul) std::erase(text, '\0');
  std::vector<std::string> seen;
  for (std::string line : Split(text, reader.cr_ends_lines)) {
    if (reader.removes_cr) std::erase(line, '\r');
    const bool is_crlf = line == "\r\n" || line == "\r";
    if (line == "\n" || (is_crlf && reader.crlf_ends_head)) break;
    if (StartsWithIgnoringCase(line, "x-thresher")) seen.push_back(line);
  }
  return seen;
}

TEST(ThresherHeaders, EveryReaderSeesOneThatFilterWrote) {
  constexpr Reader kReaders[] = {
      {.cr_ends_lines = false, .removes_cr = false, .removes_nul = false, .crlf_ends_head = false},
      {.cr_ends_lines = false, .removes_cr = false, .removes_nul = false, .crlf_ends_head = true},
      {.cr_ends_lines = true, .removes_cr = false, .removes_nul = false, .crlf_ends_head = true},
      {.cr_ends_lines = false, .removes_cr = true, .removes_nul = false, .crlf_ends_head = true},
      {.cr_ends_lines = false, .removes_cr = false, .removes_nul = true, .crlf_ends_head = true},
      {.cr_ends_lines = true, .removes_cr = false, .removes_nul = true, .crlf_ends_head = true},
  };
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    const std::string filtered = Filtered(HostileText(seed).Message(20));
    const bool is_crlf = Split(filtered, false)[0].ends_with("\r\n");
    // For who takes CR for a line end, the head ends in such From lines, before thresher's header.
    const std::string from_lines = filtered.substr(0, PlaceOfHeader(filtered).position);
    const bool ends_before = from_lines.find("\r\r") != std::string::npos;
    for (const Reader& reader : kReaders) {
      if (is_crlf && !reader.crlf_ends_head) continue;  // reads no message in CRLF
      if (ends_before && reader.cr_ends_lines) continue;
      const std::vector<std::string> seen = HeadersSeenBy(reader, filtered);
      ASSERT_EQ(seen.size(), 1U) << seed << "\n" << ::testing::PrintToString(filtered);
      ASSERT_THAT(seen[0], HasSubstr("Unsure, probability")) << seed;
    }
  }
}

// A row of bytes that a name ignores is not looked at again for each of them.
TEST(ThresherHeaders, TakeTimeInProportionToTheMessage) {
  for (const std::string_view piece :
       {"\r"sv, "\0"sv, "\r\0"sv, "X\r"sv, "\rX-Thresher"sv, "x-thresher\n"sv, " \n"sv}) {
    std::string message = "A: b\rX";
    while (message.size() < 2U << 20) message += piece;
    const std::clock_t begin = std::clock();
    Without(message);
    // Of the processor, whatever else runs. One step for each byte takes milliseconds, a row for each
    // minutes.
    EXPECT_LT(std::clock() - begin, 10 * CLOCKS_PER_SEC) << piece;
  }
}

}  // namespace
}  // namespace thresher::tokenizer
