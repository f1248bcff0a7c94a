// Package cli is the shop on the command line: `agentchat ask "…"` and its sisters. Each is a front of the shop that is open, beside its
// window, on the same ledger; where none is open, the command opens one for as long as it lasts.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/language/bilingual"
)

// How a command ended. Scripts rely on the numbers.
const (
	Done      = 0   // done, or nothing was to be done
	Failed    = 1   // it could not be done
	Misspelt  = 2   // the command line is wrong
	Waits     = 3   // it waits for a person
	CalledOff = 4   // it was called off
	GoesOn    = 5   // it goes on in the shop
	NoShop    = 6   // no shop could be reached or opened
	LeftOff   = 130 // the command was interrupted; what it had asked for goes on
)

// Opened is a shop that a command opened for itself. It closes when nobody else is there any more, or at once when ctx is over.
type Opened interface{ Close(ctx context.Context) }

// Program is what the commands are part of.
type Program struct {
	Name string // as it is called
	In   *os.File
	Out  io.Writer
	Err  io.Writer
	Env  []string // NAME=value; nil: the environment of this process
	// Open opens a shop with settings, whose door can then be called. Errors are *apperr.Error.
	Open func(ctx context.Context, o config.Options) (Opened, error)
}

// command is one of the words that a command line may begin with.
type command struct {
	name   string
	params string // as the help shows them
	what   bilingual.Text
	flags  func(*flag.FlagSet) func(*run) // declares its own; what is given back takes them over
	do     func(context.Context, *run) int
	// offers are the words that may stand where a command line is being typed; nil: files.
	offers func(*run) []offer
}

// run is one command under way.
type run struct {
	Program
	lang     bilingual.Lang
	settings config.Options
	dataDir  string
	words    []string // what stands behind the command and is no flag
	json     bool
	own      any // the command's own flags
}

// commands in the order of the help.
func commands() []command {
	return []command{askCommand(), jobsCommand(), answerCommand(), stopCommand(), exportCommand(), mcpCommand(), completionCommand(), helpCommand()}
}

func find(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

// Main does a command line that begins with a command, flags of settings before it left aside. done is false where it does not.
func Main(p Program, args []string) (code int, done bool) {
	set := flag.NewFlagSet(p.Name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	before := config.RegisterFlags(set)
	if set.Parse(args) != nil || set.NArg() == 0 {
		return 0, false
	}
	if set.Arg(0) == offersWord {
		return offerWords(p, set.Args()[1:]), true
	}
	c, ok := find(set.Arg(0))
	if !ok {
		return 0, false
	}
	r, wrong := p.read(c, before(), set.Args()[1:])
	if wrong != nil {
		if errors.Is(wrong, flag.ErrHelp) {
			_, _ = io.WriteString(p.Out, c.help(p.Name, r.lang))
			return Done, true
		}
		return r.misspelt(wrong.Error()), true
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return c.do(ctx, r), true
}

// read reads what stands behind a command: flags and words in any order, and after -- words alone.
func (p Program) read(c command, before map[string]string, args []string) (*run, error) {
	r := &run{Program: p, lang: bilingual.KO}
	set := flag.NewFlagSet(c.name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	given := config.RegisterFlags(set)
	set.BoolVar(&r.json, "json", false, "")
	taken := func(*run) {}
	if c.flags != nil {
		taken = c.flags(set)
	}
	var wrong error
	for rest := args; wrong == nil && len(rest) > 0; {
		if wrong = set.Parse(rest); wrong != nil {
			break
		}
		if at := len(rest) - set.NArg(); at > 0 && rest[at-1] == "--" {
			r.words = append(r.words, set.Args()...)
			break
		}
		if set.NArg() == 0 {
			break
		}
		r.words = append(r.words, set.Arg(0))
		rest = set.Args()[1:]
	}
	flags := given()
	for key, value := range before {
		if _, said := flags[key]; !said {
			flags[key] = value
		}
	}
	if len(flags) > 0 {
		r.settings.Flags = flags
	}
	r.settings.Env = p.Env
	look := r.settings
	look.Look = true
	cfg, _, err := config.Load(look)
	switch {
	case err == nil:
		r.lang, r.dataDir = cfg.Get().Lang, cfg.Get().DataDir
	case wrong == nil:
		return r, errors.New(apperr.From(err).Text(r.lang))
	}
	taken(r)
	if wrong != nil && !errors.Is(wrong, flag.ErrHelp) {
		wrong = errors.New(r.say("그 옵션은 쓸 수 없어요: %s", "That option cannot be used: %s", wrong.Error()))
	}
	return r, wrong
}

// say is a sentence in the person's language.
func (r *run) say(ko, en string, args ...any) string { return bilingual.Say(r.lang, ko, en, args...) }

// note writes a line beside what the command gives out.
func (r *run) note(ko, en string, args ...any) {
	_, _ = fmt.Fprintln(r.Err, plain(r.say(ko, en, args...)))
}

// misspelt says what is wrong with a command line.
func (r *run) misspelt(what string) int {
	_, _ = fmt.Fprintf(r.Err, "%s: %s\n", r.Name, plain(what))
	r.note("`%[1]s help`가 쓰는 법을 보여 줘요.", "`%[1]s help` shows how it is used.", r.Name)
	return Misspelt
}

// failed says why a command failed.
func (r *run) failed(err error) int {
	e := apperr.From(err)
	r.tell(e.Code, e.Text(r.lang), e.Fields)
	switch e.Code {
	case apperr.AlreadyRunning, apperr.StorageCorrupt, apperr.StorageFailed, apperr.TooManyFronts:
		return NoShop
	default:
		return Failed
	}
}

func (r *run) tell(code apperr.Code, text string, fields map[string]any) {
	if r.json {
		r.print(object("error", map[string]any{"code": code, "message": text, "fields": fields}))
		return
	}
	_, _ = fmt.Fprintf(r.Err, "%s: %s\n", r.Name, plain(text))
}

// plain is text with nothing in it that a terminal would obey: what others wrote must not move the cursor or change what was shown.
func plain(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' || c >= 0x7f && c <= 0x9f || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 {
			return -1
		}
		return c
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
