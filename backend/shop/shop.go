// Package shop is the composition root: it opens the parts in order, wires them, starts them, and stops them in reverse.
// The window and the headless front are thin skins over a Shop.
package shop

import (
	"context"
	"encoding/base32"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"agentchat/backend/about"
	"agentchat/backend/apperr"
	"agentchat/backend/ask"
	"agentchat/backend/attachment"
	"agentchat/backend/background"
	"agentchat/backend/bank"
	"agentchat/backend/batch"
	"agentchat/backend/branch"
	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/favourite"
	"agentchat/backend/frontdesk"
	"agentchat/backend/guest"
	"agentchat/backend/interpreter"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/library"
	"agentchat/backend/library/extract"
	"agentchat/backend/lock"
	"agentchat/backend/logging"
	"agentchat/backend/manager"
	"agentchat/backend/media"
	"agentchat/backend/memory"
	"agentchat/backend/names"
	"agentchat/backend/notes"
	"agentchat/backend/outbound"
	"agentchat/backend/pager"
	"agentchat/backend/policy"
	"agentchat/backend/presence"
	"agentchat/backend/provider"
	"agentchat/backend/provider/builtin"
	"agentchat/backend/provider/failover"
	"agentchat/backend/reminder"
	"agentchat/backend/secret"
	"agentchat/backend/service"
	"agentchat/backend/shelf"
	"agentchat/backend/standing"
	"agentchat/backend/store"
	"agentchat/backend/takeaway"
	"agentchat/backend/titles"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools"
	"agentchat/backend/tools/banking"
	desktoptools "agentchat/backend/tools/desktop"
	"agentchat/backend/tools/gazetteer"
	librarytools "agentchat/backend/tools/library"
	"agentchat/backend/tools/mcp"
	notetools "agentchat/backend/tools/notes"
	"agentchat/backend/tools/tables"
	"agentchat/backend/tools/undo"
	"agentchat/backend/tools/web"
	"agentchat/backend/update"
	"agentchat/backend/watch"
)

// logLines is how many log lines the window can look back on.
const logLines = 5000

// Options say how to open a shop. The zero value opens the person's own shop.
type Options struct {
	Branches branch.Pace // how often other shops are looked after; zero: as usual
	Config   config.Options
	// Console gets the log as readable lines; nil: none. The log file is always written.
	Console *os.File
	// MediaServer serves sound and pictures to a window; without it playback is only simulated.
	MediaServer bool
	// Provider replaces the choice of interpreter, for tests.
	Provider provider.Provider
	// Ring replaces the system's keyring, for tests.
	Ring secret.Ring
	// LookPath replaces the search for installed programs, for tests.
	LookPath func(program string) (string, error)
	// Engine is the program of the shop's own engine for models; "": there is none. The fronts find it (engine.Find).
	Engine string
	// Tools are added to the shop's own, for tests and later rooms; one with the key of the shop's own takes its place.
	Tools []toolbox.Tool
	// Now is the clock by which days come, for tests; nil: the system's.
	Now func() time.Time
	// Desktop is the person's clipboard and browser; nil: what the system's own helpers reach.
	Desktop desktoptools.Desktop
	// Own tells which addresses are this computer, for tests; nil: loopback.
	Own func(netip.Addr) bool
	// Damaged says what to do when the ledger is damaged; the zero value leaves everything as it is.
	Damaged Remedy
	// Crashes has what ends the program against its will written into the data folder. The fronts want it; tests share a process.
	Crashes bool
}

