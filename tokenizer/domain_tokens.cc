#include "tokenizer/domain_tokens.h"

namespace thresher::tokenizer {
namespace {

constexpr int kMaxDomains = 4;

}  // namespace

void AddDomain(std::string_view field, std::string_view domain, FeatureBuilder* builder) {
  for (int i = 0; i < kMaxDomains; ++i) {
    builder->Add(field, domain);
    const size_t dot = domain.find('.');
    if (dot == std::string_view::npos || domain.find('.', dot + 1) == std::string_view::npos) return;
    domain.remove_prefix(dot + 1);
  }
}

}  // namespace thresher::tokenizer
