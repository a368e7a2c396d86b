// Tokens of where links lead that the reader cannot see: shorteners, redirects, addresses in links, links
// that carry their content, links in PDF files, and scripts that build files in the reader's browser.
//
// Called by the body tokens. docs/tokens.md lists the tokens. Thread-safety: serves one thread.
#pragma once

#include <string>
#include <string_view>

#include "tokenizer/feature_builder.h"
#include "tokenizer/urls.h"

namespace thresher::tokenizer {

class LinkTokens {
 public:
  explicit LinkTokens(FeatureBuilder* builder) : builder_(builder) {}

  // Begins a message; its sender's domain (empty: it has none) is compared with those of links.
  void Start(std::string_view from) { from_ = from; }
  // A URL and its text.
  void Add(const Url& url, std::string_view text);
  // A link that is no URL of a host.
  void AddOther(std::string_view link);
  // A PDF file.
  void AddPdf(std::string_view bytes);
  // HTML with scripts.
  void AddScripts(std::string_view html);

 private:
  // The link that `text` names. Leaves `text` decoded and in lower case in lower_.
  void AddTarget(std::string_view text);

  FeatureBuilder* builder_;
  std::string from_;  // domain of the sender
  std::string decoded_, lower_;
  Url inner_;
};

}  // namespace thresher::tokenizer
