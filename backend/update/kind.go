package update

import (
	"os"
	"path/filepath"
	"strings"
)

// Kind is how the program came onto this computer, and so what brings the next version.
type Kind string

// The kinds that `make package` makes.
const (
	KindDeb     Kind = "deb"     // Debian's and Ubuntu's packages: apt installs the next
	KindRPM     Kind = "rpm"     // Fedora's and openSUSE's
	KindArchive Kind = "archive" // a folder that was unpacked
	KindSetup   Kind = "setup"   // Windows' installer
	KindDisk    Kind = "disk"    // a Mac's disk image
)

// KindOf tells how the program at a path came onto a computer of the system goos. exists looks for a file.
func KindOf(program, goos string, exists func(path string) bool) Kind {
	switch goos {
	case "darwin":
		if strings.Contains(program, ".app/Contents/MacOS/") {
			return KindDisk
		}
	case "windows":
		if exists(strings.TrimSuffix(program, filepath.Base(program)) + "uninstall.exe") {
			return KindSetup
		}
	default:
		if filepath.Dir(program) != "/usr/bin" {
			break
		}
		if exists("/var/lib/dpkg/info/agentchat.list") {
			return KindDeb
		}
		if exists("/var/lib/rpm") || exists("/usr/lib/sysimage/rpm") {
			return KindRPM
		}
	}
	return KindArchive
}

// ThisKind is KindOf for this very program.
func ThisKind(goos string) Kind {
	program, err := os.Executable()
	if err != nil {
		return KindArchive
	}
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	return KindOf(program, goos, func(path string) bool { _, err := os.Stat(path); return err == nil })
}

// command is what a person types to install a package of a kind, "" where opening it is enough.
func (k Kind) command(path string) string {
	quoted := "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	switch k {
	case KindDeb:
		return "sudo apt install " + quoted
	case KindRPM:
		return "sudo dnf install " + quoted
	case KindArchive, KindSetup, KindDisk:
	}
	return ""
}
