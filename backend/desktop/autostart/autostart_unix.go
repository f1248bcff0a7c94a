//go:build unix && !darwin

package autostart

import (
	"os"
	"path/filepath"
	"strings"
)

// file is where the desktop looks for what begins with a session.
func file() (string, error) {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "autostart", "agentchat.desktop"), nil
}

// On tells whether the program begins with the session.
func On() (bool, error) {
	path, err := file()
	if err != nil {
		return false, err
	}
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	// Desktops switch an entry off in its own file.
	for line := range strings.Lines(string(text)) {
		switch key, value, _ := strings.Cut(strings.TrimSpace(line), "="); strings.TrimSpace(key) {
		case "Hidden":
			if strings.TrimSpace(value) == "true" {
				return false, nil
			}
		case "X-GNOME-Autostart-enabled":
			if strings.TrimSpace(value) == "false" {
				return false, nil
			}
		}
	}
	return true, nil
}

// written is the entry as the Desktop Entry Specification writes it.
func (e Entry) written() ([]byte, error) {
	words := []string{quoted(e.Program)}
	for _, a := range e.Args {
		words = append(words, quoted(a))
	}
	return []byte("[Desktop Entry]\nType=Application\nName=Agent Chat\n" +
		"Comment=A small shop on your own computer\nComment[ko]=내 컴퓨터 안의 작은 가게\n" +
		"Exec=" + strings.Join(words, " ") + "\nIcon=agentchat\nTerminal=false\nX-GNOME-Autostart-enabled=true\n"), nil
}

// An argument of Exec is quoted, and what that leaves is a string of the file, in which a backslash stands twice. A percent sign
// would be a field code.
var (
	inQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", "$", `\$`, "%", "%%")
	inFile   = strings.NewReplacer(`\`, `\\`)
)

func quoted(word string) string { return inFile.Replace(`"` + inQuotes.Replace(word) + `"`) }
