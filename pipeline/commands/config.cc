// thresher config: every setting with its default.
#include <iostream>

#include "pipeline/commands/command.h"

namespace thresher::pipeline {

void AddConfig(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("config", "Print every setting with its default, as a configuration file");
  struct Flags {
    ModelFlags model;
    bool effective = false;
  };
  auto flags = std::make_shared<Flags>();
  flags->model.AddTo(command);
  command->add_flag("--effective", flags->effective,
                    "Print what is in force here instead: file and flags applied");
  command->callback([=] {
    *exit_code = Run([&]() -> Result<int> {
      const Result<Settings> settings = flags->model.Resolve();
      if (!settings) return tl::unexpected(settings.error());
      if (flags->effective) {
        PrintEffective(*settings, std::cout);
      } else {
        PrintDefaults(std::cout);
      }
      return 0;
    });
  });
}

}  // namespace thresher::pipeline
