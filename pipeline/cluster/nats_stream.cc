#include "pipeline/cluster/nats_stream.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace thresher::pipeline {
namespace {

using nlohmann::json;

// That a stream has.
std::vector<std::string> SubjectsOf(const jsStreamConfig& config) {
  return {config.Subjects, config.Subjects + config.SubjectsLen};
}

bool HasAllOf(const std::vector<std::string>& subjects, const std::vector<std::string>& wanted) {
  return std::ranges::all_of(
      wanted, [&](const auto& each) { return std::ranges::find(subjects, each) != subjects.end(); });
}

}  // namespace

Result<void> NatsStream::Make(const NatsLink& link, const char* description,
                              const std::vector<std::string>& subjects) const {
  jsStreamInfo* found = nullptr;
  jsErrCode code{};
  natsStatus status = nats_->js_GetStreamInfo(&found, link.jet, name_.c_str(), nullptr, &code);
  const Owned<jsStreamInfo> there(found, nats_->jsStreamInfo_Destroy);
  const bool is_there = status == NATS_OK;
  if (!is_there && status != NATS_NOT_FOUND)
    return tl::unexpected(Failed(link, "look for the stream", status));
  if (is_there && !HasAllOf(subjects, SubjectsOf(*found->Config))) {
    return tl::unexpected(Error{
        kConfig, fmt::format("the stream '{}' is another program's: its subject is not {}; name another "
                             "--stream",
                             name_, fmt::join(subjects, " or "))});
  }
  if (is_there && HasAllOf(SubjectsOf(*found->Config), subjects)) return {};
  std::vector<const char*> names;
  names.reserve(subjects.size());
  for (const std::string& subject : subjects) names.push_back(subject.c_str());
  jsStreamConfig config;
  nats_->jsStreamConfig_Init(&config);
  if (is_there) {
    config = *found->Config;
  } else {
    config.Name = name_.c_str();
    config.Description = description;
    config.Replicas = static_cast<int64_t>(settings_.replicas);
    config.Storage = js_FileStorage;
    config.DenyPurge = true;
  }
  config.Subjects = names.data();
  config.SubjectsLen = static_cast<int>(names.size());
  jsStreamInfo* made = nullptr;
  status = is_there ? nats_->js_UpdateStream(&made, link.jet, &config, nullptr, &code)
                    : nats_->js_AddStream(&made, link.jet, &config, nullptr, &code);
  const Owned<jsStreamInfo> info(made, nats_->jsStreamInfo_Destroy);
  if (status != NATS_OK) {
    const std::string made_so = fmt::format("make the stream (cluster.replicas={})", config.Replicas);
    return tl::unexpected(Failed(link, made_so.c_str(), status));
  }
  return {};
}

Result<void> NatsStream::RemoveBefore(const NatsLink& link, const std::string& subject, uint64_t number,
                                      const GoesOn& goes_on) const {
  uint64_t last = 0;
  while (true) {
    const auto each = NextAfter(link, subject, last);
    if (!each) return tl::unexpected(each.error());
    if (*each == 0 || *each >= number) return {};
    if (!goes_on()) return tl::unexpected(EndedEarly());
    if (auto removed = Remove(link, *each); !removed) return removed;
    last = *each;
  }
}

Result<void> NatsStream::Remove(const NatsLink& link, uint64_t number) const {
  jsErrCode code{};
  const natsStatus status = nats_->js_DeleteMsg(link.jet, name_.c_str(), number, nullptr, &code);
  if (status == NATS_OK || code == JSSequenceNotFoundErr || code == JSNoMessageFoundErr) return {};
  return tl::unexpected(Failed(link, "remove what is old", status));
}

// The library has no function for the next record of a subject.
Result<NatsStream::Found> NatsStream::Ask(const NatsLink& link, const std::string& request) const {
  natsMsg* answered = nullptr;
  const natsStatus status = nats_->natsConnection_RequestString(&answered, link.connection,
                                                                ("$JS.API.STREAM.MSG.GET." + name_).c_str(),
                                                                request.c_str(), settings_.answer.count());
  const Owned<natsMsg> answer(answered, nats_->natsMsg_Destroy);
  if (status != NATS_OK) return tl::unexpected(Failed(link, "ask for a record", status));
  const auto size = static_cast<size_t>(nats_->natsMsg_GetDataLength(answered));
  const std::string_view text(nats_->natsMsg_GetData(answered), size);
  try {
    const json found = json::parse(text);
    const int code = found.contains("error") ? found["error"].at("err_code").get<int>() : 0;
    if (code == JSNoMessageFoundErr) return Found{};
    if (code == JSStreamNotFoundErr) return tl::unexpected(LogRemoved(settings_));
    const json& message = found.at("message");
    return Found{message.at("seq").get<uint64_t>(), message.at("subject").get<std::string>()};
  } catch (const json::exception&) {
    return tl::unexpected(Failed(link, "ask for a record", NATS_ERR));
  }
}

Result<bool> NatsStream::Has(const NatsLink& link, const std::string& subject, uint64_t seq) const {
  return Ask(link, json({{"seq", seq}}).dump()).map([&](const Found& found) {
    return found.seq == seq && found.subject == subject;
  });
}

Result<uint64_t> NatsStream::NextAfter(const NatsLink& link, const std::string& subject, uint64_t seq) const {
  return Ask(link, json({{"seq", seq + 1}, {"next_by_subj", subject}}).dump()).map([](const Found& found) {
    return found.seq;
  });
}

Result<uint64_t> NatsStream::LastOf(const NatsLink& link, const std::string& subject) const {
  return Ask(link, json({{"last_by_subj", subject}}).dump()).map([](const Found& found) {
    return found.seq;
  });
}

}  // namespace thresher::pipeline
