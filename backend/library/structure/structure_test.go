package structure_test

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/backend/library/structure"
)

func show(d structure.Document) string {
	var b strings.Builder
	for _, a := range d.Articles {
		fmt.Fprintf(&b, "%s|%s|%s|%s|%v|p%d\n", a.Part, a.Chapter, a.Number, a.Title, a.Deleted, a.Page)
	}
	return b.String()
}

// The traps of statutes and contracts: what is an article, and what only looks like one.
func TestArticles(t *testing.T) {
	for name, c := range map[string]struct {
		pages []string
		want  string
	}{
		"a contract": {
			[]string{"표준근로계약서\n\n제1조(목적) 이 계약은 …\n제2조 (계약기간)\n① 1년으로 한다.\n② 제1조에 따라 연장한다.\n", "제3조 [임금] 월 300만원으로 한다.\n제 4 조【해지】 생략\n"},
			"||1|목적|false|p1\n||2|계약기간|false|p1\n||3|임금|false|p2\n||4|해지|false|p2\n",
		},
		"branches, deletions, chapters": {
			[]string{"제1장 총칙\n제1조(목적) 본문\n제3조의2(특례) 본문\n제4조 삭제 <2020.1.1.>\n제5조(삭제)\n제2장 권리\n제6조 의무\n갑은 을에게 알린다.\n"},
			"|제1장 총칙|1|목적|false|p1\n|제1장 총칙|3의2|특례|false|p1\n|제1장 총칙|4||true|p1\n|제1장 총칙|5||true|p1\n|제2장 권리|6|의무|false|p1\n",
		},
		"references at the start of a line": {
			[]string{"제1조(목적) 이 계약은 다음과 같다.\n제7조에 따라 정한다.\n제2조 및 제3조를 준용한다.\n제3조(기간)에 따른 기간은\n제1조제2항은 적용하지 않는다.\n제2조(정의) 정의\n제9조\n를 준용한다.\n"},
			"||1|목적|false|p1\n||2|정의|false|p1\n||9||false|p1\n",
		},
		"a reference that goes back": {
			[]string{"제5조(갑) 본문\n제6조(을) 본문\n제2조\n본문\n제7조(병) 본문\n"},
			"||5|갑|false|p1\n||6|을|false|p1\n||7|병|false|p1\n",
		},
		"numbers again in the supplement": {
			[]string{"제1조(목적) 본문\n제2조(정의) 본문\n부칙 <제123호, 2024.1.1.>\n제1조(시행일) 공포한 날부터 시행한다.\n제2조(경과조치) 본문\n별표 1\n과태료 기준\n"},
			"||1|목적|false|p1\n||2|정의|false|p1\n부칙 <제123호, 2024.1.1.>||1|시행일|false|p1\n부칙 <제123호, 2024.1.1.>||2|경과조치|false|p1\n별표 1|||별표 1|false|p1\n",
		},
		"a list of contents": {
			[]string{"목차\n제1조(목적) ········ 1\n제2조(정의)\t3\n제1조(목적)\n제2조(정의)\n", "제1조(목적)\n본문\n제2조(정의)\n본문\n"},
			"||1|목적|false|p2\n||2|정의|false|p2\n",
		},
		"English": {
			[]string{"AGREEMENT\nArticle 1. Purpose\nThis is it.\nSection 2.1 of this Agreement applies.\nArticle 2 - Term\nOne year.\nARTICLE III: Fees\nNone.\nArticle 4. Deleted.\nAnnex A Prices\nList\n"},
			"||1|Purpose|false|p1\n||2|Term|false|p1\n||3|Fees|false|p1\n||4||true|p1\nAnnex A Prices|||Annex A Prices|false|p1\n",
		},
		"sections": {
			[]string{"Section 1.1 Scope\nText.\nSection 1.2 Term\nText.\n"},
			"||1.1|Scope|false|p1\n||1.2|Term|false|p1\n",
		},
		"numbered headings": {
			[]string{"보고서\n1. 개요\n내용이 있다.\n1. 첫째로 한다.\n2. 배경\n내용\n2.1 자료\n내용\n3. 결론\n끝이다.\n"},
			"||1|개요|false|p1\n||2|배경|false|p1\n||2.1|자료|false|p1\n||3|결론|false|p1\n",
		},
		"Markdown": {
			[]string{"# 임대차계약서\n\n## 제1조 (목적)\n본문\n\n## 제2조 (기간)\n**2년**으로 한다.\n"},
			"||1|목적|false|p1\n||2|기간|false|p1\n",
		},
		"Markdown without articles": {
			[]string{"# 안내\n본문\n## 1. 준비\n본문\n## 마무리\n본문\n"},
			"|||안내|false|p1\n||1|준비|false|p1\n|||마무리|false|p1\n",
		},
		"a list is no structure": {[]string{"장보기\n1. 우유를 산다.\n2. 빵을 산다.\n"}, ""},
		"nothing":                {nil, ""},
	} {
		if got := show(structure.Parse(c.pages, nil)); got != c.want {
			t.Errorf("%s:\n%swant\n%s", name, got, c.want)
		}
	}
}

// sound says what is wrong with a parsed document, "" when nothing is.
func sound(pages []string) string {
	d := structure.Parse(pages, nil)
	at := 0
	for i, p := range d.Passages {
		if p.Start != at || p.End <= p.Start || p.Article < -1 || p.Article >= len(d.Articles) || p.Page < 1 || p.Page > len(pages) {
			return fmt.Sprintf("passage %d is %+v after %d", i, p, at)
		}
		if a := p.Article; a >= 0 && (p.Start < d.Articles[a].Start || p.End > d.Articles[a].End) {
			return fmt.Sprintf("passage %d %+v is not in %+v", i, p, d.Articles[a])
		}
		if n := len([]rune(d.Text[p.Start:p.End])); n > 1600 {
			return fmt.Sprintf("passage %d has %d characters", i, n)
		}
		at = p.End
	}
	if at != len(d.Text) {
		return fmt.Sprintf("the passages end at %d of %d", at, len(d.Text))
	}
	last := 0
	for i, a := range d.Articles {
		if a.Start < last || a.End < a.Start || a.End > len(d.Text) {
			return fmt.Sprintf("article %d is %+v after %d", i, a, last)
		}
		last = a.Start
	}
	return ""
}

func TestPassagesCoverTheText(t *testing.T) {
	long := strings.Repeat("이 계약의 당사자는 서로 믿고 성실하게 의무를 다한다. ", 200)
	for _, pages := range [][]string{
		{long}, {"제1조(목적) " + long, "제2조(기간)\n① " + long + "\n② " + long}, {strings.Repeat("가", 5000)}, {"", "", "a"}, {"\n\n\n"},
	} {
		if wrong := sound(pages); wrong != "" {
			t.Error(wrong)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("제1조(목적) 본문\n제2조 삭제\n", "부칙\n제1조(시행일)")
	f.Add("Article IV. Fees\n1. a\n2. b", "# x\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		if wrong := sound([]string{a, b}); wrong != "" {
			t.Error(wrong)
		}
	})
}
