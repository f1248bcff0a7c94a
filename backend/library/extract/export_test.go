package extract

import (
	"testing"
	"time"
)

// PageTime sets how long a page may take to be read, for one test.
func PageTime(t *testing.T, d time.Duration) {
	t.Helper()
	usual := ocrPage
	ocrPage = d
	t.Cleanup(func() { ocrPage = usual })
}

// Within sets how long a file may take to be read from now on.
func Within(e *Extractor, d time.Duration) { e.limits.Time = d }
