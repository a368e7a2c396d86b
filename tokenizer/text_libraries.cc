#include "tokenizer/text_libraries.h"

#include <gmime/gmime.h>
#include <unicode/uversion.h>

#include <array>
#include <string>

#include "tokenizer/options.h"

namespace thresher::tokenizer {

std::string TextLibraries() {
  UVersionInfo icu = {};
  u_getVersion(icu);
  std::array<char, U_MAX_VERSION_STRING_LENGTH> icu_text = {};
  u_versionToString(icu, icu_text.data());
  return "tokens " + std::to_string(kTokenizerRevision) + ", ICU " + icu_text.data() + ", GMime " +
         std::to_string(gmime_major_version) + "." + std::to_string(gmime_minor_version) + "." +
         std::to_string(gmime_micro_version);
}

}  // namespace thresher::tokenizer
