package logging

import (
	"strings"
	"testing"
)

// What follows a flag with a secret's name is a secret in a list of arguments as well, and nothing else of the list is.
func TestRedactJSONKnowsFlags(t *testing.T) {
	in := `{"command":"tool --api-key s3cr3t -v","args":["run","--api-key","s3cr3t","--token=s3cr3t","-v","--password","s3cr3t",7,"--token"],"n":1}`
	want := `{"command":"tool --api-key [redacted] -v","args":["run","--api-key","[redacted]","--token=[redacted]","-v","--password","[redacted]",7,"--token"],"n":1}`
	if got := string(RedactJSON([]byte(in))); got != want {
		t.Errorf("%s", got)
	}
}

// A key that the shop keeps is a secret wherever it stands: no name beside it, in a text, in JSON, spelled for JSON.
func TestAKeyIsConcealedEverywhere(t *testing.T) {
	const key = `plain"but-ours-91`
	Conceal(key, "short")
	for _, text := range []string{"sent " + key + " there", key, "x" + key + "y"} {
		if got := Redact(text); strings.Contains(got, "but-ours") || !strings.Contains(got, Redacted) {
			t.Errorf("%q", got)
		}
	}
	if got := string(RedactJSON([]byte(`{"text":"it is plain\"but-ours-91, is it","list":["plain\"but-ours-91"]}`))); got != `{"text":"it is [redacted], is it","list":["[redacted]"]}` {
		t.Errorf("%s", got)
	}
	if got := Redact("a short word"); got != "a short word" {
		t.Errorf("%q", got)
	}
}

func TestWhatIsReleasedIsSeenAgain(t *testing.T) {
	Conceal("a spent walrus", "a fresh walrus")
	Release("a spent walrus", "nobody knows it")
	if got := Redact("a spent walrus, a fresh walrus"); got != "a spent walrus, "+Redacted {
		t.Error(got)
	}
}
