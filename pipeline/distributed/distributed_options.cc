// The text of the options is JSON: an argument of a program has one.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pipeline/distributed/distributed_fit.h"

namespace thresher::pipeline {

Result<std::string> TextOf(const DistributedOptions& options) {
  const nlohmann::json json = {{"input", options.input},     {"solver", options.solver},
                               {"options", options.options}, {"parts", options.parts},
                               {"gap", options.gap},         {"epochs", options.epochs},
                               {"seed", options.seed},       {"resume", options.resume},
                               {"weights", options.weights}, {"json", options.json}};
  try {
    return json.dump();
  } catch (const nlohmann::json::type_error&) {
    return tl::unexpected(Error{kUsage, "--distributed: names of files must be valid UTF-8"});
  }
}

Result<DistributedOptions> OptionsOfText(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  try {
    DistributedOptions options;
    json.at("input").get_to(options.input);
    json.at("solver").get_to(options.solver);
    for (const auto& [name, value] : json.at("options").items())
      options.options[name] = value.get<std::string>();
    json.at("parts").get_to(options.parts);
    json.at("gap").get_to(options.gap);
    json.at("epochs").get_to(options.epochs);
    json.at("seed").get_to(options.seed);
    json.at("resume").get_to(options.resume);
    json.at("weights").get_to(options.weights);
    json.at("json").get_to(options.json);
    return options;
  } catch (const nlohmann::json::exception&) {
    return tl::unexpected(
        Error{kUsage, "this program is part of thresher; expected `mpirun thresher fit --distributed FILE`"});
  }
}

}  // namespace thresher::pipeline
