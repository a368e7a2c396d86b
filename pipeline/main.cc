// The thresher command: one subcommand per file in commands/.
#include <CLI/CLI.hpp>
#include <csignal>

#include "pipeline/commands/command.h"
#include "pipeline/version.h"

int main(int argc, char** argv) {
  using namespace thresher::pipeline;
  // A reader that goes away shows as a failed write, with an exit code, not as a silent death.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);

  CLI::App app("thresher: filters mail, learns from feedback, and keeps a sparse model one can read",
               "thresher");
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);
  app.footer(
      "`thresher COMMAND --help` tells more. Exit codes unless a command says otherwise: 0 well, 64 usage, "
      "65 bad data,\n"
      "66 missing input, 70 internal fault, 73 output cannot be made, 74 reading or writing failed, 75 busy, "
      "78 configuration.");
  int exit_code = 0;
  for (AddCommand* add : {AddFilter, AddClassify, AddLearn, AddFeedback, AddRebuild, AddReplay, AddEval,
                          AddVocab, AddExplain, AddStats, AddGenerate, AddLearners, AddConfig}) {
    add(app, &exit_code);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  }
  return exit_code;
}
