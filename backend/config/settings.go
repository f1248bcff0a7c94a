package config

import (
	"time"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"

	"agentchat/backend/folders"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/policy"
	"agentchat/backend/provider/servers"
)

// Settings are the values in force at one moment. A snapshot never changes: treat its maps as read-only.
type Settings struct {
	ConfigFile string // the settings file
	DataDir    string

	Workers       int
	Pace          float64 // how many times faster than real time playback and guidance run
	MaxQueuedJobs int
	JobKeep       int // how many ended jobs stay listed

	Lang          bilingual.Lang
	Theme         string // system, light, dark or contrast
	TextSize      int    // percent
	Notifications bool
	GlobalKey     bool
	OnClose       string // what closing the window does: auto, stay or quit
	Updates       string // whether to look for new versions: ask (nobody has chosen; not yet), on or off
	SearchService string // what searches the web: off, searxng or brave
	SearchAddress string // of SearXNG; "": none
	Offline       bool   // nothing leaves this computer
	Paused        bool   // the workers rest and nothing plays

	Provider      string // auto, builtin, ollama or openai
	Model         string // "": the provider picks one
	OllamaHost    string
	OpenAIBase    string           // "": none
	ModelServers  []servers.Server // as they are written down; servers.All is the list in use
	ModelTimeouts ModelTimeouts
	EmbedModel    string        // "": the provider picks one
	NumCtx        int           // tokens a request and its answer may have together
	KeepAlive     time.Duration // how long an idle model stays in memory
	Parallel      int           // requests sent to the model at once

	MusicFolder string
	VideoFolder string
	HomePlace   string
	Volume      map[string]int // 0…100, by device: monitor, deck1, deck2
	LogLevel    string         // trace, debug, info, warn or error

	BankTransfer int64 // won one transfer may move
	BankDay      int64 // won that may leave the practice account in a day

	GuestsOpen      bool // other programs may call
	GuestsPort      int
	GuestsWait      time.Duration
	BranchesName    string // how this shop introduces itself to others; "": by this computer's name
	BranchesAddress string // where it listens for them; "": on all addresses of networks of its own
	BranchesPort    int

	PagerOpen bool // paired phones in the same network may look and answer
	PagerPort int
	MCPStart  time.Duration // until an outside server has listed its tools
	MCPAnswer time.Duration // of silence, until a call to an outside server counts as hung

	PolicyRules []policy.Rule
	PolicyMode  policy.Mode
	PolicyAsks  int // how often one job may ask in a row without any approval

	Folders []folders.Folder // that the file tools may enter

	LibraryRounds int    // how often the library may look again for one question
	LibraryKeep   string // database or memory
	LibraryFile   string // where database keeps how far a question is; "": with the turn
	LibraryCache  bool   // an answer of a model may be given again

	SolveRounds int    // how often the model may be asked for one todo
	SolveCalls  string // how it calls tools: auto, native or json

	Tools  map[string]ToolOverride // by tool key
	Groups map[string]int          // capacity by group
	Roles  map[string]RoleOverride // by role of the interpreter
}

const delim = "."

// layer holds checked values by full key, such as "tools.nav.capacity".
type layer map[string]any

// merge puts layers on top of each other, the strongest last.
func merge(layers ...layer) *koanf.Koanf {
	k := koanf.New(delim)
	for _, l := range layers {
		// A confmap cannot fail to load: it reads no file and parses nothing.
		_ = k.Load(confmap.Provider(l, delim), nil)
	}
	return k
}

