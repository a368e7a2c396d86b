#include "pipeline/serve/http_origin.h"

#include "tokenizer/ascii.h"

namespace thresher::pipeline {
namespace {

using tokenizer::EqualsIgnoringCase;

// "localhost:8080" without the port.
std::string_view HostOnly(std::string_view host) {
  const size_t bracket = host.find(']');
  const size_t colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
  return host.substr(0, colon);
}

}  // namespace

std::string_view SignOfElsewhere(const HttpRequest& request, bool remote) {
  constexpr std::string_view kOtherPage = "the page of another host may not ask here";
  constexpr std::string_view kOtherName =
      "the header Host is not localhost or an address of the loopback: ask http://localhost/, or allow other "
      "names by serve.remote";
  const std::string_view host = request.Header("host");
  const std::string_view origin = request.Header("origin");
  const size_t scheme = origin.find("://");
  const bool is_own_page = scheme != std::string_view::npos && origin.substr(scheme + 3) == host;
  if (!origin.empty() && !is_own_page) return kOtherPage;
  if (const std::string_view site = request.Header("sec-fetch-site");
      !site.empty() && site != "same-origin" && site != "none")
    return kOtherPage;
  if (remote) return {};
  const std::string_view name = HostOnly(host);
  // 127.example.org is a name that anybody may own.
  const bool is_loopback =
      name.starts_with("127.") && name.find_first_not_of("0123456789.") == std::string_view::npos;
  const bool is_own_name =
      name.empty() || EqualsIgnoringCase(name, "localhost") || is_loopback || name == "[::1]";
  return is_own_name ? std::string_view() : kOtherName;
}

}  // namespace thresher::pipeline
