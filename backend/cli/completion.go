package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"agentchat/backend/language/bilingual"
)

// offersWord is what the shells call with the words that stand on the command line so far, the last of which is being typed. What it
// prints is one word a line, with a tab before what it means.
const offersWord = "__offers"

// offer is a word that may stand next, and what it means.
type offer struct{ word, what string }

// offerWords prints what may stand in the place of the last word. Nothing is opened for it: only a shop that is there already is asked.
func offerWords(p Program, words []string) int {
	if len(words) == 0 {
		words = []string{""}
	}
	before, typed := words[:len(words)-1], words[len(words)-1]
	var list []offer
	if len(before) == 0 {
		r := &run{Program: p, lang: langOf(p)}
		for _, c := range commands() {
			list = append(list, offer{c.name, c.what.In(r.lang)})
		}
	} else if c, ok := find(before[0]); ok {
		r, _ := p.read(c, nil, before[1:])
		switch {
		case strings.HasPrefix(typed, "-"):
			for _, name := range c.flagNames() {
				list = append(list, offer{"--" + name, ""})
			}
		case c.offers != nil:
			list = c.offers(r)
		}
	}
	for _, o := range list {
		if strings.HasPrefix(o.word, typed) {
			_, _ = fmt.Fprintf(p.Out, "%s\t%s\n", o.word, o.what)
		}
	}
	return Done
}

// flagNames are the command's own flags, and those that all have.
func (c command) flagNames() []string {
	set := flag.NewFlagSet(c.name, flag.ContinueOnError)
	if c.flags != nil {
		c.flags(set)
	}
	names := []string{"json", "data", "help"}
	set.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	slices.Sort(names)
	return names
}

// peekFor is how long somebody who is typing waits for what the shop says.
const peekFor = time.Second

// peek shows a shop that is there to what offers words.
func (r *run) peek(look func(shopState)) {
	c, err := dial(r.dataDir)
	if err != nil {
		return
	}
	defer c.close()
	ctx, cancel := context.WithTimeout(context.Background(), peekFor)
	defer cancel()
	if s, err := r.state(ctx, c); err == nil {
		look(s)
	}
}

var scripts = map[string]string{
	"bash": `_%[2]s() {
	local IFS=$'\n' line
	COMPREPLY=()
	while IFS= read -r line; do
		COMPREPLY+=("${line%%%%$'\t'*}")
	done < <("$1" __offers "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _%[2]s %[1]s
`,
	"zsh": `#compdef %[1]s
_%[2]s() {
	local line
	local -a offers
	while IFS= read -r line; do
		offers+=("${${line%%%%$'\t'*}//:/\\:}:${line#*$'\t'}")
	done < <("$words[1]" __offers "${(@)words[2,CURRENT]}" 2>/dev/null)
	if (( $#offers )); then
		_describe '%[1]s' offers
	else
		_files
	fi
}
if [ "$funcstack[1]" = "_%[2]s" ]; then
	_%[2]s "$@"
else
	compdef _%[2]s %[1]s
fi
`,
	"fish": `function __%[2]s_offers
	set -l words (commandline -opc)
	$words[1] __offers $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c %[1]s -a '(__%[2]s_offers)'
`,
}

// Script is what a shell reads to complete the commands of a program. ok is false for shells that are not known.
func Script(shell, program string) (text string, ok bool) {
	form, ok := scripts[shell]
	return fmt.Sprintf(form, program, strings.ReplaceAll(program, "-", "_")), ok
}

// Shells are those that are known.
func Shells() []string { return []string{"bash", "fish", "zsh"} }

func completionCommand() command {
	return command{
		name: "completion", params: strings.Join(Shells(), " | "), what: bilingual.Of("셸 자동 완성을 써 줘요", "Writes what a shell needs to complete commands"),
		do: func(_ context.Context, r *run) int {
			if len(r.words) == 1 {
				if text, ok := Script(r.words[0], r.Name); ok {
					_, _ = io.WriteString(r.Out, text)
					return Done
				}
			}
			return r.misspelt(r.say("어느 셸인가요? %s", "Which shell? %s", strings.Join(Shells(), ", ")))
		},
		offers: func(*run) (list []offer) {
			for _, s := range Shells() {
				list = append(list, offer{s, ""})
			}
			return list
		},
	}
}
