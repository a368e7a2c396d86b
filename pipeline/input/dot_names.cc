#include "pipeline/input/dot_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "pipeline/input/folder_walk.h"

namespace thresher::pipeline {
namespace {

constexpr size_t kListed = 3;

// Of file managers; of version control; of Dovecot and UW IMAP beside mboxes; of MH; of Gnus; of notmuch,
// OfflineIMAP and mbsync.
constexpr auto kNames = std::to_array<std::string_view>(
    {".DS_Store",   ".Spotlight-V100", ".Trashes",     ".directory",  ".fseventsd",   ".localized",
     ".git",        ".gitattributes",  ".gitignore",   ".imap",       ".mailboxlist", ".subscriptions",
     ".mh_profile", ".mh_sequences",   ".xmhcache",    ".marks",      ".nnmaildir",   ".nov",
     ".overview",   ".notmuch",        ".offlineimap", ".uidvalidity"});
// Of macOS, file systems and editors; of Dovecot, mbsync, Claws Mail and Sylpheed.
constexpr auto kPrefixes =
    std::to_array<std::string_view>({"._", ".nfs", ".fuse_hidden", ".#", ".dovecot", ".isyncuidmap",
                                     ".mbsyncstate", ".claws_", ".sylpheed_"});
// Of Evolution and KMail, and what is open in a program.
constexpr auto kSuffixes = std::to_array<std::string_view>(
    {".cmeta", ".ev-summary", ".ibex.index", ".index", ".index.ids", ".index.sorted", ".lock", ".swp"});

// Whether `named` is `place`, or lies below it.
bool IsAtOrBelow(const std::string& named, const std::string& place) {
  return named.starts_with(place) && (named.size() == place.size() || named[place.size()] == '/');
}

// "2 folders and 1 file".
std::string Counted(const std::vector<DotName>& names) {
  const auto folders = static_cast<size_t>(std::ranges::count(names, true, &DotName::is_folder));
  std::vector<std::string> parts;
  for (const auto& [count, what] : {std::pair(folders, "folder"), {names.size() - folders, "file"}}) {
    if (count > 0) parts.push_back(fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"));
  }
  return fmt::format("{}", fmt::join(parts, " and "));
}

// The first `most` of the names, as they are in `folder`.
std::string Listed(const std::string& folder, const std::vector<DotName>& names, size_t most) {
  std::vector<std::string> listed;
  for (const DotName& name : names) {
    if (listed.size() == most) break;
    std::string below = name.path.substr(folder.size());
    listed.push_back(below.starts_with('/') ? below.substr(1) : below);
  }
  const std::string rest =
      listed.size() < names.size() ? fmt::format(" and {} more", names.size() - listed.size()) : "";
  return fmt::format("{}{}", fmt::join(listed, ", "), rest);
}

}  // namespace

bool IsKnownNoMail(std::string_view dot_name) {
  const auto has = [](const auto& list, const auto& fits) { return std::ranges::any_of(list, fits); };
  return has(kNames, [&](std::string_view known) { return dot_name == known; }) ||
         has(kPrefixes, [&](std::string_view known) { return dot_name.starts_with(known); }) ||
         has(kSuffixes, [&](std::string_view known) { return dot_name.ends_with(known); });
}

std::optional<Error> DotNamesNotRead(const std::string& folder, std::vector<DotName> names,
                                     const std::vector<std::string>& named, bool all) {
  std::erase_if(names, [&](const DotName& name) {
    const std::string place = PlaceOf(name.path);
    return std::ranges::any_of(named, [&](const std::string& each) { return IsAtOrBelow(each, place); });
  });
  if (names.empty()) return std::nullopt;
  std::ranges::sort(names, {}, &DotName::path);
  return Error{kData,
               fmt::format("{}: {} whose {} not read unless named: {}", folder, Counted(names),
                           names.size() == 1 ? "name begins with a dot is" : "names begin with a dot are",
                           Listed(folder, names, all ? names.size() : kListed)),
               "files and folders whose names begin with a dot are not read unless named"};
}

}  // namespace thresher::pipeline
