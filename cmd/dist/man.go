package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"agentchat/backend/about"
	"agentchat/backend/cli"
	"agentchat/backend/config"
	"agentchat/backend/diagnose"
	"agentchat/backend/language/bilingual"
)

// page is one manual page. Its options are those that the program declares.
type page struct {
	name, what, synopsis, text string
	flags                      func(*flag.FlagSet)
}

func manualPages() []page {
	both := func(fs *flag.FlagSet) { config.RegisterFlags(fs); diagnose.RegisterFlags(fs) }
	return []page{
		{
			"agentchat", "a small shop on your own computer", "[options] [file ... | command ...]",
			"Opens the window. With a command it speaks to the shop that is open, or opens one without a window (see COMMANDS). Files that are given are handed in with the next message; where the program runs already, they go to its window and nothing is started twice.",
			func(fs *flag.FlagSet) {
				both(fs)
				fs.Bool("hidden", false, "Starts without a window, behind the icon in the tray.")
			},
		},
		{
			"agentchat-headless", "the same shop on standard input and output", "[options] [command ...]",
			"Reads commands from standard input and writes events to standard output, one JSON object a line. {\"cmd\":\"say\",\"text\":\"...\"} says something; {\"cmd\":\"quit\"} ends it.",
			func(fs *flag.FlagSet) {
				both(fs)
				fs.String("damaged", "", "What to do about a damaged data file: restore (the newest backup) or fresh. It is kept beside.")
			},
		},
	}
}

var roff = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`)

// manuals writes the manual pages into a folder.
func manuals(folder string) error {
	at, err := moment()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, p := range manualPages() {
		var out strings.Builder
		fmt.Fprintf(&out, ".TH %s 1 %q \"Agent Chat %s\" \"User Commands\"\n", strings.ToUpper(p.name), at.Format("2006-01-02"), about.Version)
		fmt.Fprintf(&out, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n%s\n.SH DESCRIPTION\n%s\n.SH OPTIONS\n", roff.Replace(p.name), p.what, roff.Replace(p.name), p.synopsis, roff.Replace(p.text))
		set := flag.NewFlagSet(p.name, flag.ContinueOnError)
		p.flags(set)
		set.VisitAll(func(f *flag.Flag) {
			value := ""
			if b, ok := f.Value.(interface{ IsBoolFlag() bool }); !ok || !b.IsBoolFlag() {
				value = " \\fIvalue\\fR"
			}
			fmt.Fprintf(&out, ".TP\n\\fB\\-\\-%s\\fR%s\n%s\n", roff.Replace(f.Name), value, roff.Replace(f.Usage))
		})
		out.WriteString(".SH COMMANDS\nAll take \\-\\-json.\n")
		for _, l := range cli.Lines(bilingual.EN) {
			fmt.Fprintf(&out, ".TP\n\\fB%s\\fR\n%s.\n", roff.Replace(l[0]), roff.Replace(l[1]))
		}
		fmt.Fprintf(&out, ".SH EXIT STATUS\nOf commands: %s.\n", roff.Replace(cli.Codes(bilingual.EN)))
		out.WriteString(`.SH ENVIRONMENT
Every setting may be given as AGENTCHAT_NAME, for example AGENTCHAT_WORKERS=8. AGENTCHAT_OPENAI_KEY or OPENAI_API_KEY is the key of a
server that wants one.
.SH FILES
.TP
.I ~/.local/share/agentchat
The data: one SQLite file, the settings, the log, backups, and reports of crashes.
.SH SEE ALSO
.BR agentchat (1),
.BR agentchat\-headless (1)
`)
		if err := os.WriteFile(filepath.Join(folder, p.name+".1"), []byte(out.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// completions writes what the shells read to complete the commands of both programs, where each looks for it below a folder.
func completions(folder string) error {
	places := map[string]string{"bash": "bash-completion/completions/%s", "zsh": "zsh/site-functions/_%s", "fish": "fish/vendor_completions.d/%s.fish"}
	for _, p := range manualPages() {
		for _, shell := range cli.Shells() {
			text, _ := cli.Script(shell, p.name)
			path := filepath.Join(folder, fmt.Sprintf(places[shell], p.name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
