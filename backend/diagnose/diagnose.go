// Package diagnose gathers what somebody who is to help needs to know of a shop: versions, the system, settings, how much there is of
// what, log lines and crashes. Nothing in it is a word that a person said or wrote, a name, a path, an address or a secret: only what the
// program itself says is let through, see words.go.
package diagnose

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/mem"

	"agentchat/backend/about"
	"agentchat/backend/config"
	"agentchat/backend/crash"
	"agentchat/backend/privatefile"
)

// Part is one file of a report.
type Part struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Sources is where a report is made of. The shop need not be open.
type Sources struct {
	DataDir  string
	Settings []config.Item
	Counts   map[string]int64 // rows of the ledger's tables
	Wrong    error            // why there are no counts
	Now      time.Time
}

// logLines is how many of the newest log lines a report holds.
const logLines = 500

// Parts makes the report. What cannot be read is said in its place: a report of a broken shop is worth most.
func Parts(s Sources) []Part {
	parts := []Part{
		{"program.txt", program(s)},
		{"settings.txt", settings(s.Settings)},
		{"counts.txt", counts(s)},
	}
	log, err := logText(filepath.Join(s.DataDir, "logs", "agentchat.log"))
	if err != nil {
		log = unread(err)
	}
	parts = append(parts, Part{"log.txt", log})
	reports, err := crash.Reports(s.DataDir)
	if err != nil {
		return append(parts, Part{"crashes.txt", unread(err)})
	}
	for _, r := range reports {
		parts = append(parts, Part{"crash-" + r.At.Format("2006-01-02T150405Z") + ".txt", crash.Shown(r.Text)})
	}
	return parts
}

func program(s Sources) string {
	var out strings.Builder
	line := func(name string, value any) { fmt.Fprintf(&out, "%-16s %v\n", name, value) }
	line("made", s.Now.UTC().Format(time.RFC3339))
	line("version", about.Line())
	line("system", system())
	line("processors", runtime.NumCPU())
	if m, err := mem.VirtualMemory(); err == nil {
		line("memory", fmt.Sprintf("%d MB, %d MB free", m.Total>>20, m.Available>>20))
	}
	for _, name := range []string{"XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "LANG"} {
		if value := os.Getenv(name); isClosed(value) {
			line(name, value)
		}
	}
	return out.String()
}

// system is the name of the operating system as it says itself.
func system() string {
	if text, err := os.ReadFile("/etc/os-release"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, is := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); is {
				return strings.Trim(name, `"`)
			}
		}
	}
	return runtime.GOOS
}

// settings lists them: numbers, choices and yes or no as they are; of a text only whether there is one.
func settings(list []config.Item) string {
	var out strings.Builder
	for _, s := range list {
		value := "(set)"
		switch {
		case s.Type == config.TypeInt || s.Type == config.TypeNumber || s.Type == config.TypeBool || s.Type == config.TypeEnum:
			value = fmt.Sprint(s.Value)
		case s.Value == nil || s.Value == "" || fmt.Sprint(s.Value) == "[]":
			value = "(none)"
		case s.Source == config.SourceDefault:
			value = "(default)"
		}
		key := s.Key
		if !isKey(key) {
			key = "(another)"
		}
		fmt.Fprintf(&out, "%-28s %-10s %s\n", key, s.Source, value)
	}
	return out.String()
}

func counts(s Sources) string {
	if s.Wrong != nil {
		return unread(s.Wrong)
	}
	var out strings.Builder
	names := make([]string, 0, len(s.Counts))
	for name := range s.Counts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&out, "%-28s %d\n", name, s.Counts[name])
	}
	return out.String()
}

// unread says why something is missing.
func unread(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "(there is none)\n"
	}
	return "(could not be read: " + sign(err.Error()) + ")\n"
}

// logText gives the newest lines of the log without words.
func logText(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	var ring [logLines]string
	n := 0
	lines := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := lines.ReadSlice('\n')
		if len(line) > 0 && !errors.Is(err, bufio.ErrBufferFull) {
			if text, ok := logLine(line); ok {
				ring[n%logLines] = text
				n++
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return "", err
		}
	}
	var out strings.Builder
	for i := max(0, n-logLines); i < n; i++ {
		out.WriteString(ring[i%logLines] + "\n")
	}
	return out.String(), nil
}

// Save writes parts, as they were shown, into a zip file that only its owner may read. Errors are the system's.
func Save(path string, parts []Part, now time.Time) error {
	var packed strings.Builder
	z := zip.NewWriter(&packed)
	for _, p := range parts {
		w, err := z.CreateHeader(&zip.FileHeader{Name: filepath.Base(p.Name), Method: zip.Deflate, Modified: now})
		if err == nil {
			_, err = io.WriteString(w, p.Text)
		}
		if err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return privatefile.Write(path, []byte(packed.String()))
}

// Print shows a report as text.
func Print(w io.Writer, parts []Part) error {
	for _, p := range parts {
		if _, err := fmt.Fprintf(w, "== %s\n%s\n", p.Name, p.Text); err != nil {
			return err
		}
	}
	return nil
}
