package gazetteer

import (
	"math"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/tools/geo"
	"agentchat/backend/tools/match"
)

func TestTableIsSound(t *testing.T) {
	if len(load().places) < 600 {
		t.Errorf("only %d places", len(load().places))
	}
	seen := map[string]bool{}
	for _, p := range load().places {
		if _, err := time.LoadLocation(p.Zone); err != nil {
			t.Errorf("%s: %v", p.EN, err)
		}
		for _, name := range []string{p.KO, p.EN} {
			if found, ok := Find(name); !ok || found != p && match.Fold(found.KO) != match.Fold(name) && match.Fold(found.EN) != match.Fold(name) {
				t.Errorf("%q leads to %v", name, found)
			}
		}
		if seen[p.KO] {
			t.Errorf("%s stands there twice", p.KO)
		}
		seen[p.KO] = true
		if inKorea := p.Zone == "Asia/Seoul"; inKorea && (p.Point.Lat < 33 || p.Point.Lat > 38.7 || p.Point.Lon < 124.5 || p.Point.Lon > 132) {
			t.Errorf("%s is outside of Korea: %v", p.KO, p.Point)
		}
	}
}

// A city far from its zone's clock has a wrong longitude or a wrong zone.
func TestLongitudesFitTheirZones(t *testing.T) {
	day := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
	for _, p := range load().places {
		zone, err := time.LoadLocation(p.Zone)
		if err != nil {
			t.Fatal(err)
		}
		_, offset := day.In(zone).Zone()
		off := math.Mod(float64(offset)/3600-p.Point.Lon/15+36, 24) - 12
		if math.Abs(off) > 3.3 && math.Abs(p.Point.Lat) < 80 {
			t.Errorf("%s at %v is %.1f hours off %s", p.EN, p.Point, off, p.Zone)
		}
	}
}

func TestFindAsPeopleWrite(t *testing.T) {
	for name, want := range map[string]string{
		"서울역": "서울역", "서울 역": "서울역", "seoul station": "서울역", "SEOUL": "서울", "서울시": "서울", "부산광역시": "부산", "강남": "강남역",
		"강남역": "강남역", "인천공항": "인천국제공항", "인천 국제공항": "인천국제공항", "Incheon Airport": "인천국제공항", "제주도": "제주", "해운대": "해운대",
		"부산 해운대": "해운대", "부산시 해운대구": "해운대구", "Busan Haeundae": "해운대", "경복궁": "경복궁", "Gyeongbokgung Palace": "경복궁",
		"천안시": "천안", "가평군": "가평", "수원 화성": "수원화성", "경기도 수원시": "수원", "강원도 속초": "속초", "홍대": "홍대입구역",
		"A": "A", "목적지 A": "A", "목적지A": "A", "destination b": "B", "Paris, France": "파리", "New York City": "뉴욕", "sao paulo": "상파울루",
		"San Francisco, USA": "샌프란시스코", "미국": "워싱턴 D.C.", "la": "로스앤젤레스", "해은대": "해운대", "Gyeongbokgong": "경복궁", "Singapre": "싱가포르",
		"롯데월드타": "롯데월드타워", "전주 한옥마을": "전주한옥마을", "여수엑스포": "여수엑스포역", "대전역": "대전역", "대전": "대전", "김포 공항": "김포국제공항",
		"광주": "광주", "경기도 광주": "경기도 광주", "조지아": "트빌리시", "청도": "청도", "Dongdaegu Station": "동대구역", "잠실": "잠실역", "여의도역": "여의도",
		"신도림": "신도림역", "상해": "상하이", "하와이": "호놀룰루", "남산서울타워": "남산타워",
	} {
		if got, ok := Find(name); !ok || got.KO != want {
			t.Errorf("Find(%q) = %q, want %q", name, got.KO, want)
		}
	}
}

func TestUnknownPlacesStayUnknown(t *testing.T) {
	for _, name := range []string{"", " ", "D", "Z", "가", "우리집", "엄마네", "친구네 집", "qwerty", "로스엔", "분산", "여기", "회사", "the moon", "목적지", strings.Repeat("서울", 100)} {
		if got, ok := Find(name); ok {
			t.Errorf("Find(%q) = %q", name, got.KO)
		}
	}
}

func TestNames(t *testing.T) {
	a, _ := Find("A")
	if a.Name(bilingual.KO) != "A (연습 목적지)" || a.Name(bilingual.EN) != "A (practice destination)" {
		t.Errorf("A is %q, %q", a.Name(bilingual.KO), a.Name(bilingual.EN))
	}
	home, _ := Find("서울시청")
	for _, name := range []string{"A", "B", "C"} {
		if p, _ := Find(name); geo.DistanceKm(home.Point, p.Point) > 15 || !p.Practice {
			t.Errorf("%s is no practice destination near home", name)
		}
	}
}

func BenchmarkFindTypo(b *testing.B) {
	for b.Loop() {
		Find("해은대해수욕정")
	}
}

func FuzzFind(f *testing.F) {
	for _, name := range []string{"서울역", "부산 해운대", "Paris, France", "목적지 A", ",", "역", "a/(b", "destination"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if p, ok := Find(name); ok && (p.KO == "" || p.Zone == "") {
			t.Errorf("Find(%q) = %+v", name, p)
		}
	})
}
