package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// The protocol tells which call of several a question of the server belongs to only behind an address: it comes in the answer to that call. The library
// hands all on alike, so the question is marked with its call on the way.

// markName is where the mark stands in a question's _meta.
const markName = "agentchat/call"

// biggestMarked is how long an event can be that is marked. A question that is longer is not shown anyway.
const biggestMarked = 4 * maxSchema

type markKey struct{}

// marked has what a request brings carry a call's mark.
func marked(ctx context.Context, mark string) context.Context {
	return context.WithValue(ctx, markKey{}, mark)
}

// marking is an answer of events, in which the questions are marked.
type marking struct {
	io.ReadCloser
	lines *bufio.Reader
	mark  string
	part  bool // of a line that is too long to be looked at
	rest  []byte
	over  error // after rest
}

func newMarking(body io.ReadCloser, mark string) *marking {
	return &marking{ReadCloser: body, lines: bufio.NewReaderSize(body, biggestMarked), mark: mark}
}

// Read implements io.Reader.
func (m *marking) Read(p []byte) (int, error) {
	if len(m.rest) == 0 && m.over == nil {
		line, err := m.lines.ReadSlice('\n')
		begun := m.part
		if m.part = errors.Is(err, bufio.ErrBufferFull); !m.part {
			m.over = err
		}
		if m.rest = line; !begun && err == nil {
			m.rest = m.look(line)
		}
	}
	if len(m.rest) == 0 {
		return 0, m.over
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// look marks a line that is a question.
func (m *marking) look(line []byte) []byte {
	data, ok := bytes.CutPrefix(line, []byte("data:"))
	if !ok || !bytes.Contains(data, []byte("elicitation/create")) && !bytes.Contains(data, []byte("sampling/createMessage")) {
		return line
	}
	var whole, params, meta map[string]json.RawMessage
	if json.Unmarshal(data, &whole) != nil || !slices.Contains([]string{`"elicitation/create"`, `"sampling/createMessage"`}, string(whole["method"])) || json.Unmarshal(whole["params"], &params) != nil {
		return line
	}
	if json.Unmarshal(params["_meta"], &meta) != nil || meta == nil {
		meta = map[string]json.RawMessage{}
	}
	meta[markName] = mustJSON(m.mark)
	params["_meta"] = mustJSON(meta)
	whole["params"] = mustJSON(params)
	return append(append([]byte("data: "), mustJSON(whole)...), '\n')
}
