package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/lazyregexp"
)

// What reading pictures may take.
const (
	ocrPages   = 300              // of a document
	ocrTime    = 30 * time.Minute // for all
	ocrMemory  = 1 << 30          // where the system lets it be bounded
	ocrOutput  = 8 << 20          // bytes of what it says of a page
	ocrSure    = 35               // percent; a word that it is less sure of was not made out
	ocrLegible = 0.5              // of a page's words; with fewer that is said
	ocrNoise   = 0.15             // with fewer than that they are specks on the paper
)

// Why a picture could not be read.
var (
	gapNone   = bilingual.Of("사진에서 글자를 찾지 못했어요", "no text was found in the picture")
	gapFaint  = bilingual.Of("글자를 알아보기 어려웠어요. 더 또렷한 사진이면 나아요", "its text was hard to make out; a clearer picture helps")
	gapLong   = bilingual.Of("글자를 알아보는 데 너무 오래 걸려요", "making out its text takes too long")
	gapRest   = bilingual.Of("글자를 알아보는 시간(90초)이 다 되어 앞부분만 읽었어요. 나누어 찍으면 다 읽을 수 있어요", "its time for making out text (90 seconds) ran out, so only its beginning was read; taken in parts, all of it can be read")
	gapBroken = bilingual.Of("사진이 망가졌거나 형식이 달라요", "the picture is broken or of another format")
	gapBusy   = bilingual.Of("글자 인식 프로그램(Tesseract)이 도중에 멈췄어요", "the program that reads pictures (Tesseract) stopped half-way")
)

// recogniser is Tesseract, the program that reads pictures of text (docs/adr/0009). It is handed nothing but bare dots that were
// decoded here, so no file's own bytes ever reach it.
type recogniser struct {
	one sync.Mutex // one page at a time, so that the computer stays usable

	mu   sync.Mutex
	path string
}

// ocrPage is how long each page of a document may take; gapRest names it.
var ocrPage = 90 * time.Second

var errNoProgram = errors.New("there is no Tesseract, or it knows no Korean and English")

// places are where it lies when no path leads to it.
var places = map[string][]string{
	"darwin":  {"/opt/homebrew/bin/tesseract", "/usr/local/bin/tesseract"},
	"windows": {`C:\Program Files\Tesseract-OCR\tesseract.exe`, `C:\Program Files (x86)\Tesseract-OCR\tesseract.exe`},
}

// program finds it. It is looked for again until it is there, for people install it when they are told.
func (r *recogniser) program(ctx context.Context) (path string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.path != "" {
		return r.path, nil
	}
	for _, name := range append([]string{"tesseract"}, places[runtime.GOOS]...) {
		found, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		out, err := exec.CommandContext(ctx, found, "--list-langs").CombinedOutput() //nolint:gosec // by its own name
		cancel()
		if err != nil {
			continue
		}
		known := strings.Fields(string(out))
		if slices.Contains(known, "kor") && slices.Contains(known, "eng") {
			r.path = found
			return found, nil
		}
	}
	return "", errNoProgram
}

// offer says what to install so that pictures can be read, as the system at hand does it.
func offer(system, release string) bilingual.Text {
	how := ""
	switch {
	case system == "darwin":
		how = "brew install tesseract tesseract-lang"
	case system == "windows":
		how = "winget install UB-Mannheim.TesseractOCR"
	case holdsAny(release, "debian", "ubuntu"):
		how = "sudo apt install tesseract-ocr tesseract-ocr-kor"
	case holdsAny(release, "fedora", "rhel", "centos"):
		how = "sudo dnf install tesseract tesseract-langpack-kor"
	case holdsAny(release, "arch"):
		how = "sudo pacman -S tesseract tesseract-data-kor tesseract-data-eng"
	case holdsAny(release, "suse"):
		how = "sudo zypper install tesseract-ocr tesseract-ocr-traineddata-kor"
	default:
		return bilingual.Of("사진의 글자를 읽으려면 Tesseract와 한국어 자료(kor)를 설치한 다음 다시 넣어 주세요", "to read text in pictures, install Tesseract with its Korean data (kor) and add it again")
	}
	if system == "windows" {
		return bilingual.Of("사진의 글자를 읽으려면 Tesseract를 설치하고(터미널에서: "+how+", 설치할 때 Korean을 고르기) 다시 넣어 주세요",
			"to read text in pictures, install Tesseract (in a terminal: "+how+"; choose Korean in its installer) and add it again")
	}
	return bilingual.Of("사진의 글자를 읽으려면 Tesseract를 설치하고(터미널에서: "+how+") 다시 넣어 주세요", "to read text in pictures, install Tesseract (in a terminal: "+how+") and add it again")
}

func holdsAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// distribution is what a Linux system calls itself and is like.
func distribution() string {
	raw, err := readFile("/etc/os-release", 64<<10)
	if err != nil {
		return ""
	}
	var found []string
	for line := range strings.Lines(string(raw)) {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), "="); name == "ID" || name == "ID_LIKE" {
			found = append(found, strings.ToLower(strings.Trim(value, `"'`)))
		}
	}
	return strings.Join(found, " ")
}

// recognise reads the pages of a text that are pictures, and says of each that could not be read why. It fails only where ctx ends.
func (e *Extractor) recognise(ctx context.Context, path string, t *Text) error {
	if _, err := e.ocr.program(ctx); err != nil {
		for _, page := range t.pictures {
			t.Gaps = append(t.Gaps, Gap{page + 1, offer(runtime.GOOS, distribution())})
		}
		return ctx.Err()
	}
	timed, cancel := context.WithTimeout(ctx, ocrTime)
	defer cancel()
	for n, page := range t.pictures {
		why := gapLong
		if n < ocrPages && timed.Err() == nil {
			var err error
			if t.Pages[page], why, err = e.recognised(timed, path, t.Format, page); err != nil && ctx.Err() == nil {
				why = gapBroken
			}
		}
		if ctx.Err() != nil {
			return e.reason(ctx, path, t.Format, ctx.Err())
		}
		if why != (bilingual.Text{}) {
			t.Gaps = append(t.Gaps, Gap{page + 1, why})
		}
	}
	return nil
}

// recognised reads one page; why says what kept it from being read whole.
func (e *Extractor) recognised(ctx context.Context, path, format string, page int) (text string, why bilingual.Text, err error) {
	e.ocr.one.Lock()
	defer e.ocr.one.Unlock()
	ctx, cancel := context.WithTimeout(ctx, ocrPage)
	defer cancel()
	p, err := e.picture(ctx, path, format, page)
	switch {
	case ctx.Err() != nil, errors.Is(err, errLong):
		return "", gapLong, nil
	case err != nil:
		return "", why, err
	}
	best, err := e.ocr.page(ctx, p)
	if best.legible < ocrLegible && err == nil && ctx.Err() == nil {
		best, err = e.ocr.turnedAbout(ctx, p, best)
	}
	text, late := best.text, ctx.Err() != nil
	switch {
	case late && best.legible >= ocrLegible && strings.TrimSpace(text) != "":
		return text, gapRest, nil // what was read until then; the rest is said to be missing
	case late:
		return "", gapLong, nil
	case err != nil:
		return "", gapBusy, nil //nolint:nilerr // it is said in words
	case best.legible < ocrNoise:
		return "", gapNone, nil
	case best.legible < ocrLegible:
		return text, gapFaint, nil
	}
	return text, why, nil
}

// reading is what was made out on a page, and how much of its words: from 0 to 1.
type reading struct {
	text    string
	legible float64
}

// page has the parts of a page read, one after the other. Where it ends early it gives what it had read.
func (r *recogniser) page(ctx context.Context, p *image.Gray) (got reading, err error) {
	words, sure := 0, 0
	for _, part := range prepared(p) {
		text, table, err := r.read(ctx, part)
		if err != nil {
			return got, err
		}
		text, w, s := legibleOf(text, table)
		got.text += text
		words, sure = words+w, sure+s
		got.legible = float64(sure) / float64(max(words, 1))
	}
	return got, nil
}

// turnedAbout reads a page that could not be read as it stands on its other sides, as far as its time goes: nothing in it said how the
// camera was held.
func (r *recogniser) turnedAbout(ctx context.Context, p *image.Gray, best reading) (reading, error) {
	for _, side := range []int{6, 8, 3} {
		got, err := r.page(ctx, turned(p, side))
		if ctx.Err() != nil {
			return best, nil
		}
		if err != nil {
			return best, err
		}
		if got.legible > best.legible {
			best = got
		}
	}
	return best, nil
}

