#!/usr/bin/env bash
# Signs a Windows program in place, if there is a certificate: AGENTCHAT_SIGN_PFX names it, AGENTCHAT_SIGN_PASSWORD_FILE a file with its
# password, and AGENTCHAT_SIGN_TSA, if given, the server whose stamp lets a signature outlive the certificate. Without one it does nothing.
set -euo pipefail
[[ -n ${AGENTCHAT_SIGN_PFX:-} ]] || exit 0
options=(-h sha256 -n 'Agent Chat' -st "${SOURCE_DATE_EPOCH:?}")
[[ -z ${AGENTCHAT_SIGN_TSA:-} ]] || options+=(-ts "$AGENTCHAT_SIGN_TSA")
osslsigncode sign -pkcs12 "$AGENTCHAT_SIGN_PFX" -readpass "${AGENTCHAT_SIGN_PASSWORD_FILE:?}" "${options[@]}" -in "$1" -out "$1.signed" >/dev/null
mv "$1.signed" "$1"
