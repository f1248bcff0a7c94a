package shop

// JobGraph and TurnGraph draw the graphs as Mermaid text.
func (s *Shop) JobGraph() string { return s.jobs.Mermaid() }

// TurnGraph draws the graph of one turn.
func (s *Shop) TurnGraph() string { return s.manager.Mermaid() }

// LibraryGraph draws the graph of a question to the library.
func (s *Shop) LibraryGraph() string { return s.librarian.Mermaid() }

// Why says for people what a tag of evidence says.
var Why = why