// Shop is the open shop. Safe for concurrent use.
type Shop struct {
	Config *config.Config
	Log    *logging.Log
	Logs   *logging.Stream
	Bus    *event.Bus

	lock     *lock.Lock
	store    *store.Store
	box      *toolbox.Box
	failover *failover.Failover
	models   modelService
	interp   *interpreter.Interpreter
	jobs     *job.Manager
	desk     *ask.Desk
	manager  *manager.Manager
	services *service.Book
	memory   *memory.Memory
	lengths  lengths
	readIns  *readIns
	titles   *titles.Titles
	places   *batch.Writer[store.Place]
	bank     *bank.Bank
	library  *library.Library
	shelves  *shelf.Book // of the library, that follow folders

	attachments *attachment.Room
	pictures    *web.Pictures // that answers name
	front       frontdesk.Rooms
	takeaway    *takeaway.Maker
	phrasebook  *builtin.Provider
	tableReader *extract.Extractor // of tables that are asked
	glances     glances
	catalogue   *catalogue // of what the tools are
	names       names.Rooms
	warm        func() // has the reader of documents made ready
	notes       *notes.Notes
	undo        *undo.Tool
	reminders   *reminder.Reminders
	standing    *standing.Book
	favourites  *favourite.Book
	presence    *presence.Presence
	updates     *update.Updates
	opener      desktoptools.Desktop
	watch       *watch.Folders   // of those that standing orders wait in
	shelfWatch  *watch.Folders   // of those that shelves follow
	now         func() time.Time // the clock, in the customer's zone
	librarian   librarian
	mcp         *mcp.Mounts
	asked       outsideAsks // what outside servers ask in the middle of their calls
	guests      *guest.Book
	guestDoor   *guest.Counter
	branches    *branch.Book
	pager       *pager.Pager
	files       fileService
	screens     *media.Screens
	player      *media.Player
	server      *media.Server
	line        *outbound.Line // the one way out of this computer
	outward     *batch.Writer[outbound.Entry]
	recorder    *batch.Writer[event.JobLog]
	exchanges   *batch.Writer[interpreter.Exchange]
	readings    readings
	closing     []func() error
	hushed      map[media.Device]bool          // what stands still because everything does; the settings' own goroutine has it
	found       func() (job.Unfinished, error) // the jobs that were unfinished when the shop opened

	recovered atomic.Pointer[event.ShopRecovered] // what was unfinished when the shop opened; nil: nothing
}

// Open opens everything and goes on with what was unfinished. Errors are *apperr.Error: already_running, storage and
// settings errors. After an error nothing is left open.
func Open(ctx context.Context, o Options) (s *Shop, err error) {
	s = &Shop{}
	defer func() {
		if err != nil {
			if s.store != nil && apperr.CodeOf(s.store.Sound(ctx)) == apperr.StorageCorrupt {
				err = apperr.New(apperr.StorageCorrupt) // whatever came of it first
			}
			_ = s.Close()
			s, err = nil, apperr.From(err)
		}
	}()
	cfg, warnings, err := config.Load(o.Config)
	if err != nil {
		return s, err
	}
	s.Config = cfg
	settings := cfg.Get()
	if s.lock, err = lock.Acquire(settings.DataDir); err != nil {
		return s, err
	}
	s.closing = append(s.closing, s.lock.Unlock)
	swapped, err := swapIn(s.house())
	if err != nil {
		return s, err
	}
	if swapped { // the settings are others
		if s.Config, warnings, err = config.Load(o.Config); err != nil {
			return s, err
		}
		cfg, settings = s.Config, s.Config.Get()
	}
	if err := s.openLog(o, settings); err != nil {
		return s, err
	}
	if o.Crashes {
		s.keepCrashes(settings.DataDir)
	}
	if s.store, err = s.openStore(ctx, settings.DataDir, o.Damaged); err != nil {
		return s, err
	}
	s.closing = append(s.closing, s.store.Close)
	s.store.Beside = s.house().Keep
	s.lookAhead(ctx)
	s.Bus = event.NewBus(0, time.Now)
	s.closing = append(s.closing, func() error { s.Bus.Close(); return nil })
	if err := s.wire(ctx, o); err != nil {
		return s, err
	}
	log := s.Log.Component("shop")
	for _, w := range append(warnings, cfg.KnowTools(s.knowsTool)...) {
		log.Warn().Str("key", w.Key).Str("why", w.Err.Text(settings.Lang)).Msg("a setting was not taken")
	}
	if err := s.applySettings(); err != nil {
		return s, err
	}
	return s, s.start(ctx, o)
}

func (s *Shop) openLog(o Options, settings config.Settings) (err error) {
	s.Logs = logging.NewStream(logLines)
	lo := logging.Options{
		Level: settings.LogLevel, File: filepath.Join(settings.DataDir, "logs", "agentchat.log"), Stream: s.Logs,
	}
	if o.Console != nil {
		lo.Console = o.Console
	}
	if s.Log, err = logging.New(lo); err != nil {
		return err
	}
	s.closing = append(s.closing, s.Log.Close)
	return nil
}

// newID makes an id: a UUID of version 7, so that ids rise with time, in 26 characters that rise as it does.
func newID() string {
	id := uuid.Must(uuid.NewV7())
	return idText.EncodeToString(id[:])
}

var idText = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

