package cli

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"

	"agentchat/backend/language/bilingual"
)

// asked are the flags of ask.
type asked struct {
	chat, press string
	attach      list
	detach      bool
	noInput     bool
	timeout     time.Duration
}

// list is a flag that may be given again and again.
type list []string

// String implements flag.Value.
func (l *list) String() string { return strings.Join(*l, ", ") }

// Set implements flag.Value.
func (l *list) Set(v string) error { *l = append(*l, v); return nil }

func askCommand() command {
	return command{
		name: "ask", params: "[--chat ID] [--attach FILE]… [--press BUTTON] [--detach] [--no-input] [--timeout 30s] TEXT…",
		what: bilingual.Of("말하고, 답을 받고, 끝날 때까지 기다려요", "Says something, writes the answer and waits for its end"),
		flags: func(set *flag.FlagSet) func(*run) {
			var o asked
			set.StringVar(&o.chat, "chat", "main", "")
			set.StringVar(&o.press, "press", "", "")
			set.Var(&o.attach, "attach", "")
			set.BoolVar(&o.detach, "detach", false, "")
			set.BoolVar(&o.noInput, "no-input", false, "")
			set.DurationVar(&o.timeout, "timeout", 0, "")
			return func(r *run) { r.own = o }
		},
		do: func(ctx context.Context, r *run) int { return r.ask(ctx, r.own.(asked)) },
	}
}

// mostText is how much of an input is a message by itself; what is more comes as an attachment.
const mostText = 8 << 10

func (r *run) ask(ctx context.Context, o asked) int {
	text := strings.TrimSpace(strings.Join(r.words, " "))
	for i, path := range o.attach {
		whole, err := filepath.Abs(path)
		if err != nil {
			return r.failed(err)
		}
		o.attach[i] = whole
	}
	piped := r.piped()
	if text == "" && o.press == "" && piped != nil { // what is piped is what is said
		said, err := io.ReadAll(io.LimitReader(piped, mostText+1))
		if err != nil {
			return r.failed(err)
		}
		if len(said) > mostText {
			return r.misspelt(r.say("이 입력으로 무엇을 할지 함께 적어 주세요. 예: … | %s ask \"요약해줘\"", "Say what to do with that input, for example: … | %s ask \"sum this up\"", r.Name))
		}
		text, piped = strings.TrimSpace(string(said)), nil
	}
	if text == "" && o.press == "" {
		return r.misspelt(r.say("할 말이 없어요. 예: %s ask \"서울 날씨 알려줘\"", "There is nothing to say, for example: %s ask \"what's the weather in Seoul?\"", r.Name))
	}
	return r.at(ctx, func(c *client) int {
		a := &asking{run: r, client: c, flags: o, turns: map[string]bool{}, jobs: map[string]*work{}}
		if !o.noInput && !r.json && !o.detach {
			a.person = r.terminal()
		}
		fields := map[string]any{"chat": o.chat, "text": text}
		if o.press != "" {
			fields["action"] = o.press
		}
		attachments := []string(o.attach)
		if piped != nil {
			path, done, err := r.keepInput(c.ready.DataDir, piped)
			if err != nil {
				return r.failed(err)
			}
			defer done()
			if path != "" {
				attachments = append(attachments, path)
			}
		}
		if len(attachments) > 0 {
			fields["attachments"] = attachments
		}
		if err := a.speak(ctx, fields); err != nil {
			return r.trouble(ctx, err)
		}
		return a.follow(ctx)
	})
}

// piped is what stands at the input and is no terminal, nor nothing.
func (r *run) piped() io.Reader {
	if r.In == nil || term.IsTerminal(int(r.In.Fd())) {
		return nil
	}
	info, err := r.In.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 && !info.Mode().IsRegular() {
		return nil // a closed input is none
	}
	if info.Mode().IsRegular() && info.Size() == 0 {
		return nil
	}
	return r.In
}
