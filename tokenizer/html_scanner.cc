#include "tokenizer/html_scanner.h"

#include <algorithm>
#include <array>

#include "tokenizer/ascii.h"
#include "tokenizer/html_elements.h"

namespace thresher::tokenizer {
namespace {

constexpr std::string_view kCdata = "<![CDATA[";
constexpr size_t kMaxAttributes = 64;
// Kept beyond the limit, which otherwise would hide where a link leads, or what readers see or do not see.
constexpr auto kAlwaysKept = std::to_array<std::string_view>(
    {"href",        "xlink:href", "src",    "action", "formaction",    "content", "http-equiv",
     "background",  "style",      "alt",    "type",   "value",         "data",    "poster",
     "ping",        "from",       "to",     "values", "attributename", "hidden",  "color",
     "text",        "bgcolor",    "size",   "face",   "class",         "id",      "open",
     "placeholder", "width",      "height", "align",  "encoding"});

bool EndsTagName(char c) { return IsAsciiSpace(c) || c == '/' || c == '>'; }

// Of attributes with the same name, browsers take the first.
bool IsKept(const HtmlAttribute& attribute, const std::vector<HtmlAttribute>& before) {
  const auto is_same = [&](const HtmlAttribute& other) {
    return other.key == attribute.key && EqualsIgnoringCase(other.name, attribute.name);
  };
  if (std::any_of(before.begin(), before.end(), is_same)) return false;
  return before.size() < kMaxAttributes ||
         std::any_of(kAlwaysKept.begin(), kAlwaysKept.end(),
                     [&](std::string_view name) { return EqualsIgnoringCase(attribute.name, name); });
}

// Reads the attributes between a tag's name and its '>'.
class AttributeReader {
 public:
  AttributeReader(std::string_view html, size_t position) : html_(html), position_(position) {}

  // The next attribute, or false at the tag's end.
  bool Next(HtmlAttribute* attribute) {
    const size_t begin = position_;
    SkipWhile([](char c) { return IsAsciiSpace(c) || c == '/'; });
    closes_itself_ = position_ > begin && html_[position_ - 1] == '/';
    if (AtEnd() || html_[position_] == '>') return false;
    const size_t name = position_++;  // even '=' may begin a name
    SkipWhile([](char c) { return !EndsTagName(c) && c != '='; });
    attribute->name = html_.substr(name, position_ - name);
    attribute->key = HtmlNameKey(attribute->name);
    attribute->value = {};
    SkipWhile(IsAsciiSpace);
    if (!AtEnd() && html_[position_] == '=') {
      ++position_;
      SkipWhile(IsAsciiSpace);
      attribute->value = Value();
    }
    return true;
  }

  bool AtEnd() const { return position_ >= html_.size(); }
  size_t position() const { return position_; }
  // Whether a slash stands before the tag's end. REQUIRES: Next returned false.
  bool closes_itself() const { return closes_itself_; }

 private:
  template <typename Predicate>
  void SkipWhile(const Predicate& predicate) {
    while (!AtEnd() && predicate(html_[position_])) ++position_;
  }

  std::string_view Value() {
    if (AtEnd()) return {};
    const char quote = html_[position_];
    if (quote == '"' || quote == '\'') {
      const size_t begin = position_ + 1;
      const size_t end = std::min(html_.find(quote, begin), html_.size());
      position_ = std::min(end + 1, html_.size());
      return html_.substr(begin, end - begin);
    }
    const size_t begin = position_;
    SkipWhile([](char c) { return !IsAsciiSpace(c) && c != '>'; });
    return html_.substr(begin, position_ - begin);
  }

