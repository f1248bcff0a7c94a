// Package interpreter holds the roles of the interpreter (seed: InterpreterLLM): planner, tool chooser, solver, librarian,
// summarizer and reporter. Each call is one self-contained request to whichever provider is on duty. A role returns a value and
// changes nothing: it reaches neither the toolbox nor the jobs nor the store.
package interpreter

import (
	"encoding/json"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// Background is what a request needs to know of its conversation.
type Background struct {
	// Instructions are the person's own for the chat; Model is the one that they want to answer in it, as provider/model.
	Instructions, Model string

	Summary    string
	Facts      []string        // frozen since the last compaction
	Fresh      []string        // facts learned since
	Transcript []provider.Turn // oldest first, without the request itself
	Notes      []string        // what the customer said to the job at hand while it ran
}

// Brief is what a role is told: the request, the background and the state that matters to it.
type Brief struct {
	Chat       string
	Job        string
	Turn       string // the customer's message it is for
	Lang       bilingual.Lang
	Now        time.Time
	Request    string
	Background Background
	Running    []provider.RunningJob
	Evidence   []string        // Reads: what the rooms make of the request
	Meant      string          // Reads: the tool of which the customer said that it is meant
	Given      json.RawMessage // Reads: and the arguments it is to be used with; nil: those in the request
	Candidates []string        // Plan: the shop's own tools that the request may mean, the most probable first; nil: the interpreter looks
	Todo       *provider.TodoCard
	Results    []provider.StepResult
	Pictures   []provider.Picture // responder: those that the results name, in their order
	Rounds     []provider.Round   // solver: what it asked for so far, and what it was given
	Final      bool               // solver: nothing it asks for now will be run
	Previous   json.RawMessage
	Correction string
	From       string // outside: the server whose words Request is
	Most       int    // outside: how many tokens the answer may have at most
	Outcome    string
	Problem    string
	Counter    *provider.CounterState // intent, slot: the session at the service counter
	Library    *provider.LibraryState // librarian: the inquiry at hand
	Tables     []provider.TableCard   // planner: the tables that the request may ask, the nearest first

	// Message is the id of the message, or of the todo, that the answer becomes: it streams there. "": it does not stream.
	Message string
	// Recall says whether an answer that a request like this one had before may be given again.
	Recall Recall
	// Again says that an answer was begun before: what streamed of it is void.
	Again bool
}

func (b Brief) request(id string, role provider.Role, tools []provider.ToolCard, schema json.RawMessage) provider.Request {
	return provider.Request{
		ID: id, Role: role, Chat: b.Chat, Job: b.Job, Turn: b.Turn, Lang: b.Lang, Tools: tools,
		Instructions: b.Background.Instructions, Model: b.Background.Model,
		Summary: b.Background.Summary, Facts: b.Background.Facts, Transcript: b.Background.Transcript,
		Now: b.Now, Message: b.Request, Schema: schema, Rounds: b.Rounds, Final: b.Final, Pictures: b.Pictures, From: b.From, Most: b.Most,
		State: provider.State{
			Facts: b.Background.Fresh, Running: b.Running, Tables: b.Tables, Todo: b.Todo, Results: b.Results, Previous: b.Previous,
			Evidence: b.Evidence, Meant: b.Meant, Given: b.Given, Correction: b.Correction, Outcome: b.Outcome, Problem: b.Problem, Counter: b.Counter, Library: b.Library,
		},
	}
}
