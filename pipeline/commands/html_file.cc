#include "pipeline/commands/html_file.h"

#include <utility>

namespace thresher::pipeline {

void HtmlFile::AddTo(Command command, std::string* path) {
  command
      .Add("--html", path,
           "Write the figures and plots to this HTML file; a browser opens it without a network")
      .Writes();
}

Result<HtmlFile> HtmlFile::Open(const std::string& path) {
  HtmlFile html;
  if (path.empty()) return html;
  if (!eval::CanFormatHtml())
    return tl::unexpected(
        Error{kUsage, "--html: this thresher was built without HTML reports (-DTHRESHER_HTML=OFF)"});
  if (path == "-")
    return tl::unexpected(Error{kUsage, "--html: expected a file; standard output has the figures as text"});
  auto file = OutputFile::Open(path);
  if (!file) return tl::unexpected(file.error());
  html.file_.emplace(*std::move(file));
  return html;
}

Result<void> HtmlFile::Write(std::span<const eval::HtmlRun> runs,
                             std::span<const eval::HtmlComparison> comparisons) {
  if (!file_) return {};
  file_->Write(eval::FormatHtml(runs, comparisons));
  return file_->Close();
}

}  // namespace thresher::pipeline
