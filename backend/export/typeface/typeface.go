// Package typeface holds the type of what is exported, so that it looks on every computer as the window does: Pretendard in two weights, an
// emoji font in one colour, a font for code, and one each for Arabic and Hebrew. The fonts lie packed in the program and are read when the first file wants them. What none of them shows
// is looked for among the computer's own fonts.
package typeface

import (
	"bytes"
	"embed"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/ulikunitz/xz"

	"agentchat/backend/export/pdf"
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
	Regular:  unpacked("Pretendard-Regular"),
	Bold:     unpacked("Pretendard-SemiBold"),
	Mono:     unpacked("GoMono"),
	MonoBold: unpacked("GoMono-Bold"),
	Emoji:    unpacked("NotoEmoji-Regular"),
	Arabic:   unpacked("NotoSansArabic-Regular"),
	Hebrew:   unpacked("NotoSansHebrew-Regular"),
}

// Get gives one of the program's own fonts.
func Get(w Weight) (*pdf.Font, error) { return fonts[w]() }

func unpacked(name string) func() (*pdf.Font, error) {
	return sync.OnceValues(func() (*pdf.Font, error) {
		raw, err := packed.ReadFile("fonts/" + name + ".ttf.xz")
		if err != nil {
			return nil, err
		}
		z, err := xz.NewReader(bytes.NewReader(raw))
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(z)
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
