# cmake -DOUT=FILE.cc -DHEADER=PATH.h -DNAMESPACE=a::b "-DFILES=Name=path|Name=path" -P embed_files.cmake
# writes FILE.cc with a function a::b::Name() for each file, which returns its bytes. An empty path stands for an empty
# file. cmake/folders.cmake calls it (thresher_embed).
set(text "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n")
string(REPLACE "|" ";" files "${FILES}")
foreach(file IN LISTS files)
  string(REGEX MATCH "^([^=]*)=(.*)$" matched "${file}")
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
file(WRITE "${OUT}" "${text}}  // namespace ${NAMESPACE}\n")
