package export_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"strings"
	"time"

	"agentchat/backend/export"
	"agentchat/backend/language/bilingual"
)

const family = "👩‍👩‍👧" // one character of many

// told is what the sample says, by the words that must be found again in every kind of file.
var told = []string{
	"부산 여행", "나", "가게", "토요일에 부산 가는 기차 시간 알려줘", "오전 9시", "똠방각하 펲시콜라", "굵은 글", "기울인 글", "지운 글", "fmt.Println", "첫째", "둘째", "속에 든 것",
	"출발", "도착", "09:00", "12:40", "남의 말", "E = mc^2", "[1] 열차 시간표 제3조", "토요일에는 세 편이 더 있다", "✅", "🎉", "漢字", "日本語", "표.xlsx (XLSX)",
	"a|b", "링크", "끝",
}

const reply = "오전 9시에 있어요. 똠방각하 펲시콜라.\n\n**굵은 글** *기울인 글* ~~지운 글~~ `a|b` [링크](https://example.com/가?q=1)\n\n## 편성\n\n1. 첫째\n2. 둘째\n   - 속에 든 것\n\n| 출발 | 도착 |\n|---|--:|\n| 09:00 | 12:40 |\n| 10:00 | 13:40 |\n\n> 남의 말\n\n```go\nfmt.Println(\"안녕\")\n\tif x {\n\t}\n```\n\n$$E = mc^2$$\n\n✅ 🎉 " + family + " 漢字 日本語\n\n끝 [1]"

// sample has something of everything.
func sample() *export.Document {
	return &export.Document{
		Title: "부산 여행", Note: "2개의 메시지", Lang: bilingual.KO, Made: time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC),
		Blocks: []export.Block{
			export.Turn{Mine: true, Who: "나", When: "2026-01-31 09:00", Notes: []string{"첨부: 표.xlsx (XLSX)"}, Blocks: []export.Block{export.Plain("토요일에 부산 가는 기차 시간 알려줘\n둘째 줄"), picture()}},
			export.Turn{Who: "가게", When: "2026-01-31 09:01", Blocks: append(export.Parse(reply), export.Source{Number: 1, Title: "열차 시간표", At: "제3조", Text: "토요일에는 세 편이 더 있다."})},
		},
	}
}

func picture() export.Image {
	img := image.NewRGBA(image.Rect(0, 0, 160, 90))
	for x := range 160 {
		for y := range 90 {
			img.Set(x, y, color.RGBA{uint8(x), uint8(y), 120, 255})
		}
	}
	var b bytes.Buffer
	_ = jpeg.Encode(&b, img, nil) // a bytes.Buffer takes all
	return export.Image{JPEG: b.Bytes(), Width: 160, Height: 90, Alt: "사진.png"}
}

// long is a talk of so many messages.
func long(n int) *export.Document {
	d := &export.Document{Title: "긴 이야기", Lang: bilingual.KO}
	for i := range n {
		d.Blocks = append(d.Blocks, export.Turn{Mine: i%2 == 0, Who: "나", When: "09:00", Blocks: export.Parse(fmt.Sprintf("메시지 %d번이에요. **굵게** `code` 그리고 %s", i, strings.Repeat("긴 말 ", i%40)))})
	}
	return d
}
