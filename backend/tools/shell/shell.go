// Package shell runs one command of the shell for a person who switched it on and approved exactly this command. On Linux it runs
// in a sandbox where bubblewrap can make one: no network, the system read-only, nothing but the opened folders. Where it cannot,
// the question says so. What a command prints are other people's words. Elsewhere it says that it is not available.
package shell

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/toolbox"
)

// Folder is a folder that the person opened. Path is absolute.
type Folder struct {
	Path  string `json:"path"`
	Write bool   `json:"write"`
}

// Limits bound one command. Zero values become DefaultLimits.
type Limits struct {
	Time      time.Duration
	Memory    int64 // bytes of all its processes together
	Processes int
	File      int64 // bytes of one file it writes
	Output    int64 // bytes it may print before it is stopped
}

// DefaultLimits are enough for what people ask of a shell in a conversation.
var DefaultLimits = Limits{Time: 2 * time.Minute, Memory: 2 << 30, Processes: 200, File: 1 << 30, Output: 16 << 20}

// Deps are what the tool needs of the shop. Every field may be left out.
type Deps struct {
	Folders func(ctx context.Context) []Folder // the folders open at this moment
	// Owner names this shop among others of the computer: commands that a shop of this name left behind are ended.
	Owner string
	// Hidden are paths that no command reaches even when a folder around them is open.
	Hidden []string
	Limits Limits
	// AsRoot lets commands run as root without a sandbox, for tests. The kernel does not count root's processes: what starts more and
	// more of them could not be held.
	AsRoot bool
	// LookPath finds installed programs, for tests.
	LookPath func(program string) (string, error)

	threads func(user int) int // counts what a user runs, for tests; nil: threadsOf
}

//go:embed shell.json
var manuals embed.FS

var manual = toolbox.Manuals(manuals)

type shell struct {
	spec toolbox.Spec
	deps Deps
}

// New makes the tool and ends what a crash may have left behind. The manual is part of the program: one that does not parse panics.
func New(d Deps) toolbox.Tool {
	if d.Folders == nil {
		d.Folders = func(context.Context) []Folder { return nil }
	}
	if d.LookPath == nil {
		d.LookPath = exec.LookPath
	}
	l := &d.Limits
	l.Time, l.Memory, l.Processes = orElse(l.Time, DefaultLimits.Time), orElse(l.Memory, DefaultLimits.Memory), orElse(l.Processes, DefaultLimits.Processes)
	l.File, l.Output = orElse(l.File, DefaultLimits.File), orElse(l.Output, DefaultLimits.Output)
	t := &shell{deps: d, spec: manual("shell")}
	if d.Owner != "" {
		sweep(d.Owner)
	}
	return t
}

func orElse[T comparable](value, fallback T) T {
	var none T
	if value == none {
		return fallback
	}
	return value
}

// Spec implements toolbox.Tool.
func (t *shell) Spec() toolbox.Spec { return t.spec }

// plan is everything about how a command would run. What was approved is a plan, and no other one runs.
type plan struct {
	Command string
	Dir     string // "": an empty place of its own
	Folders []Folder
	Bwrap   string         // the program that makes the sandbox; "": there is none
	Why     bilingual.Text // why there is none
}

func (t *shell) plan(ctx context.Context, call toolbox.Call) (plan, error) {
	var args struct {
		Command string `json:"command"`
		Folder  string `json:"folder"`
	}
	if err := call.Read(&args); err != nil {
		return plan{}, err
	}
	if strings.ContainsRune(args.Command, 0) {
		return plan{}, apperr.New(apperr.InvalidArgs, "detail", "command: a zero character")
	}
	p := plan{Command: args.Command}
	for _, f := range t.deps.Folders(ctx) {
		if path, err := filepath.EvalSymlinks(f.Path); err == nil { // one that is gone is not there for the command either
			p.Folders = append(p.Folders, Folder{Path: path, Write: f.Write})
		}
	}
	slices.SortStableFunc(p.Folders, func(a, b Folder) int { return strings.Compare(a.Path, b.Path) })
	var err error
	if p.Dir, err = p.folder(args.Folder); err != nil {
		return plan{}, err
	}
	p.Bwrap, p.Why, err = t.sandbox(ctx)
	return p, err
}

// folder finds where the command runs: in an opened folder or below one, named in full or by the folder's own name.
func (p plan) folder(asked string) (string, error) {
	if asked == "" {
		if len(p.Folders) == 0 {
			return "", nil
		}
		return p.Folders[0].Path, nil
	}
	for _, f := range p.Folders {
		path := asked
		if !filepath.IsAbs(asked) {
			first, rest, _ := strings.Cut(filepath.ToSlash(filepath.Clean(asked)), "/")
			if first != filepath.Base(f.Path) {
				continue
			}
			path = filepath.Join(f.Path, rest)
		}
		real, err := filepath.EvalSymlinks(path)
		if err == nil && folders.Within(f.Path, real) {
			return real, nil
		}
	}
	return "", apperr.New(apperr.ShellUnavailable, "why", bilingual.Text{
		KO: "‘" + asked + "’ 폴더는 열려 있지 않아요. 허락 페이지에서 폴더를 먼저 열어 주세요", EN: "the folder “" + asked + "” is not open; open it on the permissions page first",
	})
}

