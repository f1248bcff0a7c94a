// Package typeface holds the type of the window and of what is exported, so that both look the same on every computer: Pretendard in two weights, an
// emoji font in one colour, a font for code, and one each for Arabic and Hebrew. The fonts lie packed in the program and are read when the first file wants them. What none of them shows
// is looked for among the computer's own fonts.
//
// Pretendard lies there in pieces (`make typeface`), because the window reads only those that hold what it shows; an export joins them.
package typeface

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/ulikunitz/xz"

	"agentchat/backend/export/pdf"
	"agentchat/backend/export/truetype"
)

//go:embed fonts/*.xz
var packed embed.FS

// Weight is one of the kinds of type that there are.
type Weight int

// The kinds of type.
const (
	Regular Weight = iota
	Bold
	Mono
	MonoBold
	Emoji
	Arabic
	Hebrew
)

var fonts = [...]func() (*pdf.Font, error){
	Regular:  joined("Pretendard-Regular"),
	Bold:     joined("Pretendard-SemiBold"),
	Mono:     whole("GoMono"),
	MonoBold: whole("GoMono-Bold"),
	Emoji:    whole("NotoEmoji-Regular"),
	Arabic:   whole("NotoSansArabic-Regular"),
	Hebrew:   whole("NotoSansHebrew-Regular"),
}

// pieces is how many files a weight of Pretendard lies in.
const pieces = 3

// Get gives one of the program's own fonts.
func Get(w Weight) (*pdf.Font, error) { return fonts[w]() }

// File unpacks a font file of the program, by its name without an ending. It is not kept.
func File(name string) ([]byte, error) {
	raw, err := packed.ReadFile("fonts/" + name + ".ttf.xz")
	if err != nil {
		return nil, err
	}
	z, err := xz.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

func whole(name string) func() (*pdf.Font, error) {
	return sync.OnceValues(func() (*pdf.Font, error) {
		data, err := File(name)
		if err != nil {
			return nil, err
		}
		return pdf.ParseFont(name, data)
	})
}

func joined(name string) func() (*pdf.Font, error) {
	return sync.OnceValues(func() (*pdf.Font, error) {
		var parts [pieces][]byte
		for i := range parts {
			var err error
			if parts[i], err = File(fmt.Sprintf("%s-%d", name, i)); err != nil {
				return nil, err
			}
		}
		data, err := truetype.Join(parts[:]...)
		if err != nil {
			return nil, err
		}
		return pdf.ParseFont(name, data)
	})
}

// Elsewhere gives the computer's own fonts for what the program's do not show, such as Chinese characters: those that are there, the
// likeliest first. They are read one by one, for some are large.
func Elsewhere() iter.Seq[*pdf.Font] {
	return func(yield func(*pdf.Font) bool) {
		for _, path := range places() {
			data, err := os.ReadFile(path)
			if err != nil {
				continue
			}
			if f, err := pdf.ParseOutlines(filepath.Base(path), data); err == nil && !yield(f) {
				return
			}
		}
	}
}

// places are where the systems keep fonts with many signs.
func places() []string {
	switch runtime.GOOS {
	case "windows":
		dir := filepath.Join(os.Getenv("WINDIR"), "Fonts")
		return in(dir, "malgun.ttf", "msyh.ttc", "msgothic.ttc", "arial.ttf", "seguisym.ttf", "Nirmala.ttf", "LeelawUI.ttf")
	case "darwin":
		return in("/System/Library/Fonts", "AppleSDGothicNeo.ttc", "PingFang.ttc", "Hiragino Sans GB.ttc", "Supplemental/Arial Unicode.ttf", "Apple Symbols.ttf")
	}
	return append(in("/usr/share/fonts/opentype/noto", "NotoSansCJK-Regular.ttc"),
		append(in("/usr/share/fonts/noto-cjk", "NotoSansCJK-Regular.ttc"), // Arch and Fedora keep them elsewhere
			in("/usr/share/fonts/truetype", "dejavu/DejaVuSans.ttf", "noto/NotoSansDevanagari-Regular.ttf", "noto/NotoSansThai-Regular.ttf", "freefont/FreeSans.ttf")...)...)
}

func in(dir string, names ...string) []string {
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = filepath.Join(dir, name)
	}
	return paths
}
