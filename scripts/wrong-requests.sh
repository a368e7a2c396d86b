# Sourced by scripts/bench-serve: requests to the daemon that are malformed or too large.
# shellcheck shell=bash disable=SC2059  # formats with zero bytes, which no argument can have

# write_wrong_requests FOLDER MOST: such requests, each a file, and the indices spamd.index, http.index and milter.index
# of them in FOLDER. MOST: the bytes that a request may have. After each of them the daemon closes the connection.
write_wrong_requests() {
  local folder=$1 most=$2 protocol
  mkdir -p "$folder"/{spamd,http,milter}
  head -c 100000 /dev/urandom | tee "$folder"/{spamd,http,milter}/noise >/dev/null
  head -c 100000 /dev/zero | tr '\0' 'a' | tee "$folder"/{spamd,http,milter}/long-line >/dev/null
  write_wrong_spamd "$folder/spamd"
  write_wrong_http "$folder/http" "$most"
  write_wrong_milter "$folder/milter" "$most"
  for protocol in spamd http milter; do
    find "$folder/$protocol" -type f | sort | sed 's/^/ham /' >"$folder/$protocol.index"
  done
}

write_wrong_spamd() {
  printf 'CHECK SPAMC/1.5\r\nContent-length: 99999999999\r\n\r\nx' >"$1/too-long"
  printf 'CHECK SPAMC/1.5\r\nContent-length: twelve\r\n\r\n' >"$1/no-number"
  printf 'EAT SPAMC/1.5\r\n\r\n' >"$1/no-verb"
}

write_wrong_http() {
  printf 'POST /classify HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n' >"$1/too-long"
  printf 'POST /classify HTTP/9.9\r\n\r\n' >"$1/version"
  printf 'POST /classify HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n' >"$1/chunk"
  # HTTP/1.0 ends the connection. rspamc -z says that a message is compressed.
  local check='POST /checkv2 HTTP/1.0\r\nContent-Length:'
  printf "$check $(($2 + 1))\r\n\r\n" >"$1/rspamd-too-long"
  printf "$check 9\r\nCompression: zstd\r\n\r\nnot zstd\n" >"$1/rspamd-compression"
}

# Each packet: the length of what follows, a letter, and data. The options open a conversation.
write_wrong_milter() {
  local options='\0\0\0\rO\0\0\0\6\0\0\1\377\0\37\377\377' header='\0\0\0\5La\0b\0'
  printf "$header" >"$1/no-options"
  printf '\0\0\0\rO\0\0\0\2\0\0\0\21\0\0\0\1' >"$1/old-version"
  printf "$options"'\0\0\0\4Labc' >"$1/no-nul"
  printf "$options$header"'\0\0\0\0' >"$1/no-letter"
  printf "$options$header"'\377\377\377\377B' >"$1/long-packet"
  {
    printf "$options$header"
    for _ in $(seq $(($2 / 65535 + 1))); do
      printf '\0\1\0\0B'
      head -c 65535 /dev/zero
    done
    printf '\0\0\0\1E\0\0\0\1Q'  # ends the message, which gets a verdict, and the conversation
  } >"$1/too-long"
}
