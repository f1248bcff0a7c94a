package act_test

import (
	"fmt"
	"testing"

	"agentchat/backend/language/act"
)

// BenchmarkReliability prints the curve that the learning keeps: of the readings that were said to be right with some probability,
// how many were, on sentences that nothing was learned from. It measures nothing anew.
func BenchmarkReliability(b *testing.B) {
	for _, r := range act.Reliable() {
		b.Run(fmt.Sprintf("said_%.2f", r.Said), func(b *testing.B) {
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(r.Right, "right")
			b.ReportMetric(float64(r.N), "sentences")
		})
	}
}

// The curve is whole, and a reading that is surer is right more often: what the desk weighs by it would be wrong otherwise.
func TestTheCurveRises(t *testing.T) {
	curve := act.Reliable()
	if len(curve) != 10 {
		t.Fatalf("%d points", len(curve))
	}
	for i, r := range curve {
		if r.N == 0 || i > 0 && (r.Said <= curve[i-1].Said || r.Right <= curve[i-1].Right) {
			t.Errorf("point %d: %+v", i, r)
		}
	}
	if last := curve[9]; last.Right < 0.95 {
		t.Errorf("the surest are right in %.3f", last.Right)
	}
}

// A stated risk has its probability on the curve.
func TestAStatedRisk(t *testing.T) {
	for _, right := range []float64{0.6, 0.75, 0.9} {
		from := act.From(right)
		if from < right-0.1 || from > right+0.1 {
			t.Errorf("%.2f are right from %.3f on", right, from)
		}
	}
	if got := act.From(1); got != 1 {
		t.Errorf("all are right from %.3f on", got)
	}
}
