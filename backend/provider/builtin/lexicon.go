package builtin

import (
	"slices"
	"strconv"
	"strings"

	"agentchat/backend/language/wordlist"
)

// sense is one thing people talk about, in the words of both languages. The lexicon is knowledge of language, not of tools: which
// tool a sense leads to is read from the tool cards, by how many of a card's examples use the sense.
type sense struct {
	name  string
	terms []term
}

// term is one word or phrase. Its weight is how surely it means the sense: 1 names the thing, less only hints at it.
type term struct {
	form   string
	weight float64
	korean bool
	inside bool // may begin inside a word: particles and endings with what follows them
}

func define(name, korean, english string) sense {
	s := sense{name: name}
	add := func(list string, ko bool) {
		for f := range strings.SplitSeq(list, ",") {
			f = strings.TrimSpace(f)
			if f == "" {
				continue
			}
			inside := strings.HasPrefix(f, "*")
			f = strings.TrimPrefix(f, "*")
			form, w, weighted := strings.Cut(f, ":")
			weight := 1.0
			if weighted {
				weight, _ = strconv.ParseFloat(w, 64)
			}
			if ko {
				form = strings.ReplaceAll(form, " ", "")
			}
			s.terms = append(s.terms, term{form, weight, ko, inside})
		}
	}
	add(korean, true)
	add(english, false)
	return s
}

// hint tells a sense without a word that names the thing: it is shared by tools, never one tool's own.
func (s *sense) hint() bool {
	return !slices.ContainsFunc(s.terms, func(t term) bool { return t.weight > 0.6 })
}

