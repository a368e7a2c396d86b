#include "pipeline/input/input_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "pipeline/input/folder_walk.h"
#include "pipeline/terminal/awaiting.h"
#include "tokenizer/not_mail.h"

namespace thresher::pipeline {

int InputTally::ExitCode() const {
  if (unreadable > 0) return kNoInput;
  return visited == 0 && no_mail > 0 ? kData : 0;
}

InputTally& InputTally::operator+=(const InputTally& other) {
  visited += other.visited;
  unreadable += other.unreadable;
  no_mail += other.no_mail;
  return *this;
}

InputReader::InputReader(InputForm form, std::span<const std::string> paths, Complaints::Complain complain,
                         std::vector<std::string> left_out)
    : form_(form),
      paths_(paths),
      left_(paths),
      left_out_(std::move(left_out)),
      complaints_(std::move(complain), " (--verbose names them)", form.verbose) {}

bool InputReader::OpenNext() {
  while (!left_.empty()) {
    SayAwaited(left_.front(), "a message");
    auto source = OpenSource(left_.front(), form_.format, kMessageLimit, left_out_);
    left_ = left_.subspan(1);
    if (source) {
      source_ = *std::move(source);
      return true;
    }
    complaints_.Add(source.error());
    ++tally_.unreadable;
  }
  return false;
}

void InputReader::ReportDotNames() {
  std::vector<DotName> found = source_->DotNames();
  if (found.empty()) return;
  std::vector<std::string> named = left_out_;
  std::ranges::transform(paths_, std::back_inserter(named), PlaceOf);
  const std::string& folder = paths_[paths_.size() - left_.size() - 1];
  if (const auto note = DotNamesNotRead(folder, std::move(found), named, form_.verbose))
    complaints_.Add(*note);
}

bool InputReader::Next(RawMessage* message) {
  while (source_ || OpenNext()) {
    const Result<bool> more = source_->Next(message);
    if (!more) {
      complaints_.Add(more.error());
      ++tally_.unreadable;
      continue;
    }
    if (!*more) {
      ReportDotNames();
      source_.reset();
      continue;
    }
    if (message->may_be_mbox) {
      const std::string reason =
          "taken for one message: it begins with \"From \", but not as an mbox does (\"From SENDER "
          "Thu Aug 22 12:36:23 2002\")";
      complaints_.Add({kData, fmt::format("{}: {}", message->name, reason), reason});
    }
    const std::string_view why_not =
        form_.any_bytes ? std::string_view() : tokenizer::WhyNotMail(message->bytes);
    if (why_not.empty()) {
      ++tally_.visited;
      return true;
    }
    const std::string reason = fmt::format("no mail: {}; skipped", why_not);
    complaints_.Add({kData, fmt::format("{}: {} ({})", message->name, reason, form_.otherwise), reason});
    ++tally_.no_mail;
  }
  complaints_.End();
  return false;
}

}  // namespace thresher::pipeline
