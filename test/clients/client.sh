#!/bin/sh
# Calls the service with curl, as an operator does from a shell. `redflag` hashes, because a shell cannot do so fast.
# HASH_PREFIX is the prefix with which the service's clients hash; default: service-.
# sh client.sh specification|classic BASE_URL report|query|delete|show ...
dialect=$1 api=$2/api/ command=$3
shift 3

# Prints a body. If curl got no reply, the script fails.
send() { curl -sS "$@" || exit 1; }
hash_of() { node dist/cli.js hash --prefix "${HASH_PREFIX:-service-}" "$1"; }

case $command in
hash)
  hash_of "$1" ;;
report)
  headers=$(mktemp)
  body=$(send "$api" -D "$headers" -F "_api=$1" -F _action=report -F _type=fraud -F _value=7 -F "_text=$2" \
    -F "email=$(hash_of "$3")")
  case $dialect:$body in
  classic:OK:*) echo "${body#OK:}" ;;
  specification:OK) tr -d '\r' <"$headers" | sed -n 's/^X-Deletion-Code: //p' ;;
  *) echo "$body" ;;
  esac
  rm "$headers" ;;
query)
  body=$(send "$api" -d "_api=$1" -d _action=query -d "email=$(hash_of "$2")")
  case $dialect:$body in
  classic:'<report>'*) echo "$body" | sed 's/<[^>]*>//g' | tr - ' ' ;;
  *-*-*-*) echo "${body%/report/*}" | cut -d - -f 1-3 | tr - ' ' | tr '\n' ' ' && echo "${body##*/}" ;;
  *) echo "$body" ;;
  esac ;;
delete)
  send "$api" -d "_api=$1" -d _action=delete -d "_code=$2" ;;
show)
  body=$(send -f "$api?showreport=$1" 2>/dev/null) || { echo nothing; exit; }
  echo "$body" | sed 's/.*"type":"\([a-z]*\)".*"description":"\([^"]*\)".*/\1 \2/' ;;
esac
