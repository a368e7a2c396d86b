// Undoes the transfer encoding of a part: base64, quoted-printable or uuencode, also what is not quite that.
//
// Called by mime.cc. Accepts any bytes; linear time. Thread-safety: a TransferDecoder serves one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thresher::tokenizer {

class TransferDecoder {
 public:
  // The content of a part with this Content-Transfer-Encoding. Stops soon after `limit` bytes. The view holds
  // until the next call, or is `raw`.
  std::string_view Decode(const std::string& encoding, std::string_view raw, size_t limit);

 private:
  void DecodeBase64(std::string_view raw, size_t limit);
  void DecodeUuencoded(std::string_view raw, size_t limit);

  std::string decoded_;
};

}  // namespace thresher::tokenizer
