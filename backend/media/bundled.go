package media

import (
	"bytes"
	_ "embed"
	"io"
	"slices"
	"sync"
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/media/tune"
)

// The bundled film is drawn by scripts/make-clip.sh, original to this project.
//
//go:embed clips/shop-day.webm
var shopDay []byte

const shopDaySeconds = 24

// bundled lists what the program brings along.
var bundled = func() func(kind string) []Item {
	films := []Item{{
		ID: "clip:shop-day", Kind: KindMovie, Bundled: true, Seconds: shopDaySeconds, Bytes: int64(len(shopDay)),
		Title:  bilingual.Text{KO: "가게의 하루", EN: "A Day of the Shop"},
		Credit: bilingual.Text{KO: "이 프로젝트를 위해 만든 짧은 영화", EN: "A short film made for this project"},
	}}
	songs := sync.OnceValue(func() []Item {
		var items []Item
		for _, t := range tune.All() {
			items = append(items, Item{
				ID: "tune:" + t.ID, Kind: KindSong, Bundled: true, Seconds: t.Seconds(),
				Title:  bilingual.Text{KO: t.TitleKO, EN: t.TitleEN},
				Credit: bilingual.Text{KO: t.CreditKO, EN: t.CreditEN},
			})
		}
		return items
	})
	return func(kind string) []Item {
		if kind == KindSong {
			return slices.Clone(songs())
		}
		return slices.Clone(films)
	}
}()

func bundledSource(item Item) Source {
	if item.Kind == KindMovie {
		return Source{Name: "shop-day.webm", Open: func() (io.ReadSeekCloser, time.Time, error) {
			return inMemory(shopDay), time.Time{}, nil
		}}
	}
	for _, t := range tune.All() {
		if item.ID == "tune:"+t.ID {
			// Synthesized at the first request and kept while the source is: a song that nobody hears costs nothing.
			sound := sync.OnceValue(t.WAV)
			return Source{Name: t.ID + ".wav", Open: func() (io.ReadSeekCloser, time.Time, error) {
				return inMemory(sound()), time.Time{}, nil
			}}
		}
	}
	return Source{}
}

type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error { return nil }

func inMemory(data []byte) io.ReadSeekCloser { return memoryFile{bytes.NewReader(data)} }
