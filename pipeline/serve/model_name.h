// Which of a daemon's models a request is answered by: from what its client named, to the name of a folder in
// the store.
//
// Called by Models and MilterSession. What a client named is checked here (settings/model_name.h) before it
// becomes a path.
// Thread-safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pipeline/error.h"
#include "pipeline/serve/service.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

// By serve.models: the one model; or the one that the request names, else that of its domain or user if there
// can be one, else store.model. kData: what the request names can be no model's name, or there is one model
// and it has another name.
Result<std::string> ModelNameOf(const Whose& whose, const Settings& settings);

// The user of such a request in that model: nobody in particular if it has one user only; in lower case, as
// its name, if it is that of a domain. kData: the model that is named is another one than that of the user
// or, if `models` is "domain", of the user's domain.
Result<std::string> UserInModel(const Whose& whose, std::string_view model, std::string_view models);

// The domain that all recipients of a message have, if that names the model (`models`: serve.models); empty
// if it does not or cannot, or they have several.
std::string ModelOfRecipients(std::span<const std::string> recipients, std::string_view models);

}  // namespace thresher::pipeline
