package config

import (
	"time"

	"agentchat/backend/language/bilingual"
	"agentchat/backend/policy"
)

// Type says how the settings page draws a setting.
type Type string

// The types of settings.
const (
	TypeInt      Type = "int"
	TypeNumber   Type = "number"
	TypeBool     Type = "bool"
	TypeText     Type = "text"
	TypeEnum     Type = "enum"
	TypeFolder   Type = "folder"
	TypeAddress  Type = "address"
	TypeTimeouts Type = "timeouts" // see ParseModelTimeouts
	TypeList     Type = "list"     // JSON that a page of its own edits
)

// The keys of the settings table. Keys that belong to one tool, group or role are made by ToolKey, GroupKey and RoleKey.
const (
	KeyConfigFile      = "config"
	KeyDataDir         = "data_dir"
	KeyWorkers         = "workers"
	KeyPace            = "pace"
	KeyLang            = "lang"
	KeyTheme           = "theme"
	KeyTextSize        = "text_size"
	KeyShortcuts       = "shortcuts"
	KeyNotifications   = "notifications"
	KeyOnClose         = "on_close"
	KeyGlobalKey       = "global_key"
	KeyPaused          = "paused"
	KeyOffline         = "offline"
	KeySearchService   = "search.service"
	KeySearchAddress   = "search.address"
	KeyUpdates         = "updates"
	KeyProvider        = "provider"
	KeyModel           = "model"
	KeyOllamaHost      = "ollama_host"
	KeyOpenAIBase      = "openai_base"
	KeyModelServers    = "model_servers"
	KeyModelTimeouts   = "model_timeouts"
	KeyEmbedModel      = "embed_model"
	KeyNumCtx          = "num_ctx"
	KeyKeepAlive       = "keep_alive"
	KeyParallel        = "parallel"
	KeyMaxQueuedJobs   = "max_queued_jobs"
	KeyJobKeep         = "job_keep"
	KeyMusicFolder     = "music_folder"
	KeyVideoFolder     = "video_folder"
	KeyHomePlace       = "home_place"
	KeyLogLevel        = "log_level"
	KeyBankTransfer    = "bank.limit_transfer"
	KeyBankDay         = "bank.limit_day"
	KeyMCPStart        = "mcp.start_seconds"
	KeyGuestsOpen      = "guests.open"
	KeyGuestsPort      = "guests.port"
	KeyGuestsWait      = "guests.wait_seconds"
	KeyPagerOpen       = "pager.open"
	KeyBranchesName    = "branches.name"
	KeyBranchesAddress = "branches.address"
	KeyBranchesPort    = "branches.port"
	KeyPagerPort       = "pager.port"
	KeyMCPAnswer       = "mcp.answer_seconds"
	KeySolveRounds     = "solve.max_iterations"
	KeySolveCalls      = "solve.calls"
	KeyLibraryRounds   = "library.max_iterations"
	KeyLibraryKeep     = "library.persistence"
	KeyLibraryFile     = "library.checkpoint_path"
	KeyLibraryCache    = "library.llm_cache"
	KeyPolicyRules     = "policy.rules"
	KeyPolicyMode      = "policy.mode"
	KeyPolicyAsks      = "policy.asks_per_job"
	KeyFilesFolders    = "files.folders"
	KeyVolumeMonitor   = "volume.monitor"
	KeyVolumeDeck1     = "volume.deck1"
	KeyVolumeDeck2     = "volume.deck2"
)

// setting is one row of the table: everything there is to know about one key.
type setting struct {
	key     string
	typ     Type
	initial any // the default; nil: none (a tool's own value holds)
	check   check
	enum    []string
	minimum float64 // with maximum, the range of a number
	maximum float64
	flag    string   // "" : no flag
	env     []string // names; the first is the one to show
	start   bool     // chosen when the program starts, never changed while it runs
	title   bilingual.Text
	help    bilingual.Text
}