  std::string_view html_;
  size_t position_;
  bool closes_itself_ = false;
};

}  // namespace

const HtmlAttribute* FindAttribute(const HtmlToken& tag, uint64_t key) {
  const auto found = std::find_if(tag.attributes.begin(), tag.attributes.end(),
                                  [key](const HtmlAttribute& attribute) { return attribute.key == key; });
  return found == tag.attributes.end() ? nullptr : &*found;
}

bool HtmlScanner::Next(HtmlToken* token, bool is_foreign) {
  if (rest_.empty()) return false;
  token->attributes.clear();
  if (rest_[0] != '<' || !TakeMarkup(token, is_foreign)) TakeText(token);
  return true;
}

void HtmlScanner::TakeText(HtmlToken* token) {
  const size_t end = std::min(rest_.find('<', 1), rest_.size());
  token->kind = HtmlToken::Kind::kText;
  token->text = rest_.substr(0, end);
  rest_.remove_prefix(end);
}

// Returns false if the '<' is text.
bool HtmlScanner::TakeMarkup(HtmlToken* token, bool is_foreign) {
  if (rest_.starts_with("<!--")) {
    TakeDashComment(token);
    return true;
  }
  if (is_foreign && rest_.starts_with(kCdata)) {
    TakeCdata(token);
    return true;
  }
  if (rest_.size() < 2) return false;
  const bool is_end = rest_[1] == '/';
  const size_t name = is_end ? 2 : 1;
  if (name < rest_.size() && IsAsciiLetter(rest_[name])) return TakeTag(token);
  if (!is_end && rest_[1] != '!' && rest_[1] != '?') return false;
  // As in browsers, what looks like a tag and is none is a comment up to the next '>'.
  const size_t end = std::min(rest_.find('>'), rest_.size());
  TakeComment(name, end, end + 1, token);
  return true;
}

bool HtmlScanner::TakeTag(HtmlToken* token) {
  const bool is_end = rest_[1] == '/';
  const size_t name = is_end ? 2 : 1;
  size_t end = name;
  while (end < rest_.size() && !EndsTagName(rest_[end])) ++end;
  AttributeReader reader(rest_, end);
  for (HtmlAttribute attribute{}; reader.Next(&attribute);) {
    if (IsKept(attribute, token->attributes)) token->attributes.push_back(attribute);
  }
  token->closes_itself = reader.closes_itself();
  token->kind = is_end ? HtmlToken::Kind::kEndTag : HtmlToken::Kind::kStartTag;
  token->text = rest_.substr(name, end - name);
  token->key = HtmlNameKey(token->text);
  rest_.remove_prefix(std::min(reader.position() + 1, rest_.size()));
  return true;
}

void HtmlScanner::TakeComment(size_t begin, size_t end, size_t size, HtmlToken* token) {
  token->kind = HtmlToken::Kind::kComment;
  token->text = rest_.substr(begin, end - begin);
  rest_.remove_prefix(std::min(size, rest_.size()));
}

// Ends at "-->" or "--!>"; "<!-->" and "<!--->" are whole comments.
void HtmlScanner::TakeDashComment(HtmlToken* token) {
  constexpr size_t kBegin = 4;
  if (rest_.substr(kBegin).starts_with('>')) return TakeComment(kBegin, kBegin, kBegin + 1, token);
  if (rest_.substr(kBegin).starts_with("->")) return TakeComment(kBegin, kBegin, kBegin + 2, token);
  for (size_t dash = rest_.find("--", kBegin); dash != std::string_view::npos;
       dash = rest_.find("--", dash + 1)) {
    const std::string_view after = rest_.substr(dash + 2);
    if (after.starts_with('>')) return TakeComment(kBegin, dash, dash + 3, token);
    if (after.starts_with("!>")) return TakeComment(kBegin, dash, dash + 4, token);
  }
  TakeComment(kBegin, rest_.size(), rest_.size(), token);
}

void HtmlScanner::TakeCdata(HtmlToken* token) {
  constexpr std::string_view kEnd = "]]>";
  const size_t end = std::min(rest_.find(kEnd, kCdata.size()), rest_.size());
  token->kind = HtmlToken::Kind::kText;
  token->text = rest_.substr(kCdata.size(), end - kCdata.size());
  rest_.remove_prefix(std::min(end + kEnd.size(), rest_.size()));
}

// Behind "<!--", a script may hold tags of others, as far as "-->".
size_t HtmlScanner::EndOfScript() const {
  enum class Within { kScript, kComment, kInnerScript } within = Within::kScript;
  const auto is_tag = [](std::string_view text, std::string_view tag) {
    return StartsWithIgnoringCase(text, tag) && text.size() > tag.size() && EndsTagName(text[tag.size()]);
  };
  for (size_t i = rest_.find_first_of("<-"); i < rest_.size(); i = rest_.find_first_of("<-", i + 1)) {
    const std::string_view text = rest_.substr(i);
    if (text.starts_with("-->")) {
      within = Within::kScript;
    } else if (is_tag(text, "</script")) {
      if (within != Within::kInnerScript) return i;
      within = Within::kComment;
    } else if (within == Within::kComment && is_tag(text, "<script")) {
      within = Within::kInnerScript;
    } else if (within == Within::kScript && text.starts_with("<!--")) {
      within = Within::kComment;
    }
  }
  return rest_.size();
}

std::string_view HtmlScanner::TakeRawText(std::string_view name) {
  if (EqualsIgnoringCase(name, "script")) {
    const std::string_view script = rest_.substr(0, EndOfScript());
    rest_.remove_prefix(script.size());
    return script;
  }
  size_t end = rest_.find("</");
  for (; end != std::string_view::npos; end = rest_.find("</", end + 2)) {
    const std::string_view after = rest_.substr(end + 2);
    if (StartsWithIgnoringCase(after, name) &&
        (after.size() == name.size() || EndsTagName(after[name.size()]))) {
      break;
    }
  }
  const std::string_view raw = rest_.substr(0, end);
  rest_.remove_prefix(raw.size());
  return raw;
}

}  // namespace thresher::tokenizer
