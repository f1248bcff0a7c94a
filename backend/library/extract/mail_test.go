package extract_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/korean"

	"agentchat/backend/library/extract"
	"agentchat/backend/library/structure"
)

// letter is a mail of lines.
func letter(lines ...string) []byte { return []byte(strings.Join(lines, "\r\n") + "\r\n") }

func TestMails(t *testing.T) {
	x := extract.New(extract.Limits{}, "")
	old, err := korean.EUCKR.NewEncoder().String("옛 글자로 쓴 편지")
	if err != nil {
		t.Fatal(err)
	}
	b64 := base64.StdEncoding.EncodeToString
	whole := letter("From: =?UTF-8?B?"+b64([]byte("김하나"))+"?= <kim@example.com>", "To: lee@example.com", "Subject: =?euc-kr?B?"+b64([]byte(old[:5]))+"?=", "Date: Mon, 2 Mar 2026 09:00:00 +0900", "MIME-Version: 1.0",
		`Content-Type: multipart/mixed; boundary="m"`, "", "--m", `Content-Type: multipart/alternative; boundary="a"`, "", "--a", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable", "",
		"=EA=B0=80=EB=82=98=EB=8B=A4 =3D =", "done", "--a", "Content-Type: text/html", "", "<p>the same again</p>", "--a--",
		"--m", "Content-Type: text/html; charset=utf-8", "", `<h1>둘째</h1><script>alert(1)</script><img src="http://example.com/spy.png"><p>글</p>`,
		"--m", `Content-Type: application/pdf; name="=?UTF-8?B?`+b64([]byte("계약.pdf"))+`?="`, "Content-Disposition: attachment", "Content-Transfer-Encoding: base64", "", b64(make([]byte, 5000)),
		"--m", "Content-Type: message/rfc822", "", "From: a@example.com", "Subject: inner", "", "inside", "--m--")
	got, err := x.Read(t.Context(), put(t, "a.eml", whole))
	pages := []string{"From: 김하나 <kim@example.com>\nTo: lee@example.com\nDate: Mon, 2 Mar 2026 09:00:00 +0900\nSubject: 옛 글", "가나다 = done", "둘째\n\n글", "From: a@example.com\nSubject: inner", "inside", "계약.pdf (5 KB)"}
	if err != nil || got.Title != "옛 글" || !slices.Equal(got.Pages, pages) {
		t.Errorf("%q, %q, %v", got.Title, got.Pages, err)
	}
	if want := []structure.Mark{{Title: "옛 글"}, {Page: 1, Title: "가나다 = done"}, {Page: 2, Title: "둘째"}, {Page: 3, Title: "inner"}, {Page: 4, Title: "inside"}, {Page: 5, Title: "📎 계약.pdf (5 KB)"}}; !slices.Equal(got.Marks, want) {
		t.Errorf("%+v", got.Marks)
	}
	for label, body := range map[string]string{
		"euc-kr": old, "ks_c_5601-1987": old, "utf-8": old /* says what it is not */, "no-such-thing": old, "us-ascii": "옛 글자로 쓴 편지", "iso-2022-kr": "\x1b$)C" + shifted(old),
	} {
		got, err := x.Read(t.Context(), put(t, "b.eml", letter("From: a@example.com", "Content-Type: text/plain; charset="+label, "", body)))
		if err != nil || len(got.Pages) != 2 || got.Pages[1] != "옛 글자로 쓴 편지" {
			t.Errorf("%s: %q, %v", label, got.Pages, err)
		}
	}
}

// shifted writes EUC-KR as ISO-2022-KR does.
func shifted(old string) string {
	out, in := "", false
	for i := range len(old) {
		if high := old[i] >= 0x80; high != in {
			out, in = out+string(rune(map[bool]int{true: 0x0E, false: 0x0F}[high])), high
		}
		out += string(rune(old[i] & 0x7F))
	}
	return out + "\x0F"
}

func TestRichText(t *testing.T) {
	x := extract.New(extract.Limits{}, "")
	got, err := x.Read(t.Context(), put(t, "a.rtf", []byte(`{\rtf1\ansi\ansicpg949\deff0{\fonttbl{\f0\fcharset129 \'b1\'bc\'b8\'b2;}{\f1\fcharset0 Arial;}}{\info{\title \'b0\'a1}}{\*\secret x}{\object{\*\objdata 0102}}`+
		`\f0\uc1 \'b0\'a1\'b3\'aa \u45796?\u-10179 ?\u-8703 ?{\v hidden}{\f1 caf\u233?}\tab x\par {\field{\*\fldinst HYPERLINK "http://example.com"}{\fldrslt link}}\{\}\page\bin4 }}}}two{\footnote note}\par}after`)))
	if err != nil || got.Title != "가" || !slices.Equal(got.Pages, []string{"가나 다😁café\tx\nlink{}\n", "two (note)\n"}) {
		t.Errorf("%q, %q, %v", got.Title, got.Pages, err)
	}
}
