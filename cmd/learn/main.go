// Learn makes the weights by which backend/language/act reads what a message wants. It learns from the sentences beside the
// package and, where they are given, from public sets, whose sentences it does not keep. It says how well that went on
// sentences it did not learn from.
package main

import (
	"bufio"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"agentchat/backend/language/act"
)

//go:embed public.tsv
var publicLabels string

func main() {
	own := flag.String("own", "backend/language/act/sentences", "folder of the sentences of our own")
	public := flag.String("public", "", "folder of public sets, one JSON object with request and label a line")
	out := flag.String("o", "backend/language/act/weights.bin", "where to put the weights, empty for nowhere")
	hold := flag.Int("hold", 0, "leave every n-th sentence of the public sets, by its hash, for measuring")
	verbose := flag.Bool("v", false, "list what is misread")
	documents := flag.String("documents", "backend/language/act/documents", "folder of documents of our own that the library holds meanwhile, with what they are asked")
	cross := flag.Bool("cross", true, "say how well it goes, by reading each fifth with what the others taught")
	flag.Parse()
	if err := run(*own, *public, *documents, *out, *hold, *cross, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// sentence is an example and the set it is from.
type sentence struct {
	act.Example
	set   string
	block string     // the lines of a file that it stands among, "" where they have nothing to do with each other
	seen  [][]string // what each room makes of it
}

func run(own, public, documents, out string, hold int, cross, verbose bool) error {
	all, err := ownSentences(own)
	if err != nil {
		return err
	}
	shelf, err := ownDocuments(documents)
	if err != nil {
		return err
	}
	sum := act.Sum(plain(all))
	examples, err := manuals("backend/tools")
	if err != nil {
		return err
	}
	all = append(all, examples...)
	if public != "" {
		more, err := publicSentences(public, hold)
		if err != nil {
			return err
		}
		all = append(all, more...)
	}
	if all, err = witness(all, shelf); err != nil {
		return err
	}
	said := crossScores(all)
	m := act.Learn(plain(all))
	m.Believe(witnessed(all, said))
	if cross {
		read := crossRead(all, said)
		report(all, read, verbose)
		if out != "" {
			if err := keepReliability(out, reliability(all, read)); err != nil {
				return err
			}
		}
	}
	if out == "" {
		return nil
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := m.Save(f, sum); err != nil {
		return err
	}
	return f.Close()
}

// folds is into how many parts the sentences are put, each read by who learned from the others.
const folds = 4

// blockLines is how many lines of a file stay together. Who writes sentences says much the same in many ways one after the other, and who
// learned from one of them knows the others: of what a stranger says, the words would be believed too much.
const blockLines = 50

// part is the part that a sentence is in. The same words are in the same one, whatever they want there, and so is what stands together.
func (s sentence) part() int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(cmp.Or(s.block, s.Text))) // never fails
	return int((h.Sum32() >> 8) % folds)
}

// crossScores are what the words of each sentence say to a model that learned from the other parts.
func crossScores(all []sentence) [][]float64 {
	said := make([][]float64, len(all))
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	for fold := range folds {
		slots <- struct{}{}
		wg.Go(func() {
			var others []sentence
			for _, s := range all {
				if s.part() != fold {
					others = append(others, s)
				}
			}
			m := act.Learn(plain(others))
			for i, s := range all {
				if s.part() == fold {
					said[i] = m.Scores(s.Text)
				}
			}
			<-slots
		})
	}
	wg.Wait()
	return said
}

// askedOften is how many times what is asked of our own documents counts beside other sentences where it is learned how far to believe the rooms.
// These are all there is to learn from what it says that a document holds something, and they are fewer than one in a hundred.
const askedOften = 4

// witnessed are these sentences with what all rooms make of them, with what the phrasebook does, which reads messages in parts, and
// by the words alone. said nil leaves a sentence out.
func witnessed(all []sentence, said [][]float64) (list []act.Witnessed) {
	for i, s := range all {
		if said[i] == nil {
			continue
		}
		times := 1
		if strings.HasPrefix(s.set, shelved) {
			times = askedOften
		}
		for _, rooms := range slices.Repeat([]int{len(s.seen), 1, 0}, times) {
			list = append(list, act.Witnessed{Acts: s.Acts, Scores: said[i], Evidence: slices.Concat(s.seen[:rooms]...)})
		}
	}
	return list
}

// crossRead reads every sentence with what the others taught, of the words and of the rooms.
func crossRead(all []sentence, said [][]float64) []act.Guesses {
	read := make([]act.Guesses, len(all))
	for fold := range folds {
		others := slices.Clone(said)
		for i, s := range all {
			if s.part() == fold {
				others[i] = nil
			}
		}
		var m act.Learned
		m.Believe(witnessed(all, others))
		for i, s := range all {
			if s.part() == fold {
				read[i] = m.Weigh(slices.Clone(said[i]), slices.Concat(s.seen...))
			}
		}
	}
	return read
}

// plain are the examples of these sentences as they are.
func plain(all []sentence) []act.Example {
	list := make([]act.Example, len(all))
	for i, s := range all {
		list[i] = s.Example
	}
	return list
}

// ownSentences are the files of act, tab, sentence.
func ownSentences(dir string) (list []sentence, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.tsv"))
	if err != nil {
		return nil, err
	}
	known := act.Acts()
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		set, n := "own/"+strings.TrimSuffix(filepath.Base(name), ".tsv"), 0
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			a, said, ok := strings.Cut(line, "\t")
			if !ok || !slices.Contains(known, act.Act(a)) {
				return nil, fmt.Errorf("%s: %q is not an act and a sentence", name, line)
			}
			list = append(list, sentence{
				Example: act.Example{Text: said, Acts: []act.Act{act.Act(a)}, Scale: 1},
				set:     set, block: fmt.Sprint(set, n/blockLines),
			})
			n++
		}
	}
	return list, nil
}

