package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ways are what opens connections to elsewhere, by the package it stands in: a name, or what a name begins with. A type stands for making one.
var ways = map[string][]string{
	"net":        {"Dial*", "Lookup*", "Resolve*", "DefaultResolver", "Resolver", "ListenMulticastUDP", "ListenUDP", "ListenPacket", "ListenIP"},
	"net/http":   {"Get", "Head", "Post", "PostForm", "DefaultClient", "DefaultTransport", "Client", "Transport", "NewFileTransport", "ProxyFromEnvironment", "ProxyURL"},
	"crypto/tls": {"Dial*", "Client"},
	// of parcels from outside
	"github.com/ollama/ollama/api": {"ClientFromEnvironment"},
}

// dialers are packages that call out by themselves, whoever uses them.
var dialers = []string{
	"net/smtp", "net/rpc", "net/http/httputil", "golang.org/x/crypto/ssh", "golang.org/x/net/websocket", "golang.org/x/net/proxy", "golang.org/x/net/http2",
	"github.com/gorilla/websocket", "github.com/coder/websocket", "nhooyr.io/websocket", "github.com/quic-go/quic-go", "google.golang.org/grpc",
}

// Everything that leaves this computer goes by the one line: no other package of the program opens a connection, looks a name up or makes a client.
func TestOneWayOut(t *testing.T) {
	product := house(t)
	files := token.NewFileSet()
	seen := 0
	walk(t, root, func(file string) {
		pkg := path.Join(module, path.Dir(file))
		if _, ok := product[pkg]; !ok || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || pkg == module+"/backend/outbound" ||
			within(pkg, module+"/backend/testing") || within(pkg, module+"/e2e") {
			return
		}
		parsed, err := parser.ParseFile(files, filepath.Join(root, file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		seen++
		for _, wrong := range waysOut(parsed) {
			t.Errorf("%s: %s opens a way out of its own; take a client of backend/outbound", files.Position(wrong.at), wrong.what)
		}
	})
	if seen < 300 {
		t.Errorf("only %d files were looked at", seen)
	}
}

type wayOut struct {
	at   token.Pos
	what string
}

// waysOut finds in a file what opens a connection. A pointer to a client only hands one on.
func waysOut(file *ast.File) (list []wayOut) {
	names := map[string]string{} // of imports
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		if slices.ContainsFunc(dialers, func(d string) bool { return within(imported, d) }) {
			list = append(list, wayOut{spec.Pos(), imported})
		}
		if _, watched := ways[imported]; !watched {
			continue
		}
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "." {
			list = append(list, wayOut{spec.Pos(), "the dot before " + imported})
		}
		names[name] = imported
	}
	handed := map[ast.Expr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StarExpr:
			handed[n.X] = true
		case *ast.SelectorExpr:
			of, ok := n.X.(*ast.Ident)
			if !ok || handed[n] {
				return true
			}
			for _, way := range ways[names[of.Name]] {
				begin, any := strings.CutSuffix(way, "*")
				if n.Sel.Name == way || any && strings.HasPrefix(n.Sel.Name, begin) {
					list = append(list, wayOut{n.Pos(), of.Name + "." + n.Sel.Name})
				}
			}
		}
		return true
	})
	return list
}

// The rule finds what it is for.
func TestWaysOutAreFound(t *testing.T) {
	for text, want := range map[string]int{
		`import "net"; var _, _ = net.Dial("tcp", "a:1")`:                                         1,
		`import other "net"; var d other.Dialer`:                                                  1,
		`import . "net"; var _, _ = Dial("tcp", "a:1")`:                                           1,
		`import "net"; var _, _ = net.LookupHost("a")`:                                            1,
		`import "net/http"; var c = http.Client{}`:                                                1,
		`import "net/http"; var c = new(http.Client)`:                                             1,
		`import "net/http"; var c, d = http.DefaultClient, &http.Transport{}`:                     2,
		`import "net/http"; var _, _ = http.Get("a")`:                                             1,
		`import "crypto/tls"; var _, _ = tls.Dial("tcp", "a:1", nil)`:                             1,
		`import "golang.org/x/net/websocket"; var _ websocket.Conn`:                               1,
		`import ("net/http"; "net"); var c *http.Client; var l net.Conn; var s http.RoundTripper`: 0,
	} {
		parsed, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if found := waysOut(parsed); len(found) != want {
			t.Errorf("%s: %v", text, found)
		}
	}
}

// The programs take the standard library's own way out away when they begin, for whatever a parcel from outside would do with it.
func TestProgramsAreSealed(t *testing.T) {
	for _, file := range []string{"main.go", "cmd/headless/main.go"} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "outbound.Seal()") {
			t.Errorf("%s does not call outbound.Seal", file)
		}
	}
}