// senses is the thesaurus. Korean forms are matched from the beginning of a word, spaces ignored; English ones as whole words.
var senses = []sense{
	define("route",
		`네비게이션, 내비게이션, 네비, 내비, 네이게이션, 길안내, 길 안내, 길찾기, 길 찾, 길좀 찾, 길 좀, 길 알려, 경로, 목적지, 도착지, 데려다, 데려가, 데리고 가, 모셔다, 길을 안내, 길을 알려, 길을 찾, 가는길, 가는 길, 가는 방법, 가는 법, 가는법, 가는 루트,
		 어떻게 가, 어케 가, 우째 가, 우예 가, 어째 가, 어찌 가, 어떻게 가야, *까지 안내, *까지 가, *까지 부탁, *까지 길, *까지 ㄱ, *까지 고, *까지 데려, *까지 모셔, *까지 가는, *까지 태워, *으로 안내:1, *로 안내:1, 안내:0.8, 찍어줘:0.7, 찍어:0.6, 찍고:0.5, 출발:0.5, 가줘:0.8, 가주:0.8, 가 줘:0.8, 가자:0.7, 갑시다:0.7, 가야:0.6, 가려면:0.7, 가려고:0.6, 가고 싶:0.6, 갈래:0.6, 갈건데:0.6, 갈거야:0.5, 가볼까:0.5, 지도:0.8, 운전:0.4, 가봐:0.5, 가는데:0.4, 가게:0.4, 가즈아:0.7, 태워다:0.9`,
		`navigate, navigation, navi, nav, gps, directions, direction:0.8, route, sat nav, satnav, get to, get me to, take me, drive me, drive to, drive us, take us, bring me to, bring us, guide me, guide us, way to, how do i get, how to get, how can i get, get there:0.6, head to, heading to:0.8, lead me, go to:0.7, going to the:0.4, map:0.6, go home:0.8, need to be at:0.8, point me to, direct me, direct us, point us, turn by turn, let's go:0.6, lets go:0.6, get home, reach:0.7, travel to:0.7, walk to:0.7, get us to, route me, steer me, to get to`),
	define("film",
		`영화, 무비, 필름, 시네마, 극장판, 비디오:0.8, 동영상:0.8, 영상:0.8, 볼거:0.5, 볼만한:0.6, 보여:0.4, 보고 싶:0.3, 볼래:0.3, 보자:0.2, 볼까:0.2, 팝콘:0.5`,
		`movie, movies, film, films, flick, cinema, motion picture, video:0.6, watch:0.7, show me:0.2, see:0.1`),
	define("music",
		`노래, 음악, 뮤직, 곡:0.9, 한곡, 한 곡, 두곡, 두 곡, 세곡, 세 곡, 가요, 팝송, 발라드, 재즈, 클래식, 힙합, 트로트, 댄스곡, 케이팝, 멜로디, 브금, 배경음악, 노동요, 자장가, 캐롤, 들려줘:0.7, 들려:0.65, 듣고 싶:0.7, 듣고싶:0.7, 듣자:0.7, 들을래:0.7, 들을까:0.7, 들어볼까:0.5, 불러줘:0.7, 불러:0.65, 연주해:0.7, 플레이리스트:0.7, ost, bgm, 틀어줘 노래`,
		`song, songs, music, musics, tune, tunes, track, tracks, bgm, melody, jazz, playlist, lullaby, ballad, kpop, k-pop, record:0.7, records:0.7, jam:0.7, jams:0.7, listen to:0.8, listen:0.6, hear:0.6, sing:0.8, lo-fi, lofi, classical:0.8, hip-hop, some beats, radio:0.2`),
	define("play",
		`틀어:0.5, 틀어줘:0.5, 트러줘:0.5, 틀고:0.5, 틀자:0.5, 틀까:0.4, 틀래:0.4, 재생:0.5, 플레이:0.5, 깔아줘:0.5, 깔아:0.4, 틀어놔:0.5, 띄워:0.5, 때려:0.4, 때리자:0.4, 틀면:0.3, 연주:0.3`,
		`play:0.6, put on:0.5, throw on:0.5, stick on:0.5, playing:0.3, queue:0.5, queue up:0.5, blast:0.5, spin:0.4, crank:0.4, stream:0.4, turn on:0.3, fire up:0.3`),
	define("weather",
		`날씨, 일기예보, 예보, 기상, 기온, 우산, 강수, 강우, 태풍, 장마, 소나기, 미세먼지:0.9, 비와, 비온, 비 온, 비가 온, 눈온, 눈 온, 눈이 온, 비 와, 비오, 비 오, 비 올, 비올, 비가 와, 비가 오, 비가 올, 비 내리, 비 내려, 비 소식, 비소식, 비 안 와, 비 안 오, 비 맞, 비 예보, 눈와, 눈 와, 눈오, 눈 오, 눈 올, 눈올, 눈이 와, 눈이 오, 눈이 올, 눈 내리, 눈 소식, 눈 내려, 몇도:0.9, 몇 도:0.9, 추워:0.9, 추울까, 추운:0.8, 춥, 더워:0.9, 더울까, 더운:0.8, 덥, 쌀쌀, 맑아, 맑을, 맑은:0.7, 흐려, 흐릴, 흐린:0.7, 습도, 바람 불:0.8, 바람 많이:0.8, 바람 세:0.8, 따뜻:0.7, 선선:0.7, 영하, 코트:0.7, 자켓:0.7, 긴팔:0.7, 반팔:0.7, 패딩:0.7, 외투:0.7, 겉옷:0.7, 뭐 입:0.7, 하늘:0.4, 빨래 널:0.6, 화창, 포근`,
		`weather, wether, forecast, rain, raining, rainy, rains, snow, snowing, snowy, snows, temperature, temp, temps, umbrella, umbrellas, sunny, cloudy, cold:0.62, hot:0.62, warm:0.62, it cold, it hot, it warm, be cold, be hot, be warm, cold outside, hot outside, cold out, warm out, hot out, chilly, windy, humid, humidity, degrees:0.7, storm, stormy, raincoat, jacket:0.8, coat:0.8, sunscreen:0.8, drizzle, freezing:0.7, pouring, how cold, how hot, how warm, outside:0.3, like outside, look outside, like out:0.9, like out there, it like in:0.8, sunshine, sun out`),
	define("compute",
		`계산, 더하기, 빼기, 곱하기, 나누기, 연산, 산수, 수식, 제곱:0.8, 루트:0.7, 퍼센트:0.5, 더하면:0.7, 곱하면:0.7, 나누면:0.7, 빼면:0.7, 몇이야:0.3, 얼마야:0.2, 얼마:0.2, 나머지:0.5, 합은:0.4`,
		`calculate, calculation, calculator, compute, math, maths, arithmetic, plus:0.5, minus:0.5, times:0.2, divided by:0.8, multiplied by:0.8, square root, squared:0.7, percent of:0.7, sum of:0.7, work out:0.4, how much is:0.4, add up:0.6, crunch:0.4, solve:0.5, product of:0.7, multiply, divide, subtract`),
	define("timer",
		`타이머, 알람, 알림, 리마인드, 리마인더, 깨워, 카운트다운, 스톱워치:0.6, 울려줘:0.8, 울려:0.7, *뒤에 알려, *후에 알려, *뒤에 말해, *후에 말해, *뒤에 불러, *후에 불러, *있다가 불러, *뒤에 얘기, *후에 얘기, *있다가 알려, *이따가 알려, *이따 알려, *이따 말해, *있다 알려, 재줘:0.7, 재줄:0.7, 재주:0.7, 재봐:0.6, 재 봐:0.6, 세줘:0.6, 세 줘:0.6, 재 줘:0.7, *라고 알려:0.9, *라고 말해:0.7, *라고 얘기:0.7, *까먹지 않게:0.8, *잊지 않게:0.8, 잊지 말라:0.8, 시간 재:0.8, 상기:0.6, 일어나게:0.5, *되면 알려:0.8, *지나면 알려:0.9, *지나면 말해:0.9`,
		`timer, timers, alarm, alarms, reminder, reminders, remind, wake me, countdown, count down, alert me, notify me, ping me, nudge me, buzz me, don't let me forget, tell me when:0.5, let me know in:0.9, let me know when:0.6, give me a shout:0.8, heads up:0.8, give me a nudge, tell me to:0.7, time me:0.8, call me in:0.6, wake us`),
	define("clock",
		`몇시, 몇 시, 시각, 현재시간, 현재 시간, 지금 시간, 지금시간, 시간 좀, 시간 알려, 시간은, 시간이, 시간 어떻게:0.9, 시간 확인, 시간 말해:0.9, 시계, 날짜, 몇월, 몇 월, 며칠, 몇일, 몇 일, 무슨 요일, 요일, 현지시간, 현지 시간, 몇분, 시차:0.7`,
		`what time is it, what time it is, what time's it, what time now, what time in, time do you have, is the time, the time:0.8, time is it, current time, time in, clock, what day, what date, the date, today's date, day is it, date is it, local time, time now, day of the week, got the time, time right now, tell time, time please, what's today, month is it, year is it, time at:0.8, time over:0.8, the day today`),
	define("money",
		`송금, 이체, 계좌, 돈 보내:1, 원 보내, 만원:0.3, 보내줘:0.4, 보내:0.3, 부쳐:0.8, 입금, 붙여줘:0.4, 용돈:0.4`,
		`transfer, send money, wire, pay:0.6, remit, deposit:0.6, send:0.3, bucks:0.3, dollars:0.3`),
	define("documents",
		`문서, 계약서, 조항, 약관, 서류, 자료, 규정, 매뉴얼, 논문, 보고서, pdf, 검색:0.6, 찾아줘:0.4, 조문, 제목:0.2`,
		`document, documents, contract, clause, article, articles, manual, paper:0.6, report:0.6, pdf, file:0.4, files:0.4, search:0.6, find:0.3, look up:0.4, library`),
	define("notes",
		`메모, 노트, 적어줘:0.8, 적어놔:0.8, 적어:0.6, 기록, 받아적, 할일, 할 일, 투두, 일정:0.6`,
		`note, notes, memo, write down, jot, jot down, to-do, todo, take down, list:0.3`),
	define("translate",
		`번역, 통역, 영어로, 일본어로, 중국어로, 한국어로`, `translate, translation, in korean, in english, in japanese`),
	define("mail", `메일, 이메일, 편지, 답장, 문자:0.7, 카톡, 전화`, `mail, email, e-mail, letter:0.5, reply:0.5, text:0.4, message:0.4, phone call`),
	define("news", `뉴스, 기사, 헤드라인`, `news, headlines, headline`),
	define("clipboard",
		`클립보드, 복사해 둔, 복사해둔, 복사한 거`, `clipboard, i copied, did i copy`),
	define("program",
		`프로그램으로, 뷰어로, 앱으로`, `in its program, default program, in the viewer, its app, launch`),
	define("files", `파일, 폴더, 디렉토리, 사진`, `file, files, folder, folders, directory, photo, photos, picture`),
}