// manuals are the examples that the tools' manuals give of how they are asked for.
func manuals(dir string) (list []sentence, err error) {
	tools := os.DirFS(dir)
	for _, level := range []string{"*.json", "*/*.json"} {
		files, err := fs.Glob(tools, level)
		if err != nil {
			return nil, err
		}
		for _, path := range files {
			text, err := fs.ReadFile(tools, path)
			if err != nil {
				return nil, err
			}
			var spec struct {
				Acts     []act.Act
				Examples []struct{ Text string }
			}
			if err := json.Unmarshal(text, &spec); err != nil {
				return nil, err
			}
			for _, e := range spec.Examples {
				if len(spec.Acts) > 0 {
					list = append(list, sentence{Example: act.Example{Text: e.Text, Acts: spec.Acts, Scale: 1}, set: "manuals"})
				}
			}
		}
	}
	return list, nil
}

// publicSentences are the lines of public sets whose labels public.tsv knows.
func publicSentences(dir string, hold int) (list []sentence, err error) {
	wants, err := publicActs()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		more, err := publicSet(name, wants, hold)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, more...)
	}
	return list, nil
}

// publicActs are the acts that public.tsv gives the labels of public sets; "*" is every act that does nothing.
func publicActs() (map[string][]act.Act, error) {
	wants := map[string][]act.Act{}
	for line := range strings.Lines(publicLabels) {
		label, acts, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			return nil, fmt.Errorf("public.tsv: %q", line)
		}
		for a := range strings.SplitSeq(acts, "|") {
			switch {
			case a == "*":
				wants[label] = append(wants[label], slices.DeleteFunc(slices.Clone(act.Acts()), func(a act.Act) bool { return !a.Idle() })...)
			case !slices.Contains(act.Acts(), act.Act(a)):
				return nil, fmt.Errorf("public.tsv: %q is no act", a)
			default:
				wants[label] = append(wants[label], act.Act(a))
			}
		}
	}
	return wants, nil
}

