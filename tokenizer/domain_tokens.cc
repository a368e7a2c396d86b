#include "tokenizer/domain_tokens.h"

#include "tokenizer/domain_name.h"

namespace thresher::tokenizer {

void AddDomain(std::string_view field, std::string_view domain, FeatureBuilder* builder) {
  builder->Add(field, domain);
  ForEachDomainAbove(domain, [&](std::string_view above) { builder->Add(field, above); });
}

}  // namespace thresher::tokenizer