// senseIndex finds a sense by name.
var senseIndex = func() map[string]int {
	m := map[string]int{}
	for i, s := range senses {
		m[s.name] = i
	}
	return m
}()

// compounds are words that begin with a term and mean something else; the term does not count inside them.
var compounds = []string{
	"노래방", "노래자랑", "노래교실", "영화관", "영화제", "영화사", "음악회", "음악실", "알림장", "계산서", "계산대", "계산적", "안내문", "안내판", "안내데스크", "안내견", "곡괭이", "곡성", "곡식", "곡물", "곡선", "곡예",
	"지도자", "지도교수", "가게에", "가게가", "가게를", "가게는", "춥파", "운전면허", "기록적", "기상캐스터", "보내드", "시간있", "시간없", "시간돼", "시간되", "시간나", "시간걸", "시간낭", "시간표", "시간강", "시간당", "시간제", "시간맞", "시간가", "시간을보", "시간여행", "시간이라", "시간이있", "시간이없", "시간이나", "시간이걸", "시간이가", "시간이많", "시간이빠", "시간이돼", "시간이되", "시간이너", "시간은금", "시간은있", "시간은없", "시간이참", "시간이약", "시간이부", "시간이아", "하늘나라", "하늘색", "하늘이", "하늘에", "메모리", "비와이", "노트북", "시각장애", "덥썩", "알람시계를사", "시계를", "시계가", "곡을쓰", "곡을썼", "가자미", "몇시에", "몇시까지", "몇시부터", "몇시간", "며칠에", "며칠동안", "며칠전", "며칠뒤", "며칠째", "며칠만", "며칠을", "몇일동안", "몇일전", "무슨요일에", "요일에", "요일마다", "몇도로", "날짜를잡", "날짜가잡", "볼거리", "노래하는", "재줘야", "추워서", "더워서", "출발선", "더운물",
}

