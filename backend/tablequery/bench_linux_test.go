package tablequery_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentchat/backend/library/extract"
	"agentchat/backend/tablequery"
)

// large writes a table of so many bytes, and gives how many rows it has and what its amounts sum up to, in cents.
func large(b *testing.B, path string, bytes int) (rows int, cents int64) {
	b.Helper()
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	n, _ := fmt.Fprintln(w, "date,branch,product,quantity,amount,note")
	branches := []string{"서울", "부산", "대구", "인천", "광주", "대전", "울산", "세종"}
	for n < bytes {
		amount := int64(rows*7919%1_000_000) + 1
		k, err := fmt.Fprintf(w, "2026-%02d-%02d,%s,product %d,%d,%d.%02d,order number %d\n", rows%12+1, rows%28+1, branches[rows%len(branches)], rows%500, rows%9+1, amount/100, amount%100, rows)
		if err != nil {
			b.Fatal(err)
		}
		n += k
		rows++
		cents += amount
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return rows, cents
}

// A table of 200 MB is grouped: how long that takes, and the most memory the process had.
func BenchmarkLargeCSV(b *testing.B) {
	path := filepath.Join(b.TempDir(), "large.csv")
	rows, cents := large(b, path, 200_000_000)
	reader := extract.New(extract.Limits{FileBytes: 512 << 20, TextBytes: 64 << 20, Time: 10 * time.Minute}, "")
	var before syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &before); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		began := time.Now()
		table, err := tablequery.Open(b.Context(), "large.csv", tablequery.File(reader, path), b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		looked := time.Since(began)
		r, err := table.Ask(b.Context(), tablequery.Query{Do: tablequery.Sum, Column: "amount", By: by("branch")}, "en")
		if err != nil {
			b.Fatal(err)
		}
		sum := new(strings.Builder)
		total := int64(0)
		for _, row := range r.Rows {
			whole, part, _ := strings.Cut(row[1]+".", ".")
			part = (strings.TrimSuffix(part, ".") + "00")[:2]
			var w, c int64
			if _, err := fmt.Sscan(whole, &w); err != nil {
				b.Fatal(err)
			}
			if _, err := fmt.Sscan(strings.TrimLeft(part, "0")+"", &c); err != nil && part != "00" {
				b.Fatal(err)
			}
			total += w*100 + c
			fmt.Fprintf(sum, "%s %s\n", row[0], row[1])
		}
		if total != cents || r.Used.Count != rows {
			b.Fatalf("%d of %d rows, %d cents, want %d:\n%s", r.Used.Count, rows, total, cents, sum)
		}
		b.ReportMetric(looked.Seconds(), "s-look")
		b.ReportMetric(time.Since(began).Seconds(), "s-all")
	}
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) == nil {
		b.ReportMetric(time.Duration(used.Utime.Nano()+used.Stime.Nano()-before.Utime.Nano()-before.Stime.Nano()).Seconds(), "s-cpu")
	}
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		for line := range strings.Lines(string(status)) {
			var kb float64
			if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kb); n == 1 {
				b.ReportMetric(kb/1000, "MB-peak")
			}
		}
	}
	b.ReportMetric(float64(rows), "rows")
}
