#include "tokenizer/body_tokens.h"

#include <algorithm>
#include <array>

#include "tokenizer/ascii.h"
#include "tokenizer/calendar_tokens.h"
#include "tokenizer/digest.h"
#include "tokenizer/part_description.h"
#include "tokenizer/shape.h"

namespace thresher::tokenizer {
namespace {

// What follows comments of HTML, declarations of XML and byte order marks at the beginning.
std::string_view BehindComments(std::string_view utf8) {
  constexpr std::string_view kMark = "\uFEFF";
  while (true) {
    utf8 = Trim(utf8);
    std::string_view end;
    if (utf8.starts_with(kMark)) {
      end = kMark;
    } else if (utf8.starts_with("<!--")) {
      end = "-->";
    } else if (utf8.starts_with("<?")) {
      end = ">";
    } else {
      return utf8;
    }
    const size_t begin = end == kMark ? 0 : 2;
    const size_t at = utf8.find(end, begin);
    if (at == std::string_view::npos) return {};
    utf8.remove_prefix(at + end.size());
  }
}

// Spam often declares text/plain, or nothing, and contains HTML.
bool LooksLikeHtml(std::string_view utf8) {
  utf8 = BehindComments(utf8);
  constexpr auto kStarts = std::to_array<std::string_view>({"<html", "<!doctype html", "<body", "<head"});
  for (const std::string_view start : kStarts) {
    if (StartsWithIgnoringCase(utf8, start)) return true;
  }
  return false;
}

// The charset that a page names in a <meta> near its beginning, where browsers look for it; empty if there is
// none.
std::string CharsetInPage(std::string_view html) {
  constexpr size_t kLookedAt = 1024;
  constexpr std::string_view kName = "charset";
  const std::string head = LowerAscii(html.substr(0, kLookedAt));
  const size_t meta = head.find("<meta");
  const size_t name = meta == std::string::npos ? meta : head.find(kName, meta);
  if (name == std::string::npos) return {};
  std::string_view rest = Trim(std::string_view(head).substr(name + kName.size()));
  if (!rest.starts_with('=')) return {};
  rest.remove_prefix(std::min(rest.find_first_not_of("= \t\r\n\"'"), rest.size()));
  return std::string(rest.substr(0, rest.find_first_of(" \t\r\n\"';>/")));
}

// Also by its first bytes: spam declares other types.
bool IsPdf(const MimePart& part, bool is_readable) {
  const size_t start = is_readable ? 5 : 1024;  // readers look so far; a text may only tell of it
  return part.type == "application/pdf" ||
         part.bytes.substr(0, start).find("%PDF-") != std::string_view::npos;
}

bool IsFile(const MimePart& part) { return !part.filename.empty() || part.disposition == "attachment"; }

}  // namespace

BodyTokens::BodyTokens(const Options* options, CharsetConverter* charset, WordTokens* words,
                       FeatureBuilder* builder)
    : options_(options),
      charset_(charset),
      words_(words),
      builder_(builder),
      links_(builder),
      disguises_(builder) {}

void BodyTokens::AddMail(const MessageHead& mail, const Senders& senders) {
  const MimeLimits limits = {
      .depth = options_->mime_depth, .parts = options_->mime_parts, .decoded_bytes = options_->decoded_bytes};
  size_t parts = 0;
  composition_ = {};
  from_ = senders.from;
  links_.Start(DomainOf(from_));
  const MimeCut cut = WalkMime(mail, limits, [&](const MimePart& part) {
    ++parts;
    AddPart(part);
  });
  if (cut != MimeCut::kNothing) builder_->SetTruncated();
  if (cut != MimeCut::kNothing && options_->body_words)
    builder_->Add("mime:", cut == MimeCut::kText ? "cut" : "files-cut");
  if (options_->body_words) builder_->Add("mime:parts:", Bucket(parts).Text());
  if (options_->composition && options_->body_words) AddComposition();
}

void BodyTokens::AddDocument(std::string_view bytes) {
  if (bytes.size() > options_->decoded_bytes) {
    bytes = bytes.substr(0, options_->decoded_bytes);
    builder_->SetTruncated();
  }
  composition_ = {};
  from_.clear();
  links_.Start({});
  AddText(charset_->ToUtf8(bytes, {}));
}

void BodyTokens::AddPart(const MimePart& part) {
  if (options_->body_words) {
    AddDeclared("mime:type:", part.type);
    AddDeclared("mime:charset:", part.charset);
    AddDeclared("mime:encoding:", part.encoding);
    AddDeclared("mime:disposition:", part.disposition);
  }
  AddInnerHead(part);
  const bool is_readable = IsReadable(part.type, part.filename);
  if (is_readable && (!part.bytes.empty() || !HoldsParts(part.type))) AddReadable(part);
  if (part.type.starts_with("image/")) ++composition_.images;
  if (options_->link_targets && IsPdf(part, is_readable)) links_.AddPdf(part.bytes);
  const bool is_text = part.type.starts_with("text/") && !part.is_beside_root;
  // Of an embedded message, programs show the name, or the subject.
  if (options_->attachments && part.type.starts_with("message/")) AddFileName(part.filename);
  if (HoldsParts(part.type) || (is_text && !IsFile(part))) return;
  ++composition_.files;
  if (options_->attachments) AddAttachment(part);
}

void BodyTokens::AddReadable(const MimePart& part) {
  const bool is_calendar = IsCalendar(part.type, part.filename);
  const bool is_page = !is_calendar && (part.type == "text/html" || IsWebFile(part.type, part.filename));
  std::string charset(part.charset);
  if (is_page && charset.empty()) {
    charset = CharsetInPage(part.bytes);
    if (!charset_->IsOfPages(charset)) charset.clear();
  }
  if (is_calendar) UnfoldCalendar(part.bytes, &unfolded_);
  const std::string_view utf8 = charset_->ToUtf8(is_calendar ? unfolded_ : part.bytes, charset);
  if (part.is_beside_root && !IsFile(part) && part.type.starts_with("text/")) {
    AddBesideRoot(utf8, is_page || LooksLikeHtml(utf8));
  } else if (is_calendar) {
    AddCalendarFile(utf8);
  } else if (is_page) {
    AddHtml(utf8);
  } else if (LooksLikeHtml(utf8)) {
    AddHtml(utf8);
    AddText(utf8);  // some programs show what is between the tags, others the tags as well
  } else {
    composition_.plain_words += AddText(utf8);
  }
}

void BodyTokens::AddDeclared(std::string_view field, std::string_view value) {
  if (!value.empty()) builder_->Add(field, Printable(value, &scratch_));
}

void BodyTokens::AddAttachment(const MimePart& part) {
  AddDeclared("attachment:type:", part.type);
  AddFileName(part.filename);
  builder_->Add("attachment:size:", Bucket(part.bytes.size()).Text());
  builder_->Add("attachment:digest:", DigestOf(part.bytes));
}

void BodyTokens::AddFileName(std::string_view filename) {
  if (filename.empty()) return;
  words_->Add("attachment:name:", filename);
  const size_t dot = filename.rfind('.');
  if (dot != std::string_view::npos) words_->Add("attachment:extension:", filename.substr(dot));
}

void BodyTokens::AddCalendarFile(std::string_view utf8) {
  ReadCalendar(utf8, &calendar_);
  if (options_->body_words) AddCalendar(calendar_, from_, builder_);
  composition_.plain_words += AddText(calendar_.text);
  calendar_.pages.ForEach([this](std::string_view page) { AddHtml(page); });
}

// Programs show who sent an embedded message, and its subject, above its text.
void BodyTokens::AddInnerHead(const MimePart& part) {
  for (const std::string_view value : {part.inner_from, part.inner_subject}) {
    if (value.empty()) continue;
    const std::string_view text = charset_->DecodeHeader(value);
    if (options_->disguises && !part.is_beside_root) disguises_.Add("body:", text);
    if (options_->body_words && part.is_beside_root) words_->Add("hidden:", text);
    if (options_->body_words && !part.is_beside_root) AddWords("body:", text);
    AddUrls(text);
  }
}

// Mail programs show the root alone, so the sender may write there what looks like ham; but links can be
// followed where the part is opened.
void BodyTokens::AddBesideRoot(std::string_view utf8, bool is_page) {
  if (is_page) Render(utf8);
  const std::string_view text = is_page ? rendering_.text : utf8;
  if (options_->body_words) words_->Add("hidden:", text);
  AddUrls(text);
  if (is_page) AddUnseenOfPage();
}

void BodyTokens::Render(std::string_view page) {
  if (options_->link_targets) links_.AddScripts(page);
  RenderHtml(page, options_->html_depth, &rendering_);
  if (rendering_.truncated) builder_->SetTruncated();
}

void BodyTokens::AddHtml(std::string_view utf8) {
  composition_.has_html = true;
  Render(utf8);
  rendering_.structure.ForEach([&](std::string_view token) {
    if (token == "external-image" || token == "attached-image") ++composition_.images;
  });
  if (options_->html_structure) {
    rendering_.structure.ForEach([&](std::string_view token) { builder_->Add("html:", token); });
  }
  composition_.html_words += AddText(rendering_.text);
  AddUnseenOfPage();
}

void BodyTokens::AddUnseenOfPage() {
  if (options_->body_words) words_->Add("hidden:", rendering_.hidden_text);
  AddUrls(rendering_.hidden_text);
  AddUrls(rendering_.unrendered);
  if (WantsUrls()) AddLinks();
}

size_t BodyTokens::AddText(std::string_view utf8) {
  size_t words = 0;
  if (options_->disguises) disguises_.Add("body:", utf8);
  if (options_->body_words) {
    words = AddWords("body:", utf8);
    builder_->Add("shape:length:", Bucket(utf8.size()).Text());
  }
  AddUrls(utf8);
  return words;
}

void BodyTokens::AddUrls(std::string_view utf8) {
  if (WantsUrls()) ForEachUrl(utf8, [&](const Url& url, std::string_view text) { AddUrl(url, text); });
}

bool BodyTokens::WantsUrls() const {
  return options_->urls || options_->link_targets || options_->disguises || options_->composition;
}

size_t BodyTokens::AddWords(std::string_view field, std::string_view utf8) {
  return options_->word_pairs ? words_->AddWithPairs(field, utf8) : words_->Add(field, utf8);
}

void BodyTokens::AddComposition() {
  const Composition& c = composition_;
  const size_t words = std::max(c.plain_words, c.html_words);
  builder_->Add("composition:words:", Bucket(words).Text());
  builder_->Add("composition:images:", Bucket(c.images).Text());
  builder_->Add("composition:links:", Bucket(c.links).Text());
  builder_->Add("composition:", c.has_html ? "html" : "plain",
                c.plain_words > 0 && c.has_html ? "-and-plain" : "");
  if (words < 10) {
    builder_->Add("composition:", "no-text", c.images > 0 ? "-but-images" : c.files > 0 ? "-but-files" : "");
    if (c.links > 0) builder_->Add("composition:", "no-text-but-links");
  }
  if (c.plain_words > 0 && c.html_words > 0) {
    const bool alike = 2 * c.plain_words > c.html_words && 2 * c.html_words > c.plain_words;
    builder_->Add("composition:alternatives:", alike                          ? "alike"
                                               : c.plain_words > c.html_words ? "plain-longer"
                                                                              : "html-longer");
  }
}

void BodyTokens::AddLinks() {
  rendering_.links.ForEach([&](std::string_view link) {
    if (ParseUrl(link, &url_)) {
      AddUrl(url_, link);
    } else if (options_->link_targets) {
      links_.AddOther(link);
    }
  });
}

void BodyTokens::AddUrl(const Url& url, std::string_view text) {
  ++composition_.links;
  if (options_->disguises) disguises_.AddHost(url.host);
  if (options_->link_targets) links_.Add(url, text);
  if (!options_->urls) return;
  builder_->Add("url:scheme:", url.scheme);
  builder_->Add("url:host:", url.host);
  for (const std::string& suffix : url.host_suffixes) builder_->Add("url:suffix:", suffix);
  for (const std::string& word : url.path_words) builder_->Add("url:path:", word);
  if (url.has_user) builder_->Add("url:", "has-user");
  if (url.has_port) builder_->Add("url:", "has-port");
  if (url.is_address) builder_->Add("url:", "is-address");
  if (url.is_obfuscated) builder_->Add("url:", "is-obfuscated");
}

}  // namespace thresher::tokenizer
