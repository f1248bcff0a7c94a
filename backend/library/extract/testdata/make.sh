#!/usr/bin/env bash
# Makes the files that the tests read anew, of the .fods, .fodp and .fodt beside it, with LibreOffice (7.4) and poppler (22.12):
# apt-get install libreoffice-calc-nogui libreoffice-impress-nogui libreoffice-writer-nogui poppler-utils fonts-nanum
# The two of Hangul are from hwplib (sample_hwp, Apache License 2.0): nothing but Hangul itself writes its documents.
set -euo pipefail
cd "$(dirname "$0")"
to() { soffice --headless --convert-to "$1" --outdir "${3:-.}" "$2" >/dev/null; }
to xlsx sales.fods
to ods sales.fods
to pptx plan.fodp
to odp plan.fodp
for format in odt docx rtf epub; do to "$format" lease.fodt; done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# 9: tab between cells; 65535: UTF-16.
to 'csv:Text - txt - csv (StarCalc):9,34,65535' sales.fods "$scratch"
mv "$scratch/sales.csv" sales-utf16.csv
# A page as a scanner sees it: 300 dots an inch, black and white, the part of it that is written on.
to pdf page.fodt "$scratch"
pdftoppm -mono -png -singlefile -r 300 -x 150 -y 180 -W 2180 -H 950 "$scratch/page.pdf" page
