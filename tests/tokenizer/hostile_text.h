// Random texts that resemble messages, for property tests: pieces that are difficult for parsers, in any
// order.
#pragma once

#include <array>
#include <random>
#include <string>
#include <string_view>

namespace thresher::tokenizer {

class HostileText {
 public:
  explicit HostileText(uint64_t seed) : random_(seed) {}

  // Random pieces of heads and bodies, and sometimes a random byte.
  std::string Message(size_t max_pieces) {
    std::string text;
    const size_t pieces = random_() % (max_pieces + 1);
    for (size_t i = 0; i < pieces; ++i) {
      if (random_() % 8 == 0) {
        text += static_cast<char>(random_());
      } else {
        text += kPieces[random_() % kPieces.size()];
      }
    }
    return text;
  }

  std::mt19937_64& Random() { return random_; }

 private:
  static constexpr auto kPieces =
      std::to_array<std::string_view>({"\n",
                                       "\r\n",
                                       "\r",
                                       "\n\n",
                                       "\r\n\r\n",
                                       " ",
                                       "\t",
                                       ":",
                                       "From ",
                                       ">From ",
                                       "From joe@example.com Mon Sep  2 2002\n",
                                       "X-Thresher: Spam, version=0.1.0\n",
                                       "X-Thresher: Ham\n",
                                       "X-Thresher: Spam,\r\n key=1, version=0.1\r\n",
                                       "x-thresher-note: \n",
                                       "X-Thresher",
                                       "\rX-Thresher: Ham",
                                       "\rX-Thr\resher : Ham\r",
                                       "X-Thr",
                                       "\resher: Ham\n",
                                       std::string_view("\0", 1),
                                       "X-Spam-Status: No\n",
                                       "X-Spam:\r\n folded\r\n",
                                       "Status: RO\n",
                                       "Subject: free money",
                                       "Subject: =?utf-8?B?w6Q=?=\n",
                                       "From: Joe <joe@example.com>\n",
                                       "Message-ID: <a@b>\n",
                                       "Received: from mx (192.0.2.1)\n",
                                       " continued\n",
                                       "\tcontinued\n",
                                       "no header here\n",
                                       "Content-Type: text/html; charset=\"utf-8\"\n",
                                       "Content-Type: multipart/mixed; boundary=b\n",
                                       "--b\n",
                                       "--b--\n",
                                       "<b>bold</b>",
                                       "http://a.example/x?y",
                                       "word ",
                                       "Version: version=\n",
                                       "MIME-Version: 1.0\n",
                                       "Content-Transfer-Encoding: base64\n",
                                       "Content-Transfer-Encoding: quoted-printable\n",
                                       "Content-Type: application/pdf\n",
                                       "--b\nContent-Type: text/plain\n\n",
                                       "Authentication-Results: x; spf=pass smtp.mailfrom=a@b\n",
                                       "DKIM-Signature: d=b; s=c\n",
                                       "/URI (http://a.example)",
                                       "<script>atob('x')</script>",
                                       "http://a.example/?u=http%3A%2F%2Fb",
                                       "p\xD0\xB0y",
                                       "\xE2\x80\x8B",
                                       "aGVsbG8=\n",
                                       "\xC3\xA4",
                                       "=C3=A4"});

  std::mt19937_64 random_;
};

}  // namespace thresher::tokenizer
