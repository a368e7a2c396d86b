#include "pipeline/commands/manual_text.h"

#include <fmt/format.h>

namespace thresher::pipeline {
namespace {

// What stands for `c` in roff. In words to be typed, - must not become a hyphen.
void Escape(char c, bool to_be_typed, std::string* out) {
  switch (c) {
    case '\\':
      *out += "\\e";
      break;
    case '~':
      *out += "\\(ti";
      break;
    case '^':
      *out += "\\(ha";
      break;
    case '`':
      *out += "\\(ga";
      break;
    case '-':
      *out += to_be_typed ? "\\-" : "-";
      break;
    default:
      *out += c;
  }
}

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) Escape(c, true, &out);
  return out;
}

// If `text` begins with "[name](address)", its length and the name.
size_t LinkLength(std::string_view text, std::string_view* name) {
  const size_t middle = text.find("](");
  const size_t end = text.find(')', middle);
  if (!text.starts_with('[') || middle == std::string_view::npos || end == std::string_view::npos) return 0;
  *name = text.substr(1, middle - 1);
  return name->find('[') == std::string_view::npos ? end + 1 : 0;
}

// The bytes of a word as roff reads it: mandoc first turns what is not ASCII into \[uXXXX].
size_t Width(std::string_view word) {
  size_t width = 0;
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    const bool continues = (byte & 0xc0) == 0x80;
    width += byte < 0x80 ? 1 : continues ? 0 : 8;
  }
  return width;
}

// Lines of at most 78 bytes, which roff fills. None begins with what roff takes for a command.
std::string Filled(std::string_view text) {
  constexpr size_t kColumns = 78;
  std::string out;
  size_t column = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (column > 0 && column + 1 + Width(word) > kColumns) {
      out += '\n';
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    if (column == 0 && (word.front() == '.' || word.front() == '\'')) out += "\\&";
    out += word;
    column += Width(word);
  }
  return out + '\n';
}

// As it stands, without the indentation of its first line.
std::string Shown(std::string_view paragraph) {
  const size_t indentation = std::min(paragraph.find_first_not_of(' '), paragraph.size());
  std::string out = ".PP\n.RS 4\n.nf\n";
  while (!paragraph.empty()) {
    const size_t end = std::min(paragraph.find('\n'), paragraph.size());
    std::string_view line = paragraph.substr(0, end);
    line.remove_prefix(std::min(indentation, line.size()));
    if (line.starts_with('.') || line.starts_with('\'')) out += "\\&";
    out += Escaped(line) + '\n';
    paragraph.remove_prefix(std::min(end + 1, paragraph.size()));
  }
  return out + ".fi\n.RE\n";
}

// One line of text in roff, not filled.
std::string Marked(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    const size_t code_end = c == '`' ? text.find('`', 1) : std::string_view::npos;
    std::string_view name;
    if (code_end != std::string_view::npos) {
      out += Bold(text.substr(1, code_end - 1));
      text.remove_prefix(code_end + 1);
    } else if (const size_t length = LinkLength(text, &name)) {
      out += Marked(name);
      text.remove_prefix(length);
    } else {
      // The dashes of a flag, or of a negative number.
      const bool begins_word =
          out.empty() || out.ends_with(' ') || out.ends_with('(') || out.ends_with("\\-");
      Escape(c == '\n' ? ' ' : c, begins_word, &out);
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace

std::string Bold(std::string_view words) { return fmt::format("\\fB{}\\fR", Escaped(words)); }

std::string Italic(std::string_view words) { return fmt::format("\\fI{}\\fR", Escaped(words)); }

std::string ManualLine(std::string_view text) { return Filled(Marked(text)); }

std::string ManualParagraphs(std::string_view text) {
  std::string out;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
    if (text.empty()) return out;
    const size_t end = std::min(text.find("\n\n"), text.size());
    const std::string_view paragraph = text.substr(0, end);
    text.remove_prefix(end);
    if (paragraph.starts_with(' ')) {
      out += Shown(paragraph);
    } else {
      out += (out.empty() ? "" : ".PP\n") + ManualLine(paragraph);
    }
  }
}

}  // namespace thresher::pipeline