// read has the program read a part of a page: its text, and a table of the words it found. It takes running text for one column (psm 4),
// and all else for one block of even lines (psm 6), for in a column it loses what stands apart (docs/adr/0009).
func (r *recogniser) read(ctx context.Context, p piece) (text, table string, err error) {
	path, err := r.program(ctx)
	if err != nil {
		return "", "", err
	}
	dir, err := os.MkdirTemp("", "agentchat-picture-*")
	if err != nil {
		return "", "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	psm := "6"
	if p.runs {
		psm = "4"
	}
	cmd := exec.CommandContext(ctx, path, "stdin", "page", "-l", "kor+eng", "--psm", psm, "--dpi", "300", "-c", "tessedit_create_txt=1", "-c", "tessedit_create_tsv=1") //nolint:gosec // by its own name
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return !slices.Contains(ocrEnv, name)
	}), "OMP_THREAD_LIMIT=1", "LC_ALL=C")
	cmd.Stdin = io.MultiReader(strings.NewReader(fmt.Sprintf("P5\n%d %d\n255\n", p.dots.Rect.Dx(), p.dots.Rect.Dy())), bytes.NewReader(p.dots.Pix))
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		r.forget(path)
		return "", "", err
	}
	confine(cmd.Process.Pid)
	if err := cmd.Wait(); err != nil {
		return "", "", err
	}
	words, err := readFile(filepath.Join(dir, "page.txt"), ocrOutput)
	if err != nil {
		return "", "", err
	}
	rows, err := readFile(filepath.Join(dir, "page.tsv"), ocrOutput)
	return lined(string(words)), string(rows), err
}

var (
	apart = lazyregexp.New(` {3,}`)      // the white between what stands apart in a line
	empty = lazyregexp.New(`\n[ \n]*\n`) // it takes every row of a receipt for a paragraph
)

// lined is what the program wrote, with no more white in it than says something.
func lined(text string) string {
	return empty.ReplaceAllString(apart.ReplaceAllString(strings.TrimRight(text, "\f\n"), "  "), "\n") + "\n"
}

// ocrEnv is what of the environment it needs.
var ocrEnv = []string{"PATH", "HOME", "TESSDATA_PREFIX", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "SystemRoot", "LD_LIBRARY_PATH"}

// forget has the program looked for anew: it was taken away.
func (r *recogniser) forget(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := os.Stat(path); err != nil && filepath.IsAbs(path) {
		r.path = ""
	}
}

// legibleOf takes the lines out of a text of which nothing was made out (specks, the edge of the paper), and counts the words and those
// that were made out, by the program's table (level, page, block, paragraph, line, word, left, top, width, height, how sure it is in
// percent, text).
func legibleOf(text, table string) (clean string, words, sure int) {
	var made []int // words that were made out, by line
	at := ""
	for row := range strings.Lines(table) {
		f := strings.Split(strings.TrimRight(row, "\r\n"), "\t")
		if len(f) < 12 || f[0] != "5" || strings.TrimSpace(f[11]) == "" {
			continue
		}
		if line := strings.Join(f[2:5], " "); line != at {
			at, made = line, append(made, 0)
		}
		if !strings.ContainsFunc(f[11], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			continue // lines and edges of a drawing are taken for dashes, surely
		}
		words++
		if conf, err := strconv.ParseFloat(f[10], 64); err == nil && conf >= ocrSure {
			sure++
			made[len(made)-1]++
		}
	}
	lines := slices.Collect(strings.Lines(text))
	if len(lines) != len(made) {
		return text, words, sure
	}
	var b strings.Builder
	for i, line := range lines {
		if made[i] > 0 {
			b.WriteString(line)
		}
	}
	return b.String(), words, sure
}

// Unread says in words which pages of a text could not be read, and why: 3–5쪽: 글자를 알아보기 어려웠어요.
func Unread(t Text) bilingual.Text {
	unit := UnitOf(t.Format)
	var ko, en []string
	for rest := t.Gaps; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Why == rest[0].Why && rest[n].Page == rest[0].Page+n {
			n++
		}
		if len(ko) == 5 {
			ko, en = append(ko, fmt.Sprintf("그 밖에 %d쪽", len(rest))), append(en, fmt.Sprintf("and %d pages more", len(rest)))
			break
		}
		from, why := unit.Of(rest[0].Page), rest[0].Why
		if n > 1 {
			from = bilingual.Textf("%d–%d쪽", "pp. %d–%d", rest[0].Page, rest[n-1].Page)
		}
		ko, en = append(ko, from.KO+": "+why.KO), append(en, from.EN+": "+why.EN)
		rest = rest[n:]
	}
	return bilingual.Of(strings.Join(ko, "; "), strings.Join(en, "; "))
}
