#include "tokenizer/message_record.h"

#include "tokenizer/codec_bytes.h"
#include "tokenizer/user.h"

namespace thresher::tokenizer {

void WriteMessageRecord(const MessageRecord& record, std::string* out) {
  out->clear();
  out->reserve(2 + record.user.size() + record.bytes.size());
  out->push_back(record.kind == Kind::kMail ? 0 : 1);
  PutVarint(record.user.size(), out);
  out->append(record.user).append(record.bytes);
}

std::optional<MessageRecord> ReadMessageRecord(std::string_view bytes) {
  CodecReader reader(bytes);
  const unsigned char kind = reader.Byte();
  const std::string_view user = reader.Bytes(reader.Varint());
  if (!reader.Ok() || kind > 1 || (!user.empty() && !IsUserName(user))) return std::nullopt;
  return MessageRecord{kind == 0 ? Kind::kMail : Kind::kDocument, user, reader.Bytes(reader.Left())};
}

}  // namespace thresher::tokenizer
