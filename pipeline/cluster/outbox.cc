#include "pipeline/cluster/outbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include "pipeline/model/store_error.h"
#include "pipeline/settings/model_name.h"
#include "storage/byte_order.h"
#include "storage/read_file.h"
#include "storage/write_file.h"

namespace thresher::pipeline {
namespace {

// Header: name of the form · author u64 · number of the first operation u64 · checksum of these u64 · number
// of the last one that was published u64 · checksum of that u64. Then for each operation its size u32 and its
// bytes (operation.h), which have a checksum of their own.
constexpr std::string_view kOutboxForm = "thresher outbox1";
constexpr uint64_t kBeginAnew = uint64_t{1} << 20;  // a file is not replaced for less

std::string HeaderOf(uint64_t author, uint64_t first) {
  std::string header(kOutboxForm);
  storage::AppendLittle(author, &header);
  storage::AppendLittle(first, &header);
  storage::AppendLittle(XXH3_64bits(header.data(), header.size()), &header);
  return header;
}

constexpr size_t kPublishedAt = 40;

std::string PublishedMark(uint64_t number) {
  std::string mark;
  storage::AppendLittle(number, &mark);
  storage::AppendLittle(XXH3_64bits(mark.data(), mark.size()), &mark);
  return mark;
}

// Whether a whole operation of the author, or of a newer thresher, begins anywhere in `bytes`.
bool HasOperation(std::string_view bytes, uint64_t author) {
  for (; bytes.size() > sizeof(uint32_t); bytes.remove_prefix(1)) {
    const auto size = storage::LoadLittle<uint32_t>(bytes.data());
    if (size > bytes.size() - sizeof size) continue;
    const auto operation = DecodeOperation(bytes.substr(sizeof size, size));
    if (operation ? operation->author == author : operation.error() == NoOperation::kNewer) return true;
  }
  return false;
}

}  // namespace

uint64_t Outbox::NewAuthor() {
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

Error Outbox::Failed(const char* what) const {
  return {kIo, fmt::format("{}: cannot {}: {}", path_.string(), what, std::strerror(errno))};
}

Result<std::unique_ptr<Outbox>> Outbox::Open(const std::filesystem::path& path, uint64_t most_bytes,
                                             std::optional<uint64_t> new_author) {
  std::unique_ptr<Outbox> outbox(new Outbox(path, most_bytes));
  const auto bytes = storage::ReadFileIfThere(path);
  if (!bytes) return StoreFailure(bytes.error());
  if (!*bytes) outbox->author_ = new_author ? *new_author : NewAuthor();
  if (auto done = *bytes ? outbox->Load(**bytes) : outbox->Begin(); !done)
    return tl::unexpected(done.error());
  outbox->first_appended_ = outbox->next_number_;
  return outbox;
}

Result<std::optional<Outbox::Contents>> Outbox::LookInto(const std::filesystem::path& path) {
  const auto bytes = storage::ReadFileIfThere(path);
  if (!bytes) return StoreFailure(bytes.error());
  if (!*bytes) return std::nullopt;
  Outbox outbox(path, 0);
  if (auto parsed = outbox.Parse(**bytes); !parsed) return tl::unexpected(parsed.error());
  return Contents{outbox.author(), outbox.size()};
}

Result<void> Outbox::CheckIsFor(uint64_t identity) const {
  if (empty()) return {};
  const auto front = Front();
  if (!front) return tl::unexpected(front.error());
  const auto operation = DecodeOperation(*front);
  if (operation && operation->identity == identity) return {};
  return tl::unexpected(
      Error{kConfig,
            fmt::format("{}: what waits there ({} messages) is for the log of model {:016x}, not of {:016x}: "
                        "follow that log with that model until it is delivered, or put the file aside and "
                        "teach them again",
                        path_.string(), size(), operation ? operation->identity : 0, identity)});
}

Result<void> Outbox::Load(std::string_view bytes) {
  if (auto parsed = Parse(bytes); !parsed) return parsed;
  file_ = storage::Descriptor(::open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (!file_.is_open()) return tl::unexpected(Failed("open it"));
  return CutOff() ? Result<void>() : tl::unexpected(Failed("cut it off"));
}

// What is behind the last entry must not be taken for entries later. False if it cannot be removed.
bool Outbox::CutOff() {
  const off_t size = ::lseek(file_.number(), 0, SEEK_END);
  const auto end = static_cast<off_t>(end_);
  return size >= 0 && (size <= end || ::ftruncate(file_.number(), end) == 0);
}

// Takes over what the file has.
Result<void> Outbox::Parse(std::string_view bytes) {
  const auto number_at = [&](size_t at) { return storage::LoadLittle<uint64_t>(bytes.data() + at); };
  if (bytes.size() < kHeaderBytes || !bytes.starts_with(kOutboxForm) ||
      HeaderOf(number_at(16), number_at(24)) != bytes.substr(0, kPublishedAt)) {
    return tl::unexpected(Error{
        kData, fmt::format("{} is not an outbox of thresher, or its beginning is damaged: put it aside; what "
                           "it has and the log has not must be taught again",
                           path_.string())});
  }
  author_ = number_at(16);
  next_number_ = number_at(24);
  end_ = kHeaderBytes;
  while (bytes.size() - end_ >= sizeof(uint32_t)) {
    const auto size = storage::LoadLittle<uint32_t>(bytes.data() + end_);
    const uint64_t at = end_ + sizeof size;
    if (size > bytes.size() - at) break;
    const auto operation = DecodeOperation(bytes.substr(at, size));
    if (!operation || operation->author != author_ || operation->number != next_number_) break;
    entries_.push_back({at, size});
    ++next_number_;
    end_ = at + size;
  }
  // A mark that is torn says nothing.
  const std::string_view mark = bytes.substr(kPublishedAt, kHeaderBytes - kPublishedAt);
  const uint64_t published = PublishedMark(number_at(kPublishedAt)) == mark ? number_at(kPublishedAt) : 0;
  // Nothing is published that was not synced, and nothing that was synced is torn by a crash.
  if (published >= next_number_ || HasOperation(bytes.substr(end_), author_)) {
    return tl::unexpected(Error{
        kData, fmt::format("{} is damaged where its operation {} was, or that is one of a newer thresher: go "
                           "on with that, or put the file aside; what it has and the log has not must be "
                           "taught again",
                           path_.string(), next_number_)});
  }
  while (!entries_.empty() && FrontNumber() <= published) entries_.pop_front();
  return {};
}

// Puts a file with what waits in the place of the one that there is.
Result<void> Outbox::Begin() {
  const auto waiting = Read(end_ - waiting_bytes(), waiting_bytes());
  return waiting ? WriteAnew(author_, *waiting) : tl::unexpected(waiting.error());
}

// `waiting`: the bytes of all entries.
Result<void> Outbox::WriteAnew(uint64_t author, std::string_view waiting) {
  const std::filesystem::path next = std::filesystem::path(path_) += kNextEnd;
  std::string bytes = HeaderOf(author, FrontNumber()) + PublishedMark(FrontNumber() - 1);
  bytes += waiting;
  if (!storage::WritePrivateFile(next, bytes)) return tl::unexpected(Failed("write it anew"));
  storage::Descriptor file(::open(next.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (!file.is_open()) return tl::unexpected(Failed("open it"));
  if (::fsync(file.number()) != 0 || ::rename(next.c_str(), path_.c_str()) != 0)
    return tl::unexpected(Failed("write it anew"));
  file_ = std::move(file);
  author_ = author;
  end_ = kHeaderBytes;
  for (Entry& entry : entries_) {
    entry.at = end_ + sizeof entry.size;
    end_ = entry.at + entry.size;
  }
  const auto synced = storage::SyncDirectory(path_.has_parent_path() ? path_.parent_path() : ".");
  return synced ? Result<void>() : StoreFailure(synced.error());
}

Result<void> Outbox::ContinueAs(uint64_t author) {
  while (!entries_.empty() && FrontNumber() < first_appended_) entries_.pop_front();
  std::string waiting;
  for (const Entry& entry : entries_) {
    const auto record = Read(entry.at, entry.size);
    if (!record) return tl::unexpected(record.error());
    auto operation = DecodeOperation(*record);
    if (!operation) {
      return tl::unexpected(
          Error{kData, fmt::format("{}: what was written there is not what is read now", path_.string())});
    }
    operation->author = author;
    storage::AppendLittle(entry.size, &waiting);  // a number of an author has one length
    waiting += EncodeOperation(*operation);
  }
  return WriteAnew(author, waiting);
}

Result<void> Outbox::Append(Operation* operation) {
  operation->author = author_;
  operation->number = next_number_;
  const std::string record = EncodeOperation(*operation);
  const auto size = static_cast<uint32_t>(record.size());
  const auto is_full = [&] { return bytes() + sizeof size + size > most_bytes_; };
  // Half of it or more was published: so little is copied for what is taken.
  if (is_full() && bytes() > 0 && waiting_bytes() <= bytes() / 2) {
    if (auto begun = Begin(); !begun) return begun;
  }
  if (is_full()) {
    return tl::unexpected(Error{
        kBusy,
        fmt::format("the outbox is full: {} messages wait for the log; try again later", entries_.size())});
  }
  std::string entry;
  storage::AppendLittle(size, &entry);
  entry += record;
  const bool written = CutOff() && ::lseek(file_.number(), static_cast<off_t>(end_), SEEK_SET) >= 0 &&
                       storage::WriteAll(file_.number(), entry);
  if (!written) {
    const Error error = Failed("write to it");
    static_cast<void>(CutOff());  // else before the next one
    return tl::unexpected(error);
  }
  entries_.push_back({end_ + sizeof size, size});
  end_ += entry.size();
  ++next_number_;
  ++unsynced_;
  return {};
}

Result<void> Outbox::Sync() {
  if (::fdatasync(file_.number()) == 0) {
    unsynced_ = 0;
    return {};
  }
  const Error error = Failed("sync it");
  // Who is told that a message is not kept must not find it taught; and the system may take what it could not
  // write for written from now on.
  for (; unsynced_ > 0; --unsynced_, --next_number_) {
    end_ = entries_.back().at - sizeof(uint32_t);
    entries_.pop_back();
  }
  static_cast<void>(CutOff());  // else before the next one
  return tl::unexpected(error);
}

Result<std::string> Outbox::Front() const { return Read(entries_.front().at, entries_.front().size); }

Result<std::string> Outbox::Read(uint64_t at, uint64_t size) const {
  std::string bytes(size, '\0');
  size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t count =
        ::pread(file_.number(), bytes.data() + have, bytes.size() - have, static_cast<off_t>(at + have));
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = EIO;  // somebody cut it off
    if (count <= 0) return tl::unexpected(Failed("read it"));
    have += static_cast<size_t>(count);
  }
  return bytes;
}

Result<void> Outbox::PopFront() {
  const std::string mark = PublishedMark(FrontNumber());
  entries_.pop_front();
  if (entries_.empty() && end_ >= kBeginAnew) return Begin();
  return storage::WriteAllAt(file_.number(), mark, kPublishedAt) ? Result<void>()
                                                                 : tl::unexpected(Failed("write to it"));
}

}  // namespace thresher::pipeline
