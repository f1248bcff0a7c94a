package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"agentchat/backend/config"
	"agentchat/backend/language/bilingual"
)

// langOf is the person's language, before a command is read.
func langOf(p Program) bilingual.Lang {
	c, _, err := config.Load(config.Options{Env: p.Env, Look: true})
	if err != nil {
		return bilingual.KO
	}
	return c.Get().Lang
}

func helpCommand() command {
	return command{
		name: "help", params: "[COMMAND]", what: bilingual.Of("쓰는 법을 보여 줘요", "Shows how it is used"),
		do: func(_ context.Context, r *run) int {
			if len(r.words) > 0 {
				c, ok := find(r.words[0])
				if !ok {
					return r.misspelt(r.say("그런 명령은 없어요: %s", "There is no such command: %s", r.words[0]))
				}
				_, _ = io.WriteString(r.Out, c.help(r.Name, r.lang))
				return Done
			}
			_, _ = io.WriteString(r.Out, Help(r.Name, r.lang))
			return Done
		},
		offers: func(r *run) (list []offer) {
			for _, c := range commands() {
				list = append(list, offer{c.name, c.what.In(r.lang)})
			}
			return list
		},
	}
}

// Lines are one per command: how it is written, and what it does.
func Lines(lang bilingual.Lang) (list [][2]string) {
	for _, c := range commands() {
		list = append(list, [2]string{strings.TrimSpace(c.name + " " + c.params), c.what.In(lang)})
	}
	return list
}

// Codes are the exit codes, in words.
func Codes(lang bilingual.Lang) string {
	return bilingual.Say(lang,
		"0 끝남 · 1 못 했음 · 2 명령을 잘못 적음 · 3 사람을 기다림 · 4 그만둠 · 5 가게에서 이어짐 · 6 가게를 열 수 없음 · 130 중간에 나옴",
		"0 done · 1 failed · 2 the command is wrong · 3 waits for a person · 4 canceled · 5 goes on in the shop · 6 no shop could be opened · 130 interrupted")
}

// Help is how all commands are used.
func Help(program string, lang bilingual.Lang) string {
	var b strings.Builder
	for _, l := range Lines(lang) {
		fmt.Fprintf(&b, "%s %s\n    %s\n", program, l[0], l[1])
	}
	b.WriteString("\n" + bilingual.Say(lang,
		"모든 명령에 --json과 --data 폴더를 붙일 수 있어요. 열려 있는 가게에 말하고, 없으면 하나를 열어요.",
		"All commands take --json and --data FOLDER. They speak to the shop that is open, or open one.") + "\n")
	b.WriteString(bilingual.Say(lang, "끝나는 번호: ", "Exit codes: ") + Codes(lang) + "\n")
	return b.String()
}

// help is how one command is used.
func (c command) help(program string, lang bilingual.Lang) string {
	return fmt.Sprintf("%s %s\n    %s\n%s\n", program, strings.TrimSpace(c.name+" "+c.params), c.what.In(lang), Codes(lang))
}
