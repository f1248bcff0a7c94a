package slot

import (
	"agentchat/backend/language/phrase"
	"agentchat/backend/lazyregexp"
)

// The grammars of a question that is put to a table: which file it is in, and the question itself, whose words mean something only to
// who knows the table's columns.
const (
	KindTable    = "table"
	KindTableAsk = "table_ask"
)

func init() {
	readers[KindTable] = func(_ Property, in Input) (any, bool) { return found(TableFile(in.Text)) }
	readers[KindTableAsk] = func(_ Property, in Input) (any, bool) {
		_, named := TableFile(in.Text)
		return phrase.Normalize(in.Text), named
	}
}

var tableFile = lazyregexp.New(`(?i)\.(?:xlsx|xlsm|ods|csv|tsv|tab)$`)

// TableFile finds the table that a text names, by its file's name.
func TableFile(text string) (file string, ok bool) {
	file = ReadPaths(text).File
	return file, tableFile.MatchString(file)
}
