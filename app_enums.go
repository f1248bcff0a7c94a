//go:build bindings

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"agentchat/backend/ask"
	"agentchat/backend/bank"
	"agentchat/backend/config"
	"agentchat/backend/desktop/globalkey"
	"agentchat/backend/engine"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/library"
	"agentchat/backend/library/extract"
	"agentchat/backend/memory"
	"agentchat/backend/models"
	"agentchat/backend/outbound"
	"agentchat/backend/policy"
	"agentchat/backend/provider"
	"agentchat/backend/service"
	"agentchat/backend/shelf"
	"agentchat/backend/shop"
	"agentchat/backend/standing"
	"agentchat/backend/tablequery"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/mcp"
	"agentchat/backend/tools/web"
	"agentchat/backend/update"
)

// The closed types whose values the window knows one by one. A window that has a word for each is told by its compiler when one comes.
func init() {
	enums = []any{
		valuesOf(job.NodeNames),
		closed[ask.Kind](),
		closed[bank.Direction](), closed[bank.State](),
		closed[config.Source](), closed[config.Type](),
		closed[engine.State](),
		closed[event.AttachmentKind](), closed[event.Blink](), closed[event.EffectOutcome](), closed[event.FieldKind](), closed[event.Role](),
		closed[extract.Family](), closed[extract.Unit](),
		closed[globalkey.State](),
		closed[job.State](), closed[job.TodoState](),
		closed[library.ImportState](), closed[library.Kind](), closed[library.VectorState](),
		closed[memory.Source](),
		closed[mcp.NeedKind](), closed[mcp.Signing](), closed[mcp.State](), closed[mcp.ToolState](),
		closed[models.Action](), closed[models.PullState](),
		closed[outbound.Net](), closed[outbound.Outcome](), closed[outbound.Room](),
		closed[policy.AuditOutcome](), closed[policy.Decider](), closed[policy.Decision](), closed[policy.Format](), closed[policy.Mode](),
		closed[provider.Health](), closed[provider.Reason](),
		closed[service.Source](), closed[service.Stage](),
		closed[shelf.FileState](), closed[shelf.Rule](), closed[shelf.State](),
		closed[shop.ReadingOutcome](),
		closed[shop.BackupReason](),
		closed[tablequery.Do](), closed[tablequery.Each](), closed[tablequery.Is](), closed[tablequery.Kind](),
		closed[standing.Cause](), closed[standing.Missed](), closed[standing.Outcome](), closed[standing.RunState](), closed[standing.State](), closed[standing.Verb](),
		closed[toolbox.Confirm](), closed[toolbox.Effect](), closed[toolbox.Scope](),
		closed[web.Service](),
		closed[update.Kind](), closed[update.State](),
	}
}

// value is how Wails wants one value of an enum; scripts/bindings.mjs makes unions of them, so the names tell nobody anything.
type value[T ~string] struct {
	Value  T
	TSName string
}

func valuesOf[T ~string](all []T) []value[T] {
	list := make([]value[T], len(all))
	for i, v := range all {
		list[i] = value[T]{v, fmt.Sprintf("V%03d", i)}
	}
	return list
}

// closed reads the constants of a type where they are declared: none can be forgotten.
func closed[T ~string]() []value[T] {
	t := reflect.TypeFor[T]()
	folder := filepath.FromSlash(strings.TrimPrefix(t.PkgPath(), "agentchat/"))
	files, err := os.ReadDir(folder)
	if err != nil {
		panic(err)
	}
	var all []T
	for _, entry := range files {
		if name := entry.Name(); !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, entry.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		for _, text := range constantsOf(file, t.Name()) {
			all = append(all, T(text))
		}
	}
	if len(all) == 0 {
		panic("no constants of " + t.String() + " in " + folder)
	}
	return valuesOf(all)
}

// constantsOf are the strings that a file declares as constants of a type.
func constantsOf(file *ast.File, name string) (texts []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); !ok || of.Name != name {
			return true
		}
		for _, v := range spec.Values {
			if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					texts = append(texts, text)
				}
			}
		}
		return true
	})
	return texts
}
