// Compiles fmt from the sources in its package, because the package has no static library. archives.cmake
// links this file into `thresher`.
#include <fmt/format-inl.h>

namespace fmt::detail {

template auto locale_ref::get<std::locale>() const -> std::locale;
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;

}  // namespace fmt::detail