func (s *Shop) wire(ctx context.Context, o Options) (err error) {
	get := s.Config.Get
	s.screens = media.NewScreens(s.Bus)
	s.openRecorders()
	if err := s.openLine(ctx, o.Own); err != nil {
		return err
	}
	s.box, err = toolbox.New(s.Bus, toolbox.Options{
		Now: time.Now, NewID: newID,
		Title: func(id string) string {
			if title := s.jobs.Title(id); title != "" {
				return title
			}
			return s.guests.LeaseTitle(id) // a paired shop's, whose ticket is to come
		},
		OnReady: func(id string) { s.jobs.Wake(id) },
	})
	if err != nil {
		return err
	}
	if o.MediaServer {
		s.server = media.NewServer()
		s.closing = append(s.closing, s.server.Close)
	}
	s.player = media.NewPlayer(func() float64 { return get().Pace }, s.server)
	s.player.KeepLevels(loudness{s.Config})
	collection := media.NewLibrary(func() media.Folders {
		c := get()
		return media.Folders{Music: c.MusicFolder, Video: c.VideoFolder}
	})
	s.names = names.Rooms{
		names.Place: gazetteer.Names{}, names.Song: collection.Titles(media.KindSong), names.Movie: collection.Titles(media.KindMovie),
	}
	own := tools.All(tools.Deps{
		Now: time.Now, Home: func() string { return get().HomePlace }, Player: s.player, Library: collection, Line: s.line,
	})
	own = append(own, service.Tools(wakingRecords{s.store, func() { s.reminders.Wake() }}, clockOf(o.Now))...)
	s.openBank(o.Now)
	own = append(own, banking.Tools(s.bank)...)
	s.notes = notes.New(notes.Deps{Store: s.store, Publisher: s.Bus, Now: time.Now, NewID: newID})
	s.names[names.Note] = s.notes.Titles()
	own = append(own, notetools.Tools(s.notes)...)
	own = append(own, desktoptools.Tools(s.desktop(o.Desktop))...)
	s.openLibrary()
	s.openAttachments(clockOf(o.Now))
	s.pictures = web.NewPictures(web.Options{Line: s.line})
	s.openTakeaway()
	s.openShelves()
	own = append(own, librarytools.Tools(scopedLibrary{s.library})...)
	own = append(own, s.openFiles()...)
	own = append(own, web.New(web.Options{Line: s.line}), s.openSearch(), s.openShell(), s.openUndo())
	own = append(own, s.openTables(clockOf(o.Now)))
	if err := s.box.Register(withGuests(own, o.Tools)...); err != nil {
		return err
	}

	s.openMCP()
	s.makeGuests(o.Branches.Lease)
	if err := s.openBranches(o.Branches); err != nil {
		return err
	}
	s.openReminders(clockOf(o.Now))
	s.openPresence(clockOf(o.Now))
	s.openStanding(clockOf(o.Now))
	if err := s.openServices(); err != nil {
		return err
	}
	s.openUpdates()
	s.openReadIns()
	s.openProviders(ctx, o)
	s.failover.Follow(s.readIns.Wake)
	s.catalogue = newCatalogue(s.box)
	s.front = s.frontdesk(s.catalogue)
	s.openFavourites(s.catalogue)
	s.interp = interpreter.New(interpreter.Deps{
		Provider: s.failover.Provider, Servers: s.serversOf, Speeds: s.speedOf, Measured: s.speedMeasured, Tools: s.catalogue.cards, Services: s.services.Cards, Candidates: s.candidates,
		Timeouts: func() interpreter.Timeouts {
			t := get().ModelTimeouts
			return overallTimeout(t.Connect, t.First, t.Gap)
		},
		Keep: s.exchanges.Put, Loading: s.failover.Loading,
		Publisher: s.Bus, NewID: newID, Failed: s.failover.Missed, Standby: s.failover.Standby,
		Budget: s.budget(), Cache: answers{s}, Picture: s.attachments.Picture,
	})
	s.failover.Follow(s.interp.Recount)
	s.failover.Watch(func() { // also one that is not on duty may take what waits
		s.interp.Recount()
		s.Bus.Publish(event.Of("", "", event.ModelsChanged{}))
	})
	s.openMemory(memory.Deps{Now: time.Now, NewID: newID})
	s.openTitles(time.Now)
	s.jobs, err = job.NewManager(job.Deps{
		Store: tellingStore{s.store, s.standing.Happened}, Box: s.box, Interpreter: s.interp, Screens: s.screens, Publisher: s.Bus, KeepLog: s.recorder.Put,
		Background: func(ctx context.Context, chat, jobID string) interpreter.Background {
			return s.manager.Background(ctx, chat, jobID)
		},
		Reads:      s.interp.Reads,
		Scope:      s.scope,
		Names:      s.names,
		Rules:      func() []policy.Rule { return get().PolicyRules },
		Mode:       func() policy.Mode { return get().PolicyMode },
		AsksPerJob: func() int { return get().PolicyAsks },
		Now:        time.Now, NewID: newID, Boot: newID(), MaxQueued: func() int { return get().MaxQueuedJobs },
		MaxRounds:    func() int { return get().SolveRounds },
		OnCounterJob: func(j job.Job) { s.rememberEffect(j); s.manager.JobMoved(j) },
		Log:          s.Log.Component("job"),
	})
	if err != nil {
		return err
	}
	s.desk = ask.NewDesk(ask.Deps{
		Store: s.store, Publisher: s.Bus, Now: time.Now, ValidateArgs: s.box.ValidateArgs, Answered: s.jobs.Answered,
	})
	if err := s.openLibrarian(); err != nil {
		return err
	}
	s.manager, err = manager.New(manager.Deps{
		Tables: s.tablesAsked, TableTool: tables.Key,
		Prompts: s.interp, AttachedText: s.attachedText,
		Library: s.librarian, Attachments: s.attachments.Take, Standing: s.standing, Favourites: s.favourites, Front: s.front, Readings: s.readings,
		Store: tellingStore{s.store, s.standing.Happened}, Memory: remembering{s.memory, s.titles.Wake}, Planner: s.interp, Playing: s.playing, Changes: s.changes, Listed: s.listed, BrokenOff: s.brokenOff, Kept: s.undo.Kept, LastUse: s.store.Last, Ordered: builtin.Ordered, Unlearned: s.unlearned, Jobs: s.jobs, Desk: s.desk, Publisher: s.Bus,
		Counter: s.counter(), Orders: s.jobs,
		Lang: func() bilingual.Lang { return get().Lang }, English: s.english(), Now: time.Now, NewID: newID, Log: s.Log.Component("manager"),
	})
	return err
}

