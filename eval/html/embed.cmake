# cmake -DOUT=FILE.cc "-DASSETS=Name=path|Name=path" -P embed.cmake
# writes FILE.cc with a function Name() for each file, which returns its bytes. An empty path stands for an empty file.
set(text "#include \"eval/html/assets.h\"\n\nnamespace thresher::eval::html {\n")
string(REPLACE "|" ";" assets "${ASSETS}")
foreach(asset IN LISTS assets)
  string(REGEX MATCH "^([^=]*)=(.*)$" matched "${asset}")
  set(name "${CMAKE_MATCH_1}")
  set(path "${CMAKE_MATCH_2}")
  set(bytes "")
  if(path)
    file(READ "${path}" bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  endif()
  string(APPEND text
    "namespace {\nconstexpr unsigned char k${name}[] = {${bytes}0};\n}\n"
    "std::string_view ${name}() { return {reinterpret_cast<const char*>(k${name}), sizeof(k${name}) - 1}; }\n")
endforeach()
file(WRITE "${OUT}" "${text}}  // namespace thresher::eval::html\n")