// solo are words that name a wish only when they are the whole of it.
var solo = map[string]string{"시간": "clock", "시간?": "clock", "time": "clock", "date": "clock", "몇시": "clock"}

// devices are things people also switch on, off or show, which no sense covers: such an object means another wish.
var devices = wordlist.Of("에어컨 에어콘 히터 선풍기 보일러 불 전등 조명 라이트 스탠드 티비 tv 텔레비전 텔레비젼 컴퓨터 노트북 핸드폰 폰 창문 문 가스 물 수도 수도꼭지 청소기 세탁기 와이파이 블루투스 카메라 사진 뉴스 유튜브 게임 넷플릭스 라디오 전화 문자 카톡 메일 이메일 전원 시동 냉장고 난방 냉방 에어프라이어 오븐 커튼 블라인드 온도조절기 화면 " +
	"lights light lamp ac aircon heater fan tv television computer laptop phone door window oven camera picture pictures photo photos news youtube netflix game games radio email mail call calls wifi bluetooth chess football soccer tennis guitar piano basketball role part mind fridge refrigerator thermostat heating blinds curtains screen")

// about are nouns of talking about a work or a matter: with them a sentence asks for knowledge, not for the thing.
var about = []string{
	"가사", "가수", "제목이뭐", "제목뭐", "제목알", "제목좀", "감독", "배우", "주연", "주인공", "줄거리", "결말", "스포", "평점", "리뷰", "후기", "작곡", "작사", "명대사", "흥행", "개봉", "출연", "추천", "장르가", "의뜻", "뜻이", "원리", "역사", "종류", "유래", "차이", "누가불", "누가부", "누구노래", "누구곡", "누구야", "의미",
	"싫어", "싫다", "지겨", "유명해", "유명한가", "만든사람", "왜", "인기많", "얼마나자주", "무슨뜻", "어떻게생각", "어떻게만", "좋아해", "좋아하세요", "좋아하니", "좋아하냐", "어디서샀", "몇명", "언제나왔", "언제개봉", "몇편", "잘하니",
}

var aboutEN = []string{
	" lyrics ", " singer ", " director ", " actor ", " actress ", " plot ", " review ", " reviews ", " rating ", " ratings ", " ending ", " soundtrack of ", " who ", " why ", " composer ", " recommend ", " recommendation ", " recommendations ", " opinion ", " think of ", " think about ", " mean ", " means ", " history of ",
	" how come ", " what makes ", " invented ", " favorite ", " favourite ", " do you like ", " do you love ", " have you ", " did you ", " did he ", " did she ", " did they ", " were you ", " was the ", " how was ", " how were ", " where was ", " when was ", " when did ", " what kind of ", " difference between a ", " meaning ", " genre ", " how does ", " how do timers ", " ever ", " what is a ", " what's a ", " what are ", " how old ", " how many people ", " how long is ", " how long was ", " called ? ", " the movies ", " someday ", " sometime ", " next week ", " next weekend ", " next month ", " some other time ", " another time ", " one day ",
}
