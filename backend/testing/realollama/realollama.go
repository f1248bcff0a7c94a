// Package realollama runs a real Ollama server for tests: on loopback, with a home and models of its own, and gone when
// the test is.
package realollama

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// nowhere is where anything goes that is not meant for this machine: nothing listens there.
const nowhere = "http://127.0.0.1:9"

// Server is a running server.
type Server struct {
	Addr string // host:port
	log  string // file
}

// Find gives the program to run: $OLLAMA_BIN, then ollama on the PATH, then ../shared/ollama/bin/ollama beside the
// repository. A name in $OLLAMA_BIN that leads nowhere is not made up for: it gives none.
func Find() (string, bool) {
	if named := os.Getenv("OLLAMA_BIN"); named != "" {
		_, err := os.Stat(named)
		return named, err == nil
	}
	if found, err := exec.LookPath("ollama"); err == nil {
		return found, true
	}
	for dir, err := os.Getwd(); err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			beside := filepath.Join(filepath.Dir(dir), "shared", "ollama", "bin", "ollama")
			_, err := os.Stat(beside)
			return beside, err == nil
		}
	}
	return "", false
}

// Start starts a server for the test, which is skipped when there is none on this machine. env adds to its environment.
func Start(t testing.TB, env ...string) *Server {
	t.Helper()
	program, ok := Find()
	if !ok && os.Getenv("OLLAMA_BIN") != "" {
		t.Skipf("no real Ollama server: OLLAMA_BIN names %s, and nothing is there", program)
	}
	if !ok {
		t.Skip("no real Ollama server here: set OLLAMA_BIN, put ollama on the PATH, or have ../shared/ollama beside the repository")
	}
	for {
		s, ended := begin(t, program, env)
		if s.await(t, ended) {
			return s
		}
		if text, err := os.ReadFile(s.log); err != nil || !bytes.Contains(text, []byte("address already in use")) {
			t.Fatalf("the server ended at once: %s, %v", text, err)
		}
	}
}

// begin starts a server on a port that is free. Another program may take that first; then the server ends.
func begin(t testing.TB, program string, env []string) (s *Server, ended <-chan struct{}) {
	t.Helper()
	s = &Server{Addr: freeAddr(t)}
	home := t.TempDir()
	cmd := exec.CommandContext(context.Background(), program, "serve")
	cmd.Env = append(os.Environ(), "HOME="+home, "USERPROFILE="+home, "OLLAMA_HOST="+s.Addr, "OLLAMA_MODELS="+filepath.Join(home, "models"),
		"OLLAMA_NO_CLOUD=1", "OLLAMA_KEEP_ALIVE=5m", "HTTP_PROXY="+nowhere, "HTTPS_PROXY="+nowhere)
	cmd.Env = append(cmd.Env, env...)
	logFile, err := os.Create(filepath.Join(home, "server.log"))
	if err != nil {
		t.Fatal(err)
	}
	s.log = logFile.Name()
	cmd.Stdout, cmd.Stderr = logFile, logFile
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(over)
	}()
	t.Cleanup(func() {
		if cmd.Process.Signal(os.Interrupt) != nil {
			_ = cmd.Process.Kill()
		}
		select {
		case <-over:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-over
		}
		_ = logFile.Close()
		if t.Failed() {
			if text, err := os.ReadFile(logFile.Name()); err == nil {
				t.Logf("the server's log ends:\n%s", text[max(0, len(text)-4000):])
			}
		}
	})
	return s, over
}

// At is a server that somebody else started.
func At(addr string) *Server { return &Server{Addr: addr} }

// Load has a model read into memory.
func (s *Server) Load(t testing.TB, model string) {
	t.Helper()
	status, text, err := s.do(t.Context(), http.MethodPost, "/api/generate", strings.NewReader(fmt.Sprintf(`{"model":%q,"stream":false}`, model)))
	if err != nil || status != http.StatusOK {
		t.Fatalf("loading: %d %s %v", status, text, err)
	}
}

// freeAddr finds a port that is free now.
func freeAddr(t testing.TB) string {
	t.Helper()
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// await waits until the server answers; false when it has ended.
func (s *Server) await(t testing.TB, ended <-chan struct{}) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), doMost)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		if status, _, err := s.do(ctx, http.MethodGet, "/api/version", nil); err == nil && status == http.StatusOK {
			return true
		}
		select {
		case <-again.C:
		case <-ended:
			return false
		case <-ctx.Done():
			t.Fatal("the server does not answer")
		}
	}
}

// Create makes a model of a GGUF file. It runs on one thread: two on busy cores are many times slower.
func (s *Server) Create(t testing.TB, name string, gguf []byte, template string) {
	t.Helper()
	s.create(t, name, gguf, map[string]any{"template": template})
}

// CreateTrained makes a model of a file that `make models` fetched into the folder, with the template that the server finds
// right, and on one thread like the others.
func (s *Server) CreateTrained(t testing.TB, name, folder string) {
	t.Helper()
	gguf, err := os.ReadFile(filepath.Join(folder, name+".gguf"))
	if err != nil {
		t.Fatalf("%v: make models fetches it", err)
	}
	s.create(t, name, gguf, map[string]any{})
}

func (s *Server) create(t testing.TB, name string, gguf []byte, want map[string]any) {
	t.Helper()
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(gguf))
	// A server that has the file already answers before it has read it, which looks like a broken connection.
	status, text, err := s.do(t.Context(), http.MethodHead, "/api/blobs/"+digest, nil)
	if err == nil && status == http.StatusNotFound {
		status, text, err = s.do(t.Context(), http.MethodPost, "/api/blobs/"+digest, bytes.NewReader(gguf))
	}
	if err != nil || status >= http.StatusBadRequest {
		t.Fatalf("the file: %d %s %v", status, text, err)
	}
	want["model"], want["files"], want["stream"] = name, map[string]string{"model.gguf": digest}, false
	want["parameters"] = map[string]any{"num_thread": 1}
	body, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	status, text, err = s.do(t.Context(), http.MethodPost, "/api/create", bytes.NewReader(body))
	if err != nil || status >= http.StatusBadRequest || strings.Contains(text, `"error"`) {
		t.Fatalf("the model: %d %s %v", status, text, err)
	}
}

// doMost is longer than a call takes that is not answered by a model; a trained model's file is taken in within it.
const doMost = 5 * time.Minute

func (s *Server) do(ctx context.Context, method, path string, body io.Reader) (int, string, error) {
	ctx, cancel := context.WithTimeout(ctx, doMost)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, "http://"+s.Addr+path, body)
	if err != nil {
		return 0, "", err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}
