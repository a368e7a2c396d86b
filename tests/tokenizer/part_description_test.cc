// What the headers of a part say does not depend on the parts before it.
#include "tokenizer/part_description.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "tests/tokenizer/mime_walk.h"

namespace thresher::tokenizer {
namespace {

// Values near "multipart/mixed; boundary=x", of which descriptions are shared, and well- and malformed ones.
std::string RandomType(std::mt19937* random) {
  constexpr auto kTypes =
      std::to_array<std::string_view>({"multipart/mixed", "Multipart/Alternative", "text/html", "multipart/",
                                       "multipart", "", "\"text/html\"", "application/octet-stream",
                                       " text/plain ", "a/b/c", "text/ht ml", "'multipart/mixed'", "/"});
  constexpr auto kNames = std::to_array<std::string_view>(
      {"boundary=", "Boundary=", "boundary =", "charset=", "name=", "bound", "boundary=\"", "x="});
  constexpr auto kValues = std::to_array<std::string_view>(
      {"x", "b1", "----=_Part_7.9", "\"x\"", "x\"", "\"", "x y", "x; charset=koi8-r", "x charset=koi8-r", "",
       "(c)x", "x;name=a.svg", "\"x;name=a.svg\"", "a'b", "x\\\"y", "x,y"});
  const auto one_of = [random](const auto& all) { return std::string(all[(*random)() % all.size()]); };
  std::string type = one_of(kTypes);
  for (size_t i = (*random)() % 3; i > 0; --i)
    type +=
        one_of(std::to_array<std::string_view>({";", "; ", " ;", " "})) + one_of(kNames) + one_of(kValues);
  return type;
}

TEST(PartDescriptions, AreThoseOfEachPartByItself) {
  Parts("Content-Type: multipart/mixed; boundary=x\n\n--x--\n");  // initialises GMime
  std::mt19937 random(1);
  PartDescriptions descriptions;
  size_t with_type = 0;
  for (int i = 0; i < 50000; ++i) {
    const MimeHeaders headers{.type = RandomType(&random),
                              .disposition = random() % 4 == 0 ? "attachment; filename=a.html" : "",
                              .encoding = random() % 4 == 0 ? "BASE64" : ""};
    std::optional<PartDescription> rare;
    const PartDescription& shared = descriptions.Of(headers, &rare);
    const PartDescription own(headers);
    ASSERT_EQ(shared.type, own.type) << headers.type;
    ASSERT_EQ(shared.charset, own.charset) << headers.type;
    ASSERT_EQ(shared.filename, own.filename) << headers.type;
    ASSERT_EQ(shared.disposition, own.disposition) << headers.type;
    ASSERT_EQ(shared.encoding, own.encoding) << headers.type;
    with_type += own.type == "multipart/mixed" ? 1 : 0;
  }
  EXPECT_GT(with_type, 1000U);
}

}  // namespace
}  // namespace thresher::tokenizer
