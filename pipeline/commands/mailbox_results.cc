#include "pipeline/commands/mailbox_results.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "eval/header_verdict.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/labelled_paths.h"
#include "tokenizer/ascii.h"
#include "tokenizer/message_head.h"

namespace thresher::pipeline {
namespace {

// What became of one header in all messages.
struct Column {
  eval::Results results;
  size_t missing = 0;
  size_t unclear = 0;
};

// The first field of that name: a filter adds its header at the top, above those that came with the mail.
const tokenizer::HeaderField* FindField(const tokenizer::MessageHead& head, const std::string& name) {
  for (const tokenizer::HeaderField& field : head.fields) {
    if (tokenizer::EqualsIgnoringCase(field.name, name)) return &field;
  }
  return nullptr;
}

void Read(const RawMessage& message, bool is_spam, const std::vector<std::string>& headers,
          std::vector<Column>* columns) {
  const tokenizer::MessageHead head = tokenizer::ParseHead(message.bytes);
  for (size_t i = 0; i < headers.size(); ++i) {
    Column& column = (*columns)[i];
    const tokenizer::HeaderField* const field = FindField(head, headers[i]);
    const auto verdict = field == nullptr ? std::nullopt : eval::ReadHeaderVerdict(field->value);
    if (!verdict) {
      ++(field == nullptr ? column.missing : column.unclear);
      continue;
    }
    column.results.paths.Add(message.name);
    column.results.outcomes.push_back({.judged_spam = is_spam,
                                       .called_spam = verdict->called_spam,
                                       .score = verdict->score,
                                       .probability = verdict->probability});
    column.results.users.Add({});
    column.results.genres.Add({});
  }
}

void ReportLeftOut(const std::string& header, size_t count, std::string_view why) {
  if (count > 0)
    Fail({kData, fmt::format("{}: left out: {} message{} {}", header, count, count == 1 ? "" : "s", why)});
}

}  // namespace

void MailboxFlags::AddTo(Command command) {
  FlagGroup group = command.AddGroup(
      "Mailbox",
      "Instead of result files: verdicts in the headers of mail, judged by the folder it lies in now. A "
      "path named after --spam is left out of a folder around it that is named after --ham, and the reverse");
  group
      .Add("--header", &headers,
           "Header in which a filter left its verdict, such as X-Bogosity, X-Spam-Status, X-Spamd-Result, "
           "X-CRM114-Status or X-Thresher; may be repeated, to compare filters")
      .OneValueEachTime()
      .Excludes({"RESULTS"})
      .NameValue("NAME");
  group.Add("--spam", &spam, "Files, folders, Maildirs or mboxes of spam")
      .AtLeast(1)
      .Needs("--header")
      .Reads()
      .NameValue("PATH");
  group.Add("--ham", &ham, "Files, folders, Maildirs or mboxes of ham")
      .AtLeast(1)
      .Needs("--header")
      .Reads()
      .NameValue("PATH");
}

Result<std::vector<ResultFile>> ReadMailbox(const MailboxFlags& flags) {
  if (flags.spam.empty() && flags.ham.empty())
    return tl::unexpected(Error{kUsage, "--header: name mail after --spam and --ham"});
  if (auto apart = CheckLabelledPaths(flags.spam, flags.ham); !apart) return tl::unexpected(apart.error());
  std::vector<Column> columns(flags.headers.size());
  InputTally tally;
  for (const auto& [paths, others, is_spam] :
       {std::tuple(&flags.spam, &flags.ham, true), {&flags.ham, &flags.spam, false}}) {
    InputFlags input;
    input.paths = *paths;
    const auto read = input.ForEach(
        [&, is_spam = is_spam](const RawMessage& message) -> Result<void> {
          Read(message, is_spam, flags.headers, &columns);
          return {};
        },
        PlacesOf(*others));
    if (!read) return tl::unexpected(read.error());
    tally += *read;
  }
  if (tally.unreadable > 0)
    return tl::unexpected(
        Error{kNoInput, fmt::format("{} of the paths could not be read", tally.unreadable)});
  std::vector<ResultFile> files;
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string& header = flags.headers[i];
    ReportLeftOut(header, columns[i].missing, "without it");
    ReportLeftOut(header, columns[i].unclear, "in which it says neither a verdict nor a score");
    if (columns[i].results.outcomes.empty())
      return tl::unexpected(Error{kData, fmt::format("{}: no message has a verdict in this header", header)});
    files.push_back({header, std::move(columns[i].results)});
  }
  return files;
}

}  // namespace thresher::pipeline
