package main

import (
	"fmt"
	"os"
	"strings"

	"agentchat/backend/about"
	"agentchat/backend/library/extract"
)

// windowsTypes writes what an installer registers of the formats that can be read, for one person: the program is offered to open them, and
// takes no kind of file away from another.
func windowsTypes(file string) error {
	var in, out strings.Builder
	for _, f := range extract.Formats() {
		for _, ending := range f.Endings {
			fmt.Fprintf(&in, "  WriteRegStr HKCU \"Software\\Classes\\%s\\OpenWithProgids\" \"AgentChat.Document\" \"\"\n", ending)
			fmt.Fprintf(&in, "  WriteRegStr HKCU \"Software\\Classes\\Applications\\agentchat.exe\\SupportedTypes\" \"%s\" \"\"\n", ending)
			fmt.Fprintf(&out, "  DeleteRegValue HKCU \"Software\\Classes\\%s\\OpenWithProgids\" \"AgentChat.Document\"\n", ending)
			fmt.Fprintf(&out, "  DeleteRegKey /ifempty HKCU \"Software\\Classes\\%s\\OpenWithProgids\"\n  DeleteRegKey /ifempty HKCU \"Software\\Classes\\%s\"\n", ending, ending)
		}
	}
	text := "!macro RegisterTypes\n" + in.String() + "!macroend\n\n!macro UnregisterTypes\n" + out.String() + "!macroend\n"
	return os.WriteFile(file, []byte(text), 0o644)
}

const plistHead = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>CFBundlePackageType</key><string>APPL</string>
	<key>CFBundleInfoDictionaryVersion</key><string>6.0</string>
	<key>CFBundleIdentifier</key><string>local.agentchat.AgentChat</string>
	<key>CFBundleName</key><string>Agent Chat</string>
	<key>CFBundleDisplayName</key><string>Agent Chat</string>
	<key>CFBundleExecutable</key><string>agentchat</string>
	<key>CFBundleIconFile</key><string>agentchat</string>
	<key>CFBundleDevelopmentRegion</key><string>ko</string>
	<key>CFBundleLocalizations</key><array><string>ko</string><string>en</string></array>
	<key>CFBundleShortVersionString</key><string>%[1]s</string>
	<key>CFBundleVersion</key><string>%[1]s</string>
	<key>LSMinimumSystemVersion</key><string>11.0</string>
	<key>LSApplicationCategoryType</key><string>public.app-category.productivity</string>
	<key>NSHighResolutionCapable</key><true/>
	<key>NSHumanReadableCopyright</key><string>All rights reserved by the authors of Agent Chat</string>
	<key>NSAppTransportSecurity</key><dict><key>NSAllowsLocalNetworking</key><true/></dict>
	<key>CFBundleDocumentTypes</key>
	<array>
`

// plist writes the Info.plist of a Mac's bundle. It offers the program for what it can read and is nobody's first choice.
func plist(file string) error {
	var out strings.Builder
	fmt.Fprintf(&out, plistHead, about.Version)
	for _, f := range extract.Formats() {
		out.WriteString("\t\t<dict>\n\t\t\t<key>CFBundleTypeName</key><string>" + strings.ToUpper(f.Key) + "</string>\n\t\t\t<key>CFBundleTypeRole</key><string>Viewer</string>\n\t\t\t<key>LSHandlerRank</key><string>Alternate</string>\n\t\t\t<key>CFBundleTypeExtensions</key><array>")
		for _, ending := range f.Endings {
			out.WriteString("<string>" + strings.TrimPrefix(ending, ".") + "</string>")
		}
		out.WriteString("</array>\n\t\t\t<key>CFBundleTypeMIMETypes</key><array>")
		for _, kind := range f.MIME {
			out.WriteString("<string>" + kind + "</string>")
		}
		out.WriteString("</array>\n\t\t</dict>\n")
	}
	out.WriteString("\t</array>\n</dict>\n</plist>\n")
	return os.WriteFile(file, []byte(out.String()), 0o644)
}