func (s *Shop) start(ctx context.Context, o Options) error {
	if err := s.store.Sound(ctx); err != nil {
		return err
	}
	if err := s.store.AddChat(ctx, "main", ""); err != nil {
		return err
	}
	unfinished, err := s.unfinished(ctx, o.Now)
	if err != nil {
		return err
	}
	if err := s.presence.Start(ctx); err != nil { // before anything is written down anew
		return err
	}
	if err := s.mcp.Start(ctx); err != nil {
		return err
	}
	s.branches.Hang()
	if err := s.library.ShelveStandards(ctx); err != nil {
		return err
	}
	parts := []struct {
		start func(context.Context) error
		stop  func()
	}{
		{s.bank.Start, s.bank.Stop},
		{s.library.Start, s.library.Stop},
		{s.shelves.Start, s.shelves.Stop},
		{s.shelfWatch.Start, s.shelfWatch.Stop},
		{s.takeUpJobs, s.jobs.Stop},
		{s.manager.Start, s.manager.Stop},
		{s.models.pulls.Start, s.models.pulls.Stop},
		{s.watch.Start, s.watch.Stop},
	}
	for _, p := range parts { // all are stopped, also those that did not start: one may have used another
		s.closing = append(s.closing, func() error { p.stop(); return nil })
	}
	// What fronts begin with is read before others read beside it. What of it cannot be read, whoever asks is told.
	_, _ = s.conversations(ctx)
	_, _ = s.store.Board(ctx, s.Config.Get().JobKeep)
	for _, p := range parts {
		if err := p.start(ctx); err != nil {
			return err
		}
	}
	s.openPager()
	s.closing = append(s.closing, s.followSettings())
	s.openGuests()
	s.followGuests()
	s.branches.Start()
	s.closing = append(s.closing, func() error { s.branches.Close(); return nil })
	s.tellRecovered(unfinished)
	s.startLoop(ctx, s.reminders.Loop)
	s.startLoop(ctx, s.readIns.Loop)
	s.startLoop(ctx, s.titles.Loop)
	s.startLoop(ctx, s.standing.Loop)
	s.startLoop(ctx, s.housekeeping(unfinished))
	s.updates.Start(ctx)
	log := s.Log.Component("shop")
	log.Info().Str("version", about.Version).Str("data", s.store.Path()).Msg("the shop is open")
	return nil
}

func (s *Shop) startLoop(ctx context.Context, l *background.Loop) {
	s.closing = append(s.closing, func() error { l.Stop(); return nil })
	l.Start(ctx)
}

// Close stops everything in reverse order: running work is interrupted and goes on at the next start. Closing twice is
// fine.
func (s *Shop) Close() error {
	if s == nil {
		return nil
	}
	var err error
	for _, closes := range slices.Backward(s.closing) {
		err = errors.Join(err, closes())
	}
	s.closing = nil
	return err
}

// knowsTool tells whether the box holds a tool of that key.
func (s *Shop) knowsTool(key string) bool {
	_, err := s.box.Spec(key)
	return err == nil
}
