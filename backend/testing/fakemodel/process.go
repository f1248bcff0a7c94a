package fakemodel

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"time"
)

// childEnv tells a test program that it was started to be the fake server.
const childEnv = "AGENTCHAT_FAKE_MODEL_SERVER"

// Main is the server as a program. It listens on loopback, prints its address, and ends when its standard input does: it
// can never outlive the test that started it.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("fakemodel", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:0", "where to listen")
	rules := flags.String("rules", "", "a JSON file with the answers of the shop scenario: [{role, contains, reply}]")
	acts := flags.String("acts", "", "a JSON file with what the scenario call-script does: [{contains, rounds, say, ask, direct, endless}]")
	var o Options
	flags.StringVar(&o.Key, "key", "", "the key that OpenAI calls must carry")
	flags.BoolVar(&o.NoModel, "no-model", false, "have no model")
	flags.BoolVar(&o.Plain, "plain", false, "be no model server at all")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if err := serve(*addr, *rules, *acts, o, stdin, stdout); err != nil {
		_, _ = fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

func serve(addr, rules, acts string, o Options, stdin io.Reader, stdout io.Writer) error {
	if err := errors.Join(readJSON(rules, &o.Rules), readJSON(acts, &o.Acts)); err != nil {
		return err
	}
	var lc net.ListenConfig
	listener, err := lc.Listen(context.Background(), "tcp", addr)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stdout, "listening on %s\n", listener.Addr())
	server := &http.Server{Handler: New(o), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		_, _ = io.Copy(io.Discard, stdin)
		_ = server.Close()
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// readJSON reads a file, if there is one.
func readJSON(file string, into any) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// BeChild turns this process into the server when Start started it. Call it first in TestMain.
func BeChild() {
	if os.Getenv(childEnv) != "" {
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
}

// Process is a running server.
type Process struct {
	Addr  string // host:port
	cmd   *exec.Cmd
	stdin io.Closer
	http  http.Client
}

// Start starts the server as a process of its own: this very program, whose TestMain must call BeChild.
func Start(args ...string) (*Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(context.Background(), self, args...)           //nolint:gosec // it is this program itself
	cmd.Env = append(os.Environ(), childEnv+"=1", "GORACE=atexit_sleep_ms=0") // a second for each server would add up
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Process{cmd: cmd, stdin: stdin, http: http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	addr, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		_ = p.Stop()
		return nil, fmt.Errorf("the fake model server said %q: %w", line, err)
	}
	p.Addr = addr
	return p, nil
}

// Stop ends the server and waits for it. Every connection breaks.
func (p *Process) Stop() error {
	_ = p.stdin.Close()
	return p.cmd.Wait()
}

// Await waits until a call of the model is in the state: running, done or aborted. It gives up after two minutes.
func (p *Process) Await(ctx context.Context, model, state string) (Call, error) {
	var call Call
	err := p.do(ctx, http.MethodGet, "await?model="+url.QueryEscape(model)+"&state="+state, &call)
	return call, err
}

// AwaitChat is Await for a request that wants the model to read or write, and not only to be loaded.
func (p *Process) AwaitChat(ctx context.Context, model, state string) (Call, error) {
	var call Call
	err := p.do(ctx, http.MethodGet, "await?path=/api/chat&model="+url.QueryEscape(model)+"&state="+state, &call)
	return call, err
}

// Calls lists the calls so far.
func (p *Process) Calls(ctx context.Context) ([]Call, error) {
	var calls []Call
	err := p.do(ctx, http.MethodGet, "calls", &calls)
	return calls, err
}

// Received gives how many bytes the bodies of the calls so far have.
func (p *Process) Received(ctx context.Context) (bytes int64, err error) {
	err = p.do(ctx, http.MethodGet, "heard", &bytes)
	return bytes, err
}

// Release lets go of a call of a scenario that waits.
func (p *Process) Release(ctx context.Context, model string) error {
	return p.do(ctx, http.MethodPost, "release?model="+url.QueryEscape(model), nil)
}

// doMost is far longer than any state takes to come; a test that waits for one that never comes says so, instead of standing still.
const doMost = 2 * time.Minute

func (p *Process) do(ctx context.Context, method, what string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, doMost)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, "http://"+p.Addr+"/fake/"+what, nil)
	if err != nil {
		return err
	}
	resp, err := p.http.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if into == nil {
		return nil
	}
	return json.NewDecoder(resp.Body).Decode(into)
}
