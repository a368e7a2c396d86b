#include "tokenizer/domain_name.h"

#include <unicode/uidna.h>

#include <array>
#include <cstdint>
#include <memory>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kDomainBytes = 255;  // of DNS; encoding takes time quadratic in them

struct CloseIdna {
  void operator()(UIDNA* idna) const { uidna_close(idna); }
};

// Null if ICU's data is not installed. Many threads may use it.
const UIDNA* Idna() {
  static const std::unique_ptr<UIDNA, CloseIdna> idna = [] {
    UErrorCode status = U_ZERO_ERROR;
    return std::unique_ptr<UIDNA, CloseIdna>(uidna_openUTS46(UIDNA_NONTRANSITIONAL_TO_ASCII, &status));
  }();
  return idna.get();
}

}  // namespace

std::string AsciiDomain(std::string_view domain) {
  std::string name(domain);
  if (AsciiPrefix(domain) == domain.size() || domain.size() > kDomainBytes || Idna() == nullptr) return name;
  std::array<char, 2 * kDomainBytes> ascii{};
  UErrorCode status = U_ZERO_ERROR;
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  const int32_t size =
      uidna_nameToASCII_UTF8(Idna(), name.data(), static_cast<int32_t>(name.size()), ascii.data(),
                             static_cast<int32_t>(ascii.size()), &info, &status);
  if (U_SUCCESS(status) && info.errors == 0 && size > 0) name.assign(ascii.data(), static_cast<size_t>(size));
  return name;
}

}  // namespace thresher::tokenizer