// base stands for a plan in an approval.
func (p plan) base() string {
	raw, err := json.Marshal(p)
	if err != nil { // texts always encode
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Preview implements toolbox.Previewer: it says where the command runs, whether it is shut in, and what it reaches.
func (t *shell) Preview(ctx context.Context, call toolbox.Call) (toolbox.Preview, error) {
	p, err := t.plan(ctx, call)
	if err != nil {
		return toolbox.Preview{}, err
	}
	return toolbox.Preview{Text: p.words().In(call.Lang), Base: p.base()}, nil
}

// mostNamed is how many folders the question names.
const mostNamed = 4

func (p plan) words() bilingual.Text {
	dir := bilingual.Text{KO: p.Dir + "에서", EN: "in " + p.Dir}
	if p.Dir == "" {
		dir = bilingual.Text{KO: "빈 임시 폴더에서", EN: "in an empty temporary folder"}
	}
	if p.Bwrap == "" {
		return bilingual.Text{
			KO: fmt.Sprintf("⚠ 격리 없이 %s 실행해요(%s). 당신의 계정이 할 수 있는 일은 무엇이든 할 수 있어요: 모든 파일, 인터넷, 다른 프로그램.", dir.KO, p.Why.KO),
			EN: fmt.Sprintf("⚠ Runs WITHOUT a sandbox, %s (%s). It can do whatever your account can: every file, the internet, other programs.", dir.EN, p.Why.EN),
		}
	}
	var ko, en []string
	for _, f := range p.Folders[:min(len(p.Folders), mostNamed)] {
		how := bilingual.Text{KO: "읽기만", EN: "read only"}
		if f.Write {
			how = bilingual.Text{KO: "읽고 쓰기", EN: "read and write"}
		}
		ko, en = append(ko, f.Path+"("+how.KO+")"), append(en, f.Path+" ("+how.EN+")")
	}
	if more := len(p.Folders) - mostNamed; more > 0 {
		ko, en = append(ko, fmt.Sprintf("그 밖의 열린 폴더 %d개", more)), append(en, fmt.Sprintf("%d more open folders", more))
	}
	reach := bilingual.Text{KO: "닿는 폴더: " + strings.Join(ko, ", "), EN: "It reaches " + strings.Join(en, ", ")}
	if len(p.Folders) == 0 {
		reach = bilingual.Text{KO: "당신의 파일에는 닿지 않아요", EN: "It reaches none of your files"}
	}
	return bilingual.Text{
		KO: fmt.Sprintf("격리해서 %s 실행해요. 인터넷은 쓸 수 없고 시스템은 읽기만 해요. %s.", dir.KO, reach.KO),
		EN: fmt.Sprintf("Runs in a sandbox, %s: no network, the system read-only. %s.", dir.EN, reach.EN),
	}
}

// outcome is what became of a command. Stopped says why it was ended early; zero: it ended by itself.
type outcome struct {
	exit    int
	output  string
	cut     bool
	left    int // processes that were still there at its end
	stopped bilingual.Text
}

// Run implements toolbox.Tool.
func (t *shell) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	p, err := t.plan(ctx, call)
	if err != nil {
		return toolbox.Result{}, err
	}
	if call.Base != p.base() { // the folders or the sandbox are not those that were shown
		return toolbox.Result{}, apperr.New(apperr.Changed, "what", bilingual.Text{KO: "명령이 닿는 곳", EN: "what the command reaches"})
	}
	o, err := t.run(ctx, p)
	switch {
	case err != nil:
		return toolbox.Result{}, err
	case ctx.Err() != nil: // it was under way, and nobody can tell how far it came
		return toolbox.Result{}, apperr.Wrap(ctx.Err(), apperr.InDoubt, "tool", t.spec.Key)
	case o.stopped != bilingual.Text{}:
		output := ""
		if o.output != "" {
			output = "\n" + o.output + "\n"
		}
		return toolbox.Result{}, apperr.New(apperr.ShellStopped, "why", o.stopped, "output", output)
	}
	data, err := json.Marshal(struct {
		Exit      int    `json:"exit"`
		Output    string `json:"output"`
		Cut       bool   `json:"cut,omitempty"`
		Sandboxed bool   `json:"sandboxed"`
	}{o.exit, o.output, o.cut, p.Bwrap != ""})
	if err != nil {
		return toolbox.Result{}, apperr.Wrap(err, apperr.Internal)
	}
	return toolbox.Result{Data: data, Text: o.words().In(call.Lang)}, nil
}

func (o outcome) words() bilingual.Text {
	head := bilingual.Text{KO: "명령이 끝났어요.", EN: "The command has ended."}
	if o.exit != 0 {
		head = bilingual.Text{KO: fmt.Sprintf("명령이 종료 코드 %d로 끝났어요.", o.exit), EN: fmt.Sprintf("The command ended with exit code %d.", o.exit)}
	}
	if o.left > 0 {
		head.KO += fmt.Sprintf(" 뒤에 남은 프로세스 %d개도 끝냈어요.", o.left)
		head.EN += fmt.Sprintf(" %d processes it left behind were ended too.", o.left)
	}
	body := bilingual.Text{KO: "출력은 없어요.", EN: "It printed nothing."}
	if o.output != "" {
		body = bilingual.Text{KO: "\n" + o.output, EN: "\n" + o.output}
	}
	return bilingual.Text{KO: head.KO + " " + body.KO, EN: head.EN + " " + body.EN}
}