// publicSet reads one public set: a request and its label a line. With hold every hold-th request is left out.
func publicSet(name string, wants map[string][]act.Act, hold int) (list []sentence, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	set := strings.TrimSuffix(filepath.Base(name), ".jsonl")
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var d struct{ Request, Label, Domain, Expected string }
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			return nil, err
		}
		label := set + "/" + d.Label
		if d.Domain != "" && wants[label] == nil {
			label += "@" + d.Domain
		}
		acts := wants[label]
		if acts == nil && !strings.HasPrefix(d.Expected, "unmapped") {
			acts = wants[set+"/*"]
		}
		if acts != nil && !(hold > 0 && act.Held(d.Request, hold)) {
			list = append(list, sentence{
				Example: act.Example{Text: d.Request, Acts: acts, Scale: 1}, set: set,
			})
		}
	}
	return list, lines.Err()
}

// tally counts how sentences of a set were read when a reading below a certain probability is not taken.
type tally struct{ idle, started, wanted, right, wrong int }

// count counts one sentence that wants some acts, with the first guess at it.
func (t *tally) count(wants []act.Act, top act.Guess, least float64) {
	starts := !top.Act.Idle() && top.P >= least
	right := slices.Contains(wants, top.Act)
	if slices.ContainsFunc(wants, act.Act.Idle) {
		t.idle++
		if starts && !right {
			t.started++
		}
		return
	}
	t.wanted++
	switch {
	case starts && right:
		t.right++
	case starts:
		t.wrong++
	}
}

func report(all []sentence, read []act.Guesses, verbose bool) {
	sets := []string{}
	for _, s := range all {
		if !slices.Contains(sets, s.set) {
			sets = append(sets, s.set)
		}
	}
	for _, least := range []float64{0, 0.4, 0.5, 0.6, 0.7} {
		tell("taken from a probability of %.1f on\n", least)
		for _, set := range append(sets, "all") {
			var t tally
			for i, s := range all {
				if s.set == set || set == "all" {
					t.count(s.Acts, read[i][0], least)
				}
			}
			tell("  %-14s %5d wanted: %5.1f %% right, %4.1f %% other; %5d idle: %4.1f %% started\n", set, t.wanted, share(t.right, t.wanted), share(t.wrong, t.wanted), t.idle, share(t.started, t.idle))
		}
	}
	tell("how often a probability was right\n")
	for _, r := range reliability(all, read) {
		tell("  %5d said %.2f, were %.2f\n", r.N, r.Said, r.Right)
	}
	if !verbose {
		return
	}
	for i, s := range all {
		if top := read[i][0]; !slices.Contains(s.Acts, top.Act) {
			tell("%s\t%v\t%s %.2f\t%s\n", s.set, s.Acts, top.Act, top.P, s.Text)
		}
	}
}

// reliability is how often the first guess was right, by tenths of its probability from unlikely on: of so many acts hardly any that comes
// first is less probable, and what a handful of readings say is chance.
func reliability(all []sentence, read []act.Guesses) (list []act.Reliability) {
	for tenth := range 10 {
		var r act.Reliability
		for i, s := range all {
			if top := read[i][0]; int(min(max(top.P-unlikely, 0)/(1-unlikely), 0.999)*10) == tenth {
				r.N++
				r.Said += top.P
				if slices.Contains(s.Acts, top.Act) {
					r.Right++
				}
			}
		}
		if r.N > 0 {
			r.Said, r.Right = r.Said/float64(r.N), r.Right/float64(r.N)
			list = append(list, r)
		}
	}
	return list
}

// unlikely is a probability that a first guess hardly ever falls short of.
const unlikely = 0.1

// keepReliability writes beside the weights how often they are right.
func keepReliability(weights string, list []act.Reliability) error {
	f, err := os.Create(filepath.Join(filepath.Dir(weights), "reliability.tsv"))
	if err != nil {
		return err
	}
	return errors.Join(act.WriteReliability(f, list), f.Close())
}

// tell writes a line of the report; nobody is told when it cannot be written.
func tell(format string, a ...any) { _, _ = fmt.Fprintf(os.Stdout, format, a...) }

func share(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
