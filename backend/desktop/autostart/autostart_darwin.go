package autostart

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
)

const label = "agentchat.hidden"

func file() (string, error) {
	home, err := os.UserHomeDir()
	return filepath.Join(home, "Library", "LaunchAgents", label+".plist"), err
}

// On tells whether the program begins with the session.
func On() (bool, error) {
	path, err := file()
	if err != nil {
		return false, err
	}
	_, err = os.Stat(path)
	if os.IsNotExist(err) {
		return false, nil
	}
	return err == nil, err
}

// written is the entry as launchd reads it.
func (e Entry) written() ([]byte, error) {
	var words strings.Builder
	for _, w := range append([]string{e.Program}, e.Args...) {
		words.WriteString("\t\t<string>")
		if err := xml.EscapeText(&words, []byte(w)); err != nil {
			return nil, err
		}
		words.WriteString("</string>\n")
	}
	return []byte(xml.Header + `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + label + `</string>
	<key>ProgramArguments</key>
	<array>
` + words.String() + `	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>LimitLoadToSessionType</key>
	<string>Aqua</string>
</dict>
</plist>
`), nil
}
