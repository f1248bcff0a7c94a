; The installer for one person, without an administrator's rights. scripts/package.sh gives VERSION, EXE, LICENCES, OUT, and SIGN when there
; is a certificate. types.nsh is made of the table of formats (dist types).
Unicode true
Target amd64-unicode
!include "MUI2.nsh"
!include "LogicLib.nsh"
!include "${TYPES}"

Name "Agent Chat"
OutFile "${OUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Agent Chat"
InstallDirRegKey HKCU "Software\Agent Chat" "Folder"
SetCompressor /SOLID lzma
SetDateSave off
ManifestDPIAware true
BrandingText "Agent Chat ${VERSION}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Agent Chat"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Agent Chat Setup"
VIAddVersionKey "CompanyName" "Agent Chat"
VIAddVersionKey "LegalCopyright" "All rights reserved by the authors of Agent Chat"
!ifdef SIGN
  !uninstfinalize '"${SIGN}" "%1"'
!endif

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Agent Chat"
!define WEBVIEW "Software\Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"
!define WEBVIEW_MACHINE "Software\WOW6432Node\Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\agentchat.exe"
!insertmacro MUI_PAGE_LICENSE "${LICENCE}"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "Korean"

LangString Running ${LANG_ENGLISH} "Agent Chat is running. Please quit it (its icon in the tray, then Quit) and try again."
LangString Running ${LANG_KOREAN} "Agent Chat이 실행되고 있어요. 트레이 아이콘에서 끝낸 다음 다시 시도해 주세요."
LangString NoWebView ${LANG_ENGLISH} "Agent Chat draws its window with Microsoft's WebView2, which this computer does not have yet. With the internet, Agent Chat offers to fetch it when it first starts. Without, install Microsoft's 'WebView2 Evergreen Standalone Installer', brought from another computer, first."
LangString NoWebView ${LANG_KOREAN} "Agent Chat은 Microsoft WebView2로 창을 그리는데, 이 컴퓨터에는 아직 없어요. 인터넷이 되면 처음 시작할 때 내려받을지 물어봐요. 안 되면 다른 컴퓨터에서 'WebView2 Evergreen Standalone Installer'를 받아 와서 먼저 설치해 주세요."
LangString Kept ${LANG_ENGLISH} "Your chats, documents and settings stay in $LOCALAPPDATA\agentchat. Delete that folder if you do not want them any more."
LangString Kept ${LANG_KOREAN} "대화와 문서, 설정은 $LOCALAPPDATA\agentchat에 남아 있어요. 더 필요하지 않으면 그 폴더를 지워 주세요."

Function .onInit
  !insertmacro MUI_LANGDLL_DISPLAY
FunctionEnd

; A program that runs keeps its file from being written.
!macro NotWhileItRuns
  ${If} ${FileExists} "$INSTDIR\agentchat.exe"
    ClearErrors
    FileOpen $0 "$INSTDIR\agentchat.exe" a
    ${If} ${Errors}
      MessageBox MB_OK|MB_ICONEXCLAMATION "$(Running)" /SD IDOK
      SetErrorLevel 3
      Quit
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

Section
  !insertmacro NotWhileItRuns
  SetOutPath "$INSTDIR"
  File /oname=agentchat.exe "${EXE}"
  File /oname=LICENSE.txt "${LICENCE}"
  File /oname=THIRD-PARTY-LICENSES.txt "${LICENCES}"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortCut "$SMPROGRAMS\Agent Chat.lnk" "$INSTDIR\agentchat.exe"
  WriteRegStr HKCU "Software\Agent Chat" "Folder" "$INSTDIR"

  WriteRegStr HKCU "Software\Classes\AgentChat.Document" "" "Agent Chat"
  WriteRegStr HKCU "Software\Classes\AgentChat.Document\DefaultIcon" "" "$INSTDIR\agentchat.exe,0"
  WriteRegStr HKCU "Software\Classes\AgentChat.Document\shell\open\command" "" '"$INSTDIR\agentchat.exe" "%1"'
  WriteRegStr HKCU "Software\Classes\Applications\agentchat.exe" "FriendlyAppName" "Agent Chat"
  WriteRegStr HKCU "Software\Classes\Applications\agentchat.exe\shell\open\command" "" '"$INSTDIR\agentchat.exe" "%1"'
  !insertmacro RegisterTypes

  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Agent Chat"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\agentchat.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "Agent Chat"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  SectionGetSize 0 $0
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'

  ReadRegStr $0 HKCU "${WEBVIEW}" "pv"
  ReadRegStr $1 HKLM "${WEBVIEW_MACHINE}" "pv"
  ${If} "$0$1" == ""
    MessageBox MB_OK|MB_ICONINFORMATION "$(NoWebView)" /SD IDOK
  ${EndIf}
SectionEnd

Function un.onInit
  !insertmacro MUI_UNGETLANGUAGE
FunctionEnd

; Takes away what was put there, and nothing that a person has made.
Section "Uninstall"
  !insertmacro NotWhileItRuns
  Delete "$INSTDIR\agentchat.exe"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\THIRD-PARTY-LICENSES.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Agent Chat.lnk"
  !insertmacro UnregisterTypes
  DeleteRegKey HKCU "Software\Classes\AgentChat.Document"
  DeleteRegKey HKCU "Software\Classes\Applications\agentchat.exe"
  DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "Agent Chat"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\Agent Chat"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
  MessageBox MB_OK|MB_ICONINFORMATION "$(Kept)" /SD IDOK
SectionEnd