// settingsOf gives merged, checked values their types.
func settingsOf(k *koanf.Koanf) Settings {
	limits, err := ParseModelTimeouts(k.String(KeyModelTimeouts))
	if err != nil {
		limits = DefaultModelTimeouts
	}
	written, err := policy.ParseRules([]byte(k.String(KeyPolicyRules)))
	if err != nil { // it was checked when it was set
		written = nil
	}
	opened, err := folders.Parse([]byte(k.String(KeyFilesFolders)), "")
	if err != nil { // as above
		opened = nil
	}
	listed, err := servers.Parse([]byte(k.String(KeyModelServers)), serverAddress)
	if err != nil { // as above
		listed = nil
	}
	s := Settings{
		ConfigFile:    k.String(KeyConfigFile),
		DataDir:       k.String(KeyDataDir),
		Workers:       k.Int(KeyWorkers),
		Pace:          k.Float64(KeyPace),
		MaxQueuedJobs: k.Int(KeyMaxQueuedJobs),
		JobKeep:       k.Int(KeyJobKeep),
		Lang:          bilingual.Lang(k.String(KeyLang)),
		Theme:         k.String(KeyTheme),
		TextSize:      k.Int(KeyTextSize),
		Notifications: k.Bool(KeyNotifications),
		GlobalKey:     k.Bool(KeyGlobalKey),
		OnClose:       k.String(KeyOnClose),
		Updates:       k.String(KeyUpdates),
		SearchService: k.String(KeySearchService),
		SearchAddress: k.String(KeySearchAddress),
		Offline:       k.Bool(KeyOffline),
		Paused:        k.Bool(KeyPaused),
		Provider:      k.String(KeyProvider),
		Model:         k.String(KeyModel),
		OllamaHost:    k.String(KeyOllamaHost),
		OpenAIBase:    k.String(KeyOpenAIBase),
		ModelServers:  listed,
		ModelTimeouts: limits,
		EmbedModel:    k.String(KeyEmbedModel),
		NumCtx:        k.Int(KeyNumCtx),
		KeepAlive:     k.Duration(KeyKeepAlive),
		Parallel:      k.Int(KeyParallel),
		MusicFolder:   k.String(KeyMusicFolder),
		VideoFolder:   k.String(KeyVideoFolder),
		HomePlace:     k.String(KeyHomePlace),
		LogLevel:      k.String(KeyLogLevel),
		BankTransfer:  k.Int64(KeyBankTransfer),
		BankDay:       k.Int64(KeyBankDay),
		GuestsOpen:    k.Bool(KeyGuestsOpen),
		GuestsPort:    k.Int(KeyGuestsPort),
		BranchesName:  k.String(KeyBranchesName), BranchesAddress: k.String(KeyBranchesAddress), BranchesPort: k.Int(KeyBranchesPort),
		PagerOpen:     k.Bool(KeyPagerOpen),
		PagerPort:     k.Int(KeyPagerPort),
		GuestsWait:    time.Duration(k.Int(KeyGuestsWait)) * time.Second,
		MCPStart:      time.Duration(k.Int(KeyMCPStart)) * time.Second,
		MCPAnswer:     time.Duration(k.Int(KeyMCPAnswer)) * time.Second,
		PolicyRules:   written,
		PolicyMode:    policy.Mode(k.String(KeyPolicyMode)),
		Folders:       opened,
		PolicyAsks:    k.Int(KeyPolicyAsks),
		LibraryRounds: k.Int(KeyLibraryRounds),
		LibraryKeep:   k.String(KeyLibraryKeep),
		LibraryFile:   k.String(KeyLibraryFile),
		LibraryCache:  k.Bool(KeyLibraryCache),
		SolveRounds:   k.Int(KeySolveRounds),
		SolveCalls:    k.String(KeySolveCalls),
		Volume: map[string]int{
			"monitor": k.Int(KeyVolumeMonitor), "deck1": k.Int(KeyVolumeDeck1), "deck2": k.Int(KeyVolumeDeck2),
		},
		Tools:  map[string]ToolOverride{},
		Groups: map[string]int{},
		Roles:  map[string]RoleOverride{},
	}
	for _, tool := range k.MapKeys(toolFamily) {
		s.Tools[tool] = toolOverride(k, tool)
	}
	for _, group := range k.MapKeys(groupFamily) {
		s.Groups[group] = k.Int(GroupKey(group))
	}
	for _, role := range k.MapKeys(roleFamily) {
		s.Roles[role] = roleOverride(k, role)
	}
	return s
}

func toolOverride(k *koanf.Koanf, tool string) ToolOverride {
	return ToolOverride{
		Capacity: given(k, ToolKey(tool, "capacity"), k.Int),
		Group:    given(k, ToolKey(tool, "group"), k.String),
		Confirm:  given(k, ToolKey(tool, "confirm"), k.String),
		Enabled:  given(k, ToolKey(tool, "enabled"), k.Bool),
	}
}

// given is the value of a key, nil where it has none.
func given[T any](k *koanf.Koanf, key string, read func(key string) T) *T {
	if !k.Exists(key) {
		return nil
	}
	value := read(key)
	return &value
}
