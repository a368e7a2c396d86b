#include "storage/score_image.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "storage/store_directory.h"
#include "storage/system_error.h"

namespace thresher::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBase = "base";

// What the changes say of the file that they change.
Meta MetaOfChanges(const ImageFile& base) {
  return {{std::string(kBase), fmt::format("{:016x}", base.checksum())}};
}

Result<void> Remove(const fs::path& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  return tl::unexpected(SystemError(errno, fmt::format("cannot remove {}", path.string())));
}

}  // namespace

Result<void> ScoreImage::Make(const fs::path& dir, const Content& content) {
  return ImageFile::Make(UnfinishedImagePath(dir), content);
}

// A process that dies in between leaves changes of another base: nobody uses them.
Result<void> ScoreImage::Publish(const fs::path& dir) {
  auto published = ImageFile::Publish(ImagePath(dir), UnfinishedImagePath(dir));
  return published ? Remove(ImageChangesPath(dir)) : published;
}

Result<void> ScoreImage::Publish(const fs::path& dir, const Content& content) {
  auto made = Make(dir, content);
  return made ? Publish(dir) : made;
}

Result<void> ScoreImage::PublishChanges(const fs::path& dir, const ScoreImage& before,
                                        const Content& content) {
  auto made = ImageFile::Make(
      UnfinishedImagePath(dir),
      {MetaOfChanges(before.base()), content.globals, content.applied_seq, content.row_bytes, content.rows});
  return made ? ImageFile::Publish(ImageChangesPath(dir), UnfinishedImagePath(dir)) : made;
}

// First the base: without it the changes are not used, and a base without its changes would be an earlier
// image.
Result<void> ScoreImage::Withdraw(const fs::path& dir) {
  auto removed = Remove(ImagePath(dir));
  const auto changes = Remove(ImageChangesPath(dir));
  return removed ? changes : removed;
}

// The changes are opened first. If a writer replaces both files meanwhile, the base is then a later one than
// theirs, and has them.
std::optional<ScoreImage> ScoreImage::Open(const fs::path& dir) {
  auto changes = ImageFile::Open(ImageChangesPath(dir));
  std::error_code ignored;
  if (!changes && fs::exists(ImageChangesPath(dir), ignored)) return std::nullopt;  // they are damaged
  auto base = ImageFile::Open(ImagePath(dir));
  if (!base) return std::nullopt;
  const bool belong = changes && changes->meta() == MetaOfChanges(*base) &&
                      (changes->size() == 0 || changes->row_bytes() == base->row_bytes());
  if (!belong) return ScoreImage(*std::move(base), std::nullopt);
  return ScoreImage(*std::move(base), std::move(changes));
}

const std::byte* ScoreImage::Unless0(const std::byte* row) const {
  const auto is_zero = [](std::byte each) { return each == std::byte{0}; };
  return std::all_of(row, row + row_bytes(), is_zero) ? nullptr : row;
}

void ScoreImage::Find(std::span<const uint64_t> ids, std::vector<const std::byte*>* rows) const {
  rows->resize(ids.size());
  base_.Find(ids, *rows);
  if (!changes_) return;
  std::vector<const std::byte*> changed(ids.size());
  changes_->Find(ids, changed);
  for (size_t i = 0; i < ids.size(); ++i) {
    if (changed[i] != nullptr) (*rows)[i] = Unless0(changed[i]);
  }
}

std::vector<ScoreImage::Row> ScoreImage::Rows() const {
  std::vector<Row> base = base_.Rows();
  if (!changes_) return base;
  std::vector<Row> rows;
  rows.reserve(base.size() + changes_->size());
  auto next = base.begin();
  for (const Row& changed : changes_->Rows()) {
    while (next != base.end() && next->id < changed.id) rows.push_back(*next++);
    if (next != base.end() && next->id == changed.id) ++next;
    if (Unless0(changed.bytes) != nullptr) rows.push_back(changed);
  }
  rows.insert(rows.end(), next, base.end());
  return rows;
}

}  // namespace thresher::storage