func integer(key string, initial, minimum, maximum int) setting {
	return setting{key: key, typ: TypeInt, initial: initial, check: whole(minimum, maximum), minimum: float64(minimum), maximum: float64(maximum)}
}

func choice(key, initial string, choices ...string) setting {
	return setting{key: key, typ: TypeEnum, initial: initial, check: oneOf(choices...), enum: choices}
}

func (s setting) named(ko, en string) setting  { s.title = bilingual.Of(ko, en); return s }
func (s setting) helped(ko, en string) setting { s.help = bilingual.Of(ko, en); return s }
func (s setting) flagged(name string) setting  { s.flag = name; return s }

// table lists every fixed setting in the order of the settings page.
func table(h host) []setting {
	rows := []setting{
		choice(KeyLang, h.lang(), "ko", "en").flagged("lang").
			named("언어", "Language").helped("창과 대답에 쓰는 언어예요.", "The language of the window and of the answers."),
		choice(KeyTheme, "system", "system", "light", "dark", "contrast").
			named("화면 테마", "Theme").helped("밝게, 어둡게, 고대비로, 또는 시스템 설정을 따라요.", "Light, dark, high contrast, or as your system is."),
		setting{key: KeyShortcuts, typ: TypeText, initial: "", check: shortcuts}.
			named("단축키", "Shortcuts").helped("바꾼 단축키예요. 예: search=p side=d. 단축키 목록에서 바꾸면 돼요.", "The shortcuts that were changed, for example search=p side=d. The list of shortcuts changes them."),
		integer(KeyTextSize, 100, 80, 200).
			named("글자 크기", "Text size").helped("글자와 단추의 크기예요(%). Ctrl과 +, −로도 바꾸고, Ctrl과 0으로 되돌려요.", "How large letters and buttons are, in percent. Ctrl with + and − changes it too, Ctrl with 0 puts it back."),
		setting{key: KeyNotifications, typ: TypeBool, initial: true, check: yesNo}.
			named("알림", "Notifications").helped("다른 창을 보고 있을 때 질문이 생기거나 일이 끝나면 알려 드려요.", "Tells you about questions and finished jobs while you are in another window."),
		choice(KeyOnClose, "auto", "auto", "stay", "quit").
			named("창을 닫으면", "When the window is closed").helped("자동이면 트레이가 있을 때는 그 뒤에서 계속 일하고, 없으면 한 번 여쭤봐요. 계속 일할 때는 Agent Chat을 다시 시작하면 창이 돌아와요.", "Auto: it keeps working behind its tray icon, or asks once where there is no tray. While it works, starting Agent Chat again brings the window back."),
		setting{key: KeyGlobalKey, typ: TypeBool, initial: false, check: yesNo}.
			named("어디서나 부르는 키", "A key that calls it anywhere").helped("다른 프로그램을 쓰다가도 이 키를 누르면 한 줄 창이 떠요. 어느 키인지는 컴퓨터(바탕화면)가 정해요.", "Pressing the key brings a one-line window, whatever program you are in. Your desktop decides which key it is."),
		setting{key: KeyPaused, typ: TypeBool, initial: false, check: yesNo}.
			named("모두 멈추기", "Pause everything").helped("일꾼이 쉬고 재생도 멈춰요. 하던 일은 그대로 기다렸다가 이어서 해요.", "The workers rest and nothing plays. Work under way waits and continues later."),
		setting{key: KeyOffline, typ: TypeBool, initial: false, check: yesNo}.
			named("오프라인", "Offline").helped("켜면 이 컴퓨터에서 아무것도 내보내지 않아요. 이 컴퓨터 안의 모델과 도서관은 그대로 써요. 무엇이 나갔는지는 나가는 길 페이지에 있어요.", "When on, nothing is sent from this computer. Models on this computer and the library keep working. The Outbound page shows what was sent."),
		choice(KeySearchService, "off", "off", "searxng", "brave").
			named("웹 검색", "Web search").helped("무엇으로 인터넷에서 찾을지 정해요. 찾을 말이 그곳에 전해져요. 나가는 길 페이지에서 고쳐요.", "What searches the internet. It learns the words you look for. The Outbound page changes it."),
		setting{key: KeySearchAddress, typ: TypeAddress, initial: "", check: address}.
			named("SearXNG 주소", "SearXNG address").helped("직접 쓰거나 믿는 SearXNG 서버의 주소예요. 예: http://127.0.0.1:8888", "The address of a SearXNG server that you run or trust, such as http://127.0.0.1:8888 on this computer."),
		choice(KeyUpdates, "ask", "ask", "on", "off").
			named("새 버전 찾기", "Check for new versions").helped("켜면 하루에 한 번 새 버전의 목록만 읽어요. 무엇을 하는지는 보내지 않고, 설치는 직접 하셔야 해요. 정하기 전에는 찾지 않아요.", "On: it reads the list of versions once a day, and nothing else. Nothing about you is sent, and you install it yourself. Until you choose, it does not check."),
		integer(KeyWorkers, 4, 1, 64).flagged("workers").
			named("일꾼 수", "Workers").helped("동시에 일하는 일꾼의 수예요.", "How many workers work at the same time."),
		setting{key: KeyPace, typ: TypeNumber, initial: 1.0, check: number(0.1, 10000), minimum: 0.1, maximum: 10000}.flagged("pace").
			named("재생 속도", "Pace").helped("재생과 길 안내를 실제보다 몇 배 빠르게 진행할지 정해요.", "How many times faster than real time playback and guidance run."),
		integer(KeyMaxQueuedJobs, 10000, 1, 1000000).
			named("대기할 수 있는 일", "Jobs in line").helped("차례를 기다릴 수 있는 일의 최대 개수예요.", "The most jobs that may wait for their turn."),
		integer(KeyJobKeep, 200, 1, 10000).
			named("보관할 끝난 일", "Ended jobs kept").helped("전광판에 남겨 둘 끝난 일의 개수예요.", "How many ended jobs stay listed."),
		choice(KeyProvider, "auto", "auto", "builtin", "ollama", "openai").flagged("provider").
			named("통역가", "Interpreter").helped("요청을 이해하는 통역가예요. 자동이면 쓸 수 있는 것 중에서 골라요.", "Who understands your requests. Auto picks what is available."),
		setting{key: KeyModel, typ: TypeText, initial: "", check: line(200)}.flagged("model").
			named("모델", "Model").helped("통역가가 쓸 모델의 이름이에요. 비워 두면 알아서 골라요.", "The model the interpreter uses. Empty: it picks one."),
		setting{key: KeyOllamaHost, typ: TypeAddress, initial: h.ollama(), check: ollamaAddress}.flagged("ollama-host").
			named("Ollama 주소", "Ollama address").helped("Ollama 서버가 있는 주소예요.", "Where the Ollama server is."),
		setting{key: KeyOpenAIBase, typ: TypeAddress, initial: "", check: address}.flagged("openai-base").
			named("OpenAI 호환 주소", "OpenAI-compatible address").helped("vLLM, llama-server, LM Studio 같은 서버의 주소예요. 예: http://127.0.0.1:8000/v1", "The address of a server such as vLLM, llama-server or LM Studio, for example http://127.0.0.1:8000/v1"),
		setting{key: KeyModelServers, typ: TypeList, initial: "[]", check: modelServers}.
			named("모델 서버", "Model servers").helped("편지를 나눠 맡는 모델 서버와 그 순서예요. 모델 페이지에서 고쳐요.", "The model servers that share the letters, and their order. The Models page edits them."),
		setting{key: KeyModelTimeouts, typ: TypeTimeouts, initial: DefaultModelTimeouts.String(), check: timeouts}.flagged("model-timeouts").
			named("모델 제한 시간", "Model time limits").helped("연결(connect), 첫 글자(first), 글자 사이(gap)를 기다리는 시간이에요.", "How long to wait to connect, for the first token, and between tokens."),
		setting{key: KeyEmbedModel, typ: TypeText, initial: "", check: line(200)}.
			named("임베딩 모델", "Embedding model").helped("문서를 찾을 때 쓰는 모델이에요. 비워 두면 알아서 골라요.", "The model that helps to find documents. Empty: it picks one."),
		integer(KeyNumCtx, 8192, 1024, 1<<20).
			named("문맥 길이", "Context length").helped("모델이 한 번에 읽고 쓰는 토큰 수예요. 늘리면 메모리를 더 쓰고, 바꾸면 모델을 다시 읽어요.", "How many tokens the model reads and writes at once. More needs more memory; a change loads the model again."),
		setting{key: KeyKeepAlive, typ: TypeText, initial: spell(DefaultKeepAlive), check: span(10*time.Second, 7*24*time.Hour)}.
			named("모델 유지 시간", "Keep the model").helped("쓰지 않는 모델을 메모리에 두는 시간이에요. 예: 30m, 2h", "How long an idle model stays in memory, for example 30m or 2h."),
		integer(KeyParallel, 1, 1, 64).
			named("동시에 보내는 편지", "Letters at once").helped("모델에게 한꺼번에 보내는 편지의 수예요. 서버가 여럿을 함께 처리할 수 있을 때만 늘려 주세요.", "How many letters go to the model at once. Raise it only if the server can serve several."),
		integer(KeySolveRounds, 5, 1, 50).
			named("풀이 바퀴 수", "Rounds of solving").helped("할 일 하나를 풀면서 모델에게 몇 번까지 물어볼지 정해요. 넘으면 그만두고 알려 드려요.", "How often the model may be asked for one step. Beyond that it gives up and says so."),
		integer(KeyLibraryRounds, 4, 1, 20).
			named("문서를 다시 찾는 횟수", "Searches for one question").helped("질문 하나에 답하려고 도서관이 문서를 몇 번까지 다시 찾아볼지 정해요.", "How often the library may search again to answer one question."),
		choice(KeyLibraryKeep, "database", "database", "memory").
			named("문서 찾기 기록", "Where a document search is kept").helped("장부에 두면 도중에 꺼져도 이어서 답하고, 메모리에만 두면 처음부터 다시 찾아요.", "In the ledger, an answer goes on after a crash; in memory only, it starts over."),
		setting{key: KeyLibraryFile, typ: TypeText, initial: "", check: fileOrNone(h.home)}.
			named("문서 찾기 기록 파일", "File for searches in the documents").helped("장부에 둘 때, 도중의 기록을 따로 담을 파일이에요. 비우면 앱의 장부에 함께 둬요.", "A file of its own for searches that are kept. Empty: in the app's own ledger."),
		setting{key: KeyLibraryCache, typ: TypeBool, initial: true, check: yesNo}.
			named("문서 답 다시 쓰기", "Reuse document answers").helped("같은 질문에 같은 대목이면 모델이 전에 쓴 답을 바로 보여 줘요.", "The same question about the same passages gets the model's earlier answer at once."),
		choice(KeySolveCalls, "auto", "auto", "native", "json").
			named("공구 부르는 방식", "How tools are called").helped("모델이 공구를 부르는 방식이에요. 자동이면 서버에 맞춰 골라요.", "How the model calls tools while it solves a step. Auto suits the server."),
		setting{key: KeyMusicFolder, typ: TypeFolder, initial: h.musicDir(), check: folder(h.home)}.
			named("음악 폴더", "Music folder").helped("노래를 찾는 폴더예요.", "Where songs are looked for."),
		setting{key: KeyVideoFolder, typ: TypeFolder, initial: h.videoDir(), check: folder(h.home)}.
			named("영상 폴더", "Video folder").helped("영화를 찾는 폴더예요.", "Where films are looked for."),
		integer(KeyVolumeMonitor, 80, 0, 100).
			named("모니터 소리 크기", "Volume of the monitor").helped("모니터에서 나오는 소리의 크기예요.", "How loud the monitor is."),
		integer(KeyVolumeDeck1, 80, 0, 100).
			named("데크 1 소리 크기", "Volume of deck 1").helped("데크 1에서 나오는 소리의 크기예요.", "How loud deck 1 is."),
		integer(KeyVolumeDeck2, 80, 0, 100).
			named("데크 2 소리 크기", "Volume of deck 2").helped("데크 2에서 나오는 소리의 크기예요.", "How loud deck 2 is."),
		setting{key: KeyHomePlace, typ: TypeText, initial: "서울", check: line(100)}.
			named("출발지", "Home").helped("길 안내의 출발지와 날씨의 기본 지역이에요.", "Where guidance starts, and the place of the weather when you name none."),
		integer(KeyBankTransfer, 1000000, 1, 100000000).
			named("한 번 이체 한도", "Limit per transfer").helped("연습 은행에서 한 번에 보낼 수 있는 돈이에요(원).", "What one transfer of the practice bank may move, in won."),
		integer(KeyBankDay, 5000000, 1, 1000000000).
			named("하루 이체 한도", "Limit per day").helped("연습 은행에서 하루에 보낼 수 있는 돈이에요(원).", "What may leave the practice account in one day, in won."),
		integer(KeyMCPStart, 60, 1, 600).
			named("바깥 서버 시작 시간", "Outside servers: start").helped("바깥(MCP) 서버가 켜져서 공구를 알려 줄 때까지 기다리는 시간이에요(초).", "How long an outside (MCP) server may take to start and list its tools, in seconds."),
		integer(KeyMCPAnswer, 120, 1, 3600).
			named("바깥 서버 응답 시간", "Outside servers: answer").helped("바깥(MCP) 서버가 답도 진행 소식도 없을 때 멈춘 것으로 보는 시간이에요(초).", "How long an outside (MCP) server may neither answer nor report progress before it counts as hung, in seconds."),
		setting{key: KeyGuestsOpen, typ: TypeBool, initial: false, check: yesNo}.
			named("다른 프로그램에 열기", "Open to other programs").helped("다른 프로그램이 MCP로 이 가게의 공구를 쓸 수 있게 해요. 프로그램마다 열쇠와 공구를 정해 줘야 하고, 이 컴퓨터 밖에서는 들어올 수 없어요.", "Lets other programs use the shop's tools over MCP. Each needs a key and tools that you give it, and none comes in from outside this computer."),
		integer(KeyGuestsPort, 8737, 0, 65535).
			named("다른 프로그램의 포트", "Port for other programs").helped("다른 프로그램이 이 컴퓨터 안에서 부르는 포트예요. 0이면 비어 있는 것을 써요.", "The port on this computer where other programs call. 0 takes any that is free."),
		setting{key: KeyPagerOpen, typ: TypeBool, initial: false, check: yesNo}.
			named("진동벨", "Pager").helped("같은 네트워크에 있는 짝지은 휴대폰이 기다리는 질문과 하고 있는 일을 보고 답해요. 짝짓지 않은 기기는 아무것도 보지 못해요.", "Paired phones on the same network see the questions that wait and the jobs that run, and answer. A device that is not paired sees nothing."),
		integer(KeyPagerPort, 8738, 0, 65535).
			named("진동벨의 포트", "Port of the pager").helped("휴대폰이 이 컴퓨터를 부르는 포트예요. 0이면 비어 있는 것을 써요.", "The port where phones call this computer. 0 takes any that is free."),
		setting{key: KeyBranchesName, typ: TypeText, initial: "", check: line(30)}.
			named("이 지점의 이름", "Name of this branch").helped("짝지은 다른 가게의 전광판에 보이는 이름이에요. 비워 두면 이 컴퓨터의 이름을 써요.", "What other shops that are paired show on their boards. Empty means the name of this computer."),
		setting{key: KeyBranchesAddress, typ: TypeText, initial: "", check: ownAddress}.
			named("지점이 부르는 주소", "Address where branches call").helped("공구를 빌려줄 때 이 컴퓨터의 어느 주소에서 기다릴지 정해요. 비워 두면 자기 네트워크의 모든 주소예요. 코드를 만들거나 짝지은 지점이 있을 때만 열려요.", "On which address of this computer to wait when tools are lent. Empty means all in networks of its own. It is open only while a code is out or a branch is paired."),
		integer(KeyBranchesPort, 8739, 0, 65535).
			named("지점의 포트", "Port of branches").helped("짝지은 지점이 이 컴퓨터를 부르는 포트예요. 0이면 비어 있는 것을 써요.", "The port where paired branches call this computer. 0 takes any that is free."),
		integer(KeyGuestsWait, 45, 1, 3600).
			named("다른 프로그램이 기다리는 시간", "How long other programs wait").helped("진행 소식을 듣지 않는 프로그램에 이만큼 기다린 뒤 ‘사람을 기다려요’라고 알려 줘요(초). 그 표는 이어지고, 나중에 결과를 물을 수 있어요.", "After this long a program that takes no progress news is told that a person is waited for, in seconds. Its ticket goes on, and it may ask for the result later."),
		choice(KeyPolicyMode, string(policy.ModeRules), string(policy.ModeAll), string(policy.ModeMatters), string(policy.ModeRules)).
			named("얼마나 물어볼까요", "How much to ask").helped("모두 묻기, 중요한 것만 묻기, 또는 내 규칙대로예요. 돈, 지우기, 프로그램 실행은 언제나 물어봐요.", "Everything, what matters, or as my rules say. Money, deletion and programs are always asked about."),
		setting{key: KeyPolicyRules, typ: TypeList, initial: "[]", check: rules}.
			named("허락 규칙", "Permission rules").helped("공구를 막거나, 묻거나, 허락하는 규칙이에요. 허락 페이지에서 고쳐요.", "Rules that deny, ask or allow tools. The permissions page edits them."),
		integer(KeyPolicyAsks, 8, 1, 1000).
			named("한 일의 연속 질문 한도", "Questions in a row").helped("승인을 한 번도 받지 못한 채 한 일이 잇달아 물을 수 있는 횟수예요.", "How often one job may ask in a row without any approval."),
		setting{key: KeyFilesFolders, typ: TypeList, initial: "[]", check: openFolders(h.home)}.
			named("열린 폴더", "Opened folders").helped("파일 공구가 들어갈 수 있는 폴더예요. 허락 페이지에서 열고 닫아요.", "The folders the file tools may enter. The permissions page opens and closes them."),
		choice(KeyLogLevel, "info", "trace", "debug", "info", "warn", "error").flagged("log-level").
			named("로그 수준", "Log level").helped("로그를 얼마나 자세히 남길지 정해요.", "How much detail goes to the log."),
		setting{key: KeyDataDir, typ: TypeFolder, initial: h.dataDir(), check: startPath(h.home), start: true, env: []string{"AGENTCHAT_DATA_DIR", "AGENTCHAT_DATA"}}.flagged("data").
			named("데이터 폴더", "Data folder").helped("대화와 설정을 저장하는 폴더예요. 프로그램을 시작할 때만 정해요.", "Where chats and settings are kept. Chosen only when the program is started."),
		setting{key: KeyConfigFile, typ: TypeText, initial: "", check: startPath(h.home), start: true}.flagged("config").
			named("설정 파일", "Settings file").helped("설정을 저장하는 파일이에요. 프로그램을 시작할 때만 정해요.", "Where settings are kept. Chosen only when the program is started."),
	}
	for i := range rows {
		if rows[i].env == nil {
			rows[i].env = []string{envName(rows[i].key)}
		}
	}
	return rows
}
