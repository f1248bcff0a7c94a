package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"agentchat/backend/export/typeface"
)

// Every character that a rule of the sheet is the last to name is drawn by the piece that the rule asks for.
func TestWindowTypeCharacters(t *testing.T) {
	sheet, err := os.ReadFile("frontend/src/styles/type.css")
	if err != nil {
		t.Fatal(err)
	}
	rules := regexp.MustCompile(`font-weight: (\d+);[^}]+url\('/type/([^']+)\.ttf'\)[^}]+?(?:unicode-range: ([^;]+);\n)?}`).FindAllStringSubmatch(string(sheet), -1)
	weights := map[string]map[rune]string{}
	for _, rule := range rules {
		of := weights[rule[1]]
		if of == nil {
			of = map[rune]string{}
			weights[rule[1]] = of
		}
		for _, part := range strings.Split(rule[3], ", ") {
			var first, last rune
			if n, _ := fmt.Sscanf(part, "U+%X-%X", &first, &last); n == 1 {
				last = first
			} else if n == 0 {
				continue
			}
			for r := first; r <= last; r++ {
				of[r] = rule[2]
			}
		}
	}
	if len(rules) != 6 || len(weights) != 2 {
		t.Fatalf("%d rules of %d weights were read", len(rules), len(weights))
	}
	fonts := map[string]*sfnt.Font{}
	for weight, of := range weights {
		for r := rune('가'); r <= '힣'; r++ {
			name := of[r]
			if fonts[name] == nil {
				data, err := typeface.File(name)
				if err != nil {
					t.Fatal(err)
				}
				if fonts[name], err = sfnt.Parse(data); err != nil {
					t.Fatal(err)
				}
			}
			var buf sfnt.Buffer
			gid, _ := fonts[name].GlyphIndex(&buf, r)
			if drawn, err := fonts[name].LoadGlyph(&buf, gid, fixed.I(1000), nil); gid == 0 || err != nil || len(drawn) == 0 {
				t.Fatalf("%s of weight %s is not in %s", string(r), weight, name)
			}
		}
	}
}

// Whatever piece of its typeface the page's sheet names, the page gets, as often as it asks; and it says which characters are in it.
func TestWindowType(t *testing.T) {
	sheet, err := os.ReadFile("frontend/src/styles/type.css")
	if err != nil {
		t.Fatal(err)
	}
	letters := newWindowType()
	letters.unpack()
	server := letters.answer(http.NotFoundHandler())
	get := func(path string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return answer
	}
	rules := regexp.MustCompile(`url\('/type/([^']+)\.ttf'\)`).FindAllStringSubmatch(string(sheet), -1)
	var names []string
	for _, rule := range rules {
		names = append(names, rule[1])
		for range 2 {
			answer := get("/type/" + rule[1] + ".ttf")
			if _, err := sfnt.Parse(answer.Body.Bytes()); answer.Code != http.StatusOK || err != nil {
				t.Fatalf("%s: %d, %v", rule[1], answer.Code, err)
			}
		}
	}
	for _, name := range typeAhead {
		if !slices.Contains(names, name) {
			t.Errorf("%s is unpacked ahead, but no rule names it", name)
		}
	}
	if len(letters.ahead) > 0 {
		t.Errorf("%d pieces are kept though they were given", len(letters.ahead))
	}
	for _, path := range []string{"/type/other.ttf", "/type/../main.ttf", "/type/Pretendard-Regular-0", "/"} {
		if answer := get(path); answer.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, answer.Code)
		}
	}
}
