package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"strings"

	"agentchat/backend/front"
	"agentchat/backend/language/bilingual"
)

// keyName is the environment's name for a guest's key: on a command line others could read it.
const keyName = "AGENTCHAT_MCP_KEY"

func mcpCommand() command {
	return command{
		name: "mcp", params: "[--key-file FILE]",
		what: bilingual.Of("다른 프로그램에 가게의 공구를 MCP로 빌려줘요 (열쇠는 "+keyName+")", "Lends the shop's tools to another program over MCP (its key: "+keyName+")"),
		flags: func(set *flag.FlagSet) func(*run) {
			file := set.String("key-file", "", "")
			return func(r *run) { r.own = *file }
		},
		do: func(ctx context.Context, r *run) int { return r.mcp(ctx, r.own.(string)) },
	}
}

// mcp is a pipe between a program and the shop's door for guests.
func (r *run) mcp(ctx context.Context, file string) int {
	key, err := r.key(file)
	if err != nil || key == "" {
		return r.misspelt(r.say("열쇠가 없어요. 바깥 공구 페이지에서 프로그램을 넣고, 받은 열쇠를 "+keyName+"로 주세요.",
			"There is no key. Add the program on the outside tools page and pass its key as "+keyName+"."))
	}
	return r.at(ctx, func(*client) int {
		conn, err := front.DialGuest(r.dataDir)
		if err != nil {
			return r.failed(err)
		}
		defer func() { _ = conn.Close() }()
		hello, err := json.Marshal(front.Hello{Key: key})
		if err == nil {
			_, err = conn.Write(append(hello, '\n'))
		}
		in := bufio.NewReader(conn)
		var w front.Welcome
		if err == nil {
			var line []byte
			if line, err = in.ReadBytes('\n'); err == nil {
				err = json.Unmarshal(line, &w)
			}
		}
		switch {
		case err != nil:
			return r.failed(err)
		case w.Error != nil:
			return r.trouble(ctx, refusal{*w.Error})
		}
		over := make(chan struct{}, 2)
		go func() { _, _ = io.Copy(conn, r.In); over <- struct{}{} }()
		go func() { _, _ = io.Copy(r.Out, in); over <- struct{}{} }()
		select {
		case <-over:
		case <-ctx.Done():
		}
		return Done
	})
}

// key is the guest's key, out of the environment or a file.
func (r *run) key(file string) (string, error) {
	if file != "" {
		text, err := os.ReadFile(file)
		return strings.TrimSpace(string(text)), err
	}
	for _, e := range r.environ() {
		if name, value, ok := strings.Cut(e, "="); ok && name == keyName {
			return value, nil
		}
	}
	return "", errors.New("cli: no key")
}

func (r *run) environ() []string {
	if r.Env != nil {
		return r.Env
	}
	return os.Environ()
}
