#include "pipeline/export/flat_object.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "tokenizer/ascii.h"
#include "tokenizer/utf8.h"

namespace thresher::pipeline {
namespace {

constexpr std::string_view kHexSuffix = "_hex";

std::string ToHex(std::string_view bytes) {
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    hex += tokenizer::kHexDigits[value >> 4];
    hex += tokenizer::kHexDigits[value & 15];
  }
  return hex;
}

std::optional<std::string> FromHex(std::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (size_t i = 0; i < hex.size(); i += 2) {
    if (!tokenizer::AppendHexByte(hex, i, &bytes)) return std::nullopt;
  }
  return bytes;
}

std::string HexKey(std::string_view key) { return std::string(key).append(kHexSuffix); }

}  // namespace

void SetText(std::string_view key, std::string_view bytes, nlohmann::ordered_json* object) {
  if (!tokenizer::IsValidUtf8(bytes)) return SetHex(key, bytes, object);
  (*object)[std::string(key)] = bytes;
}

void SetHex(std::string_view key, std::string_view bytes, nlohmann::ordered_json* object) {
  (*object)[HexKey(key)] = ToHex(bytes);
}

std::string LineOf(const nlohmann::ordered_json& object) {
  return object.dump(-1, ' ', /*ensure_ascii=*/true) + '\n';
}

// Takes what the parser finds, as long as it is flat: stops at the first nested bracket, so that deep nesting
// costs no more than the length of the line.
class FlatObject::Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Builder(FlatObject* object) : object_(object) {}

  bool null() override { return false; }
  bool boolean(bool /*value*/) override { return false; }
  bool number_integer(int64_t value) override { return Put(value); }
  bool number_unsigned(uint64_t value) override { return Put(value); }
  bool number_float(double value, const std::string& /*text*/) override { return Put(value); }
  bool string(std::string& value) override { return Put(std::move(value)); }
  bool binary(nlohmann::json::binary_t& /*value*/) override { return false; }
  bool start_object(size_t /*size*/) override { return !std::exchange(inside_, true); }
  bool end_object() override { return true; }
  bool start_array(size_t /*size*/) override { return false; }
  bool end_array() override { return false; }
  bool key(std::string& name) override {
    key_ = std::move(name);
    return object_->members_.size() < kMostMembers && !object_->members_.contains(key_);
  }
  bool parse_error(size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::json::exception& /*why*/) override {
    return false;
  }

 private:
  bool Put(Value value) { return inside_ && object_->members_.emplace(key_, std::move(value)).second; }

  FlatObject* object_;
  std::string key_;
  bool inside_ = false;
};

std::optional<FlatObject> FlatObject::Parse(std::string_view line) {
  FlatObject object;
  Builder builder(&object);
  if (!nlohmann::json::sax_parse(line, &builder)) return std::nullopt;
  return object;
}

template <class T>
const T* FlatObject::Get(std::string_view key) const {
  const auto found = members_.find(key);
  return found == members_.end() ? nullptr : std::get_if<T>(&found->second);
}

std::optional<uint64_t> FlatObject::Unsigned(std::string_view key) const {
  const auto* value = Get<uint64_t>(key);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<int64_t> FlatObject::Signed(std::string_view key) const {
  if (const auto* value = Get<int64_t>(key)) return *value;
  const auto value = Unsigned(key);
  if (!value || *value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
  return static_cast<int64_t>(*value);
}

std::optional<std::string> FlatObject::Text(std::string_view key) const {
  const auto* text = Get<std::string>(key);
  if (text == nullptr) return Hex(key);
  if (Has(HexKey(key))) return std::nullopt;
  return *text;
}

std::optional<std::string> FlatObject::Hex(std::string_view key) const {
  const auto* hex = Get<std::string>(HexKey(key));
  return hex == nullptr ? std::nullopt : FromHex(*hex);
}

}  // namespace thresher::pipeline
