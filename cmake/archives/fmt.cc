// fmt, whose package has no static library, compiled from the package's own sources. Linked into `thresher`
// by archives.cmake.
#include <fmt/format-inl.h>

namespace fmt::detail {

template auto locale_ref::get<std::locale>() const -> std::locale;
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;

}  // namespace fmt::detail
