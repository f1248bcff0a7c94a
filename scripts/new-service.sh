#!/usr/bin/env bash
# Makes a new service of the minimal template: scripts/new-service.sh NAME [FOLDER]
# Without FOLDER it becomes one of the shop's own; a person's own lie in the data folder, under services.
set -euo pipefail
cd "$(dirname "$0")/.."

name=${1:-}
folder=${2:-backend/service/services}
if ! [[ $name =~ ^[a-z][a-z0-9_]{0,31}$ ]]; then
  echo "usage: make new-service NAME=a_lower_case_name [FOLDER=...]" >&2
  exit 2
fi
file=$folder/$name.yaml
if [[ -e $file ]]; then
  echo "$file is there already" >&2
  exit 1
fi
mkdir -p "$folder"
sed -e "s/__name__/$name/g" -e "s/__INTENT__/${name^^}/g" backend/service/template/minimal.yaml >"$file"
echo "$file"
