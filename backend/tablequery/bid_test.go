package tablequery_test

import (
	"bufio"
	"flag"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentchat/backend/language/act"
	"agentchat/backend/tablequery"
	"agentchat/backend/testing/breadth"
)

var fit = flag.Bool("fit", false, "learn the weights of a bid, and print them")

// said is a line of what weights are learned from or measured on.
type said struct {
	tablequery.Witness
	asks bool
	text string
}

// Every other line of the set is for measuring alone; so is every tenth sentence of what is said to the shop otherwise.
func TestBid(t *testing.T) {
	tables := map[bool]*tablequery.Table{false: open(t, "orders.csv", orders), true: open(t, "매출.xlsx", sales)}
	var learn, measure []said
	for i, line := range lines(t, "testdata/asked.tsv") {
		f := strings.SplitN(line, "\t", 3)
		s := witness(tables, f[2], tablequery.Hand(f[0]))
		if s.asks = f[1] == "1"; i%2 == 0 {
			learn = append(learn, s)
		} else {
			measure = append(measure, s)
		}
	}
	hands := []tablequery.Hand{tablequery.HandLast, tablequery.HandNear, tablequery.HandLying, tablequery.HandWith}
	var others []said
	for _, file := range []string{"own_ko.tsv", "own_en.tsv", "own_ko2.tsv", "own_en2.tsv"} {
		for i, line := range lines(t, filepath.Join("../language/act/sentences", file)) {
			_, text, _ := strings.Cut(line, "\t")
			switch hand := hands[i%len(hands)]; {
			case hand == tablequery.HandWith: // what came with a file is about it
			case *fit && i%5 == 0:
				learn = append(learn, witness(tables, text, hand))
			case i%breadth.Stride(10, 90) == 3:
				others = append(others, witness(tables, text, hand))
			}
		}
	}
	if *fit {
		*tablequery.Weights = learned(learn)
		for _, name := range slices.Sorted(maps.Keys(*tablequery.Weights)) {
			t.Logf("%q: %.2f,", name, (*tablequery.Weights)[name])
		}
	}
	right, missed, wrong, other := 0, 0, 0, 0
	for _, s := range others {
		if s.P() >= 0.5 {
			other++
			t.Logf("%.2f %s: %s %+v", s.P(), s.Hand, s.text, s.Heard)
		}
	}
	for _, s := range measure {
		switch taken := s.P() >= 0.5; {
		case taken == s.asks:
			right++
		case taken:
			wrong++
			t.Logf("taken, %.2f %s: %s %+v", s.P(), s.Hand, s.text, s.Heard)
		default:
			missed++
			t.Logf("missed, %.2f %s: %s %+v other %.2f", s.P(), s.Hand, s.text, s.Heard, s.Other)
		}
	}
	t.Logf("of %d not learned from: %d right, %d missed, %d taken wrongly; of %d that are said to the shop otherwise %d", len(measure), right, missed, wrong, len(others), other)
	if right*100 < len(measure)*90 || other*200 > len(others) {
		t.Error("that is worse than it was")
	}
}

func lines(t *testing.T, file string) (list []string) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := s.Text(); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	return list
}

func witness(tables map[bool]*tablequery.Table, text string, hand tablequery.Hand) said {
	korean := strings.IndexFunc(text, func(r rune) bool { return r >= '가' && r <= '힣' }) >= 0
	table := tables[korean]
	var before *tablequery.Query
	if hand == tablequery.HandLast {
		before = &tablequery.Query{Do: tablequery.Sum, Column: table.Sheets[0].Columns[4].Name, By: []tablequery.Group{{Column: "지점"}}}
		if !korean {
			before = &tablequery.Query{Do: tablequery.Sum, Column: "Amount", By: []tablequery.Group{{Column: "Region"}}}
		}
	}
	return said{Witness: tablequery.Witness{Hand: hand, Heard: tablequery.Hear(text, table.Sheets, before, now), Other: tablequery.Elsewhere(act.Read(text))}, text: text}
}

// learned are the weights under which what was said is the most probable; large ones cost something.
func learned(list []said) map[string]float64 {
	list = slices.DeleteFunc(slices.Clone(list), func(s said) bool { return !s.Says() })
	w := map[string]float64{}
	for range 4000 {
		g := map[string]float64{}
		for _, s := range list {
			sum := 0.0
			for name, x := range s.Parts() {
				sum += w[name] * x
			}
			miss := -1 / (1 + math.Exp(-sum))
			if s.asks {
				miss++
			}
			for name, x := range s.Parts() {
				g[name] += miss * x
			}
		}
		for name, d := range g {
			w[name] += 0.02 * (d - 0.03*w[name])
		}
	}
	return w
}
