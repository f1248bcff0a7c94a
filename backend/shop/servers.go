package shop

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/batch"
	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/interpreter"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/models"
	"agentchat/backend/provider"
	"agentchat/backend/provider/failover"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/provider/openai"
	"agentchat/backend/provider/servers"
	"agentchat/backend/provider/wire"
	"agentchat/backend/secret"
)

// mostSpeeds bounds how many measurements wait to be kept, and speedLinger is how long one waits for others.
const (
	mostSpeeds  = 1000
	speedLinger = 2 * time.Second
)

// fleet are the model servers that were added to those that have settings of their own, and what was measured of all.
type fleet struct {
	edit sync.Mutex // one change of the list at a time

	mu     sync.Mutex
	there  map[string]provider.Provider // by name and kind
	speeds map[[2]string]interpreter.Speed
	keep   *batch.Writer[models.Speed]
}

// openFleet reads what was measured of servers before.
func (s *Shop) openFleet(ctx context.Context) {
	f := &s.models.fleet
	f.there, f.speeds = map[string]provider.Provider{}, map[[2]string]interpreter.Speed{}
	list, err := s.store.ServerSpeeds(ctx)
	if err != nil {
		log := s.Log.Component("models")
		log.Warn().Err(err).Msg("how fast servers were cannot be read")
	}
	for _, v := range list {
		f.speeds[[2]string{v.Server, v.Model}] = interpreter.Speed{Reads: v.Reads, Writes: v.Writes, Requests: v.Requests}
	}
	f.keep = batch.New(batch.Options[models.Speed]{
		Most: mostSpeeds, Linger: speedLinger, Write: s.store.SaveServerSpeeds, Failed: s.unkept("models", "how fast servers are could not be kept"),
	})
	s.closing = append(s.closing, f.keep.Close)
}

// speedOf is what was measured of a server and a model.
func (s *Shop) speedOf(server, model string) interpreter.Speed {
	f := &s.models.fleet
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.speeds[[2]string{server, model}]
}

// speedMeasured keeps what was measured.
func (s *Shop) speedMeasured(server, model string, v interpreter.Speed) {
	f := &s.models.fleet
	f.mu.Lock()
	f.speeds[[2]string{server, model}] = v
	f.mu.Unlock()
	f.keep.Put(models.Speed{Server: server, Model: model, Reads: v.Reads, Writes: v.Writes, Requests: v.Requests})
}

// serverKey is the name of a server's key in the cupboard.
func serverKey(name string) string { return "server:" + name }

// serverSettings is a server as the settings have it now.
func (s *Shop) serverSettings(name string) (v servers.Server) {
	list := s.Config.Get().ModelServers
	if i := slices.IndexFunc(list, func(o servers.Server) bool { return o.Name == name }); i >= 0 {
		v = list[i]
	}
	return v
}

// serverProvider is the provider of a server, made when it is first wanted. It follows the settings at every call.
func (s *Shop) serverProvider(v servers.Server) provider.Provider {
	switch v.Name {
	case ollama.Name:
		return s.models.ollama
	case openai.Name:
		return s.models.openai
	}
	f := &s.models.fleet
	f.mu.Lock()
	defer f.mu.Unlock()
	key := string(v.Kind) + " " + v.Name
	if f.there[key] == nil {
		f.there[key] = s.newServer(v.Name, v.Kind, func() servers.Server { return s.serverSettings(v.Name) })
	}
	return f.there[key]
}

// newServer makes the provider of a server that now describes.
func (s *Shop) newServer(name string, kind servers.Kind, now func() servers.Server) provider.Provider {
	where, model, parallel := func() string { return now().Address }, func() string { return now().Model }, func() int { return now().Parallel }
	key := func(ctx context.Context) string { return s.keyOf(ctx, serverKey(name)) }
	get, cards := s.Config.Get, s.cardsOf(name)
	if kind == servers.KindOllama {
		return ollama.New(ollama.Options{
			ID: name, Line: s.line, Host: where, Usual: s.usualOllama(), Model: model, Parallel: parallel, Cards: cards, Timeouts: s.modelLimits, Native: s.callStyle, Key: key,
			NumCtx: func() int { return get().NumCtx }, KeepAlive: func() time.Duration { return get().KeepAlive }, EmbedModel: func() string { return get().EmbedModel },
		})
	}
	return openai.New(openai.Options{
		ID: name, Line: s.line, Base: where, Key: key, Model: model, Parallel: parallel, Cards: cards, Timeouts: s.modelLimits, Native: s.callStyle,
		EmbedModel: func() string { return get().EmbedModel },
	})
}

// cardsOf are the roles' cards as a server has them. A role's model is meant for the servers that have settings of their own, unless it names a
// server (server/model).
func (s *Shop) cardsOf(name string) func(provider.Role, wire.Card) wire.Card {
	return func(role provider.Role, own wire.Card) wire.Card {
		c := s.Config.Get()
		card := models.Override(c.Roles, role, own)
		server, model, with := strings.Cut(card.Model, "/")
		switch {
		case with && server == name:
			card.Model = model
		case !servers.Settled(name), with && slices.ContainsFunc(servers.All(c.ModelServers, ""), func(v servers.Server) bool { return v.Name == server }):
			card.Model = ""
		}
		return card
	}
}

// chooseServers has those answer that the settings name, in their order.
func (s *Shop) chooseServers() {
	c := s.Config.Get()
	var list []failover.Server
	if c.Provider != s.phrasebook.Name() {
		for _, v := range servers.All(c.ModelServers, c.Provider) {
			if !v.Off && (v.Name != openai.Name || c.OpenAIBase != "" || c.Provider == openai.Name) {
				list = append(list, failover.Server{Provider: s.serverProvider(v), Spare: v.Spare})
			}
		}
	}
	if len(list) == 0 {
		s.failover.Choose(s.phrasebook.Name())
		return
	}
	s.failover.Choose(c.Provider, list...)
}

// serversOf are those that may answer a role: the one whose model the role has, then as the role wants them, one after the other, and then as the
// list has them.
func (s *Shop) serversOf(role provider.Role) []interpreter.Server {
	well := s.failover.Well()
	own := s.Config.Get().Roles[string(role)]
	wants := own.Servers
	if own.Model != nil {
		if server, _, with := strings.Cut(*own.Model, "/"); with && slices.ContainsFunc(well, func(v failover.Server) bool { return v.Name() == server }) {
			wants = slices.Concat([]string{server}, wants)
		}
	}
	list := make([]interpreter.Server, len(well))
	for n, v := range well {
		tier := slices.Index(wants, v.Name())
		if tier < 0 {
			if tier = len(wants); v.Spare {
				tier++
			}
		}
		list[n] = interpreter.Server{Provider: v.Provider, Tier: tier}
	}
	return list
}

// kindOf names the API behind a provider.
func kindOf(p provider.Provider) string {
	switch p.(type) {
	case *ollama.Provider:
		return ollama.Name
	case *openai.Provider:
		return openai.Name
	}
	return p.Name()
}

// Servers are the model servers in the order in which they are asked, how each is and how fast.
func (s *Shop) Servers(ctx context.Context) []models.Listed {
	ctx, cancel := context.WithTimeout(ctx, viewPatience)
	defer cancel()
	return s.serverViews(ctx)
}

// serverViews are the servers as the models page shows them; those that are away hold nobody up beyond ctx.
func (s *Shop) serverViews(ctx context.Context) []models.Listed {
	c := s.Config.Get()
	all := servers.All(c.ModelServers, c.Provider)
	views := make([]models.Listed, len(all))
	var asked sync.WaitGroup
	for n, v := range all {
		asked.Go(func() { views[n] = s.serverView(ctx, v) })
	}
	asked.Wait()
	return views
}

func (s *Shop) serverView(ctx context.Context, v servers.Server) models.Listed {
	c := s.Config.Get()
	view := models.Listed{Server: v, Settled: v.Settled(), Health: models.HealthOff, Models: []string{}}
	key := serverKey(v.Name)
	switch v.Name {
	case ollama.Name:
		view.Address, view.Model, view.Parallel = s.ollamaHost(), c.Model, c.Parallel
	case openai.Name:
		view.Address, view.Model, view.Parallel, key = c.OpenAIBase, c.Model, c.Parallel, openAIKey
	}
	place := s.models.keys.Where(key)
	view.KeySet, view.KeyPlace = place != secret.Nowhere, string(place)
	if v.Off || view.Address == "" {
		return view
	}
	p := s.serverProvider(v)
	status := p.Status(ctx)
	view.Health, view.Reason, view.Breaker, view.Serves = string(status.Health), string(status.Reason), status.Breaker, status.Model
	view.Detail = failover.Sentence(p, status, c.Lang)
	if status.Health == provider.HealthOK {
		have, _ := p.Models(ctx) // what goes wrong is in the status, or will be at the next look
		for _, m := range have {
			if !m.Embedding {
				view.Models = append(view.Models, m.Name)
			}
		}
	}
	speed := s.speedOf(v.Name, status.Model)
	view.Reads, view.Writes, view.Requests = speed.Reads, speed.Writes, speed.Requests
	return view
}

// SaveServer adds a model server to the list or changes the one of its name; a new one stands last. A key that is given is kept in the keyring; "" leaves
// what is kept, unless its kind or address changes, which its key does not outlive. Of a server with settings of its own only its place, Spare and Off are kept. Errors: invalid_setting, invalid_args, storage errors.
func (s *Shop) SaveServer(ctx context.Context, v servers.Server, key string) error {
	v.Name = strings.TrimSpace(v.Name)
	return s.editServers(func(list []servers.Server) ([]servers.Server, error) {
		if err := servers.CheckName(v.Name); err != nil {
			return nil, wrongServer(err)
		}
		i := slices.IndexFunc(list, func(o servers.Server) bool { return o.Name == v.Name })
		switch {
		case v.Settled() && key != "":
			return nil, wrongServer(bilingual.WrongOf("그 이름의 서버는 따로 정하는 주소와 열쇠가 있어요: "+v.Name, "the server of that name has an address and a key of its own settings: "+v.Name))
		case !v.Settled() && (i < 0 || list[i].Kind != v.Kind || list[i].Address != v.Address):
			// A key is for whom it was given: it goes before anything is asked of another server of that name.
			if err := s.models.keys.Delete(serverKey(v.Name)); err != nil {
				return nil, err
			}
		}
		if i >= 0 {
			list[i] = v
		} else {
			list = append(list, v)
		}
		return list, nil
	}, func() error {
		if key == "" || v.Settled() {
			return nil
		}
		return s.SetServerKey(ctx, v.Name, key)
	})
}

// RemoveServer takes a server off the list, with its key and what was measured of it. One with settings of its own is switched off. Errors: not_found,
// storage errors.
func (s *Shop) RemoveServer(ctx context.Context, name string) error {
	return s.editServers(func(list []servers.Server) ([]servers.Server, error) {
		i := slices.IndexFunc(list, func(o servers.Server) bool { return o.Name == name })
		switch {
		case i < 0:
			return nil, noServer(name)
		case list[i].Settled():
			list[i].Off = true
			return list, nil
		}
		return slices.Delete(list, i, i+1), nil
	}, func() error {
		if servers.Settled(name) {
			return nil
		}
		f := &s.models.fleet
		f.keep.Flush()
		f.mu.Lock()
		for k := range f.speeds {
			if k[0] == name {
				delete(f.speeds, k)
			}
		}
		f.mu.Unlock()
		if err := s.store.DropServerSpeeds(ctx, name); err != nil {
			return err
		}
		return s.models.keys.Delete(serverKey(name))
	})
}

// UseModel has a model answer wherever no other was chosen: its server comes first, is on and not spare. Errors: not_found, invalid_setting,
// storage errors.
func (s *Shop) UseModel(name, model string) error {
	set := map[string]any{}
	return s.changeServers(func(list []servers.Server) ([]servers.Server, error) {
		i := slices.IndexFunc(list, func(o servers.Server) bool { return o.Name == name })
		if i < 0 {
			return nil, noServer(name)
		}
		first := list[i]
		first.Off, first.Spare = false, false
		switch {
		case !first.Settled():
			first.Model, set[config.KeyProvider] = model, failover.Auto
		case name == openai.Name || s.Config.Get().Provider != failover.Auto: // the one that may cost money is named, not guessed
			set[config.KeyModel], set[config.KeyProvider] = model, name
		default:
			set[config.KeyModel] = model
		}
		return slices.Insert(slices.Delete(list, i, i+1), 0, first), nil
	}, set, nil)
}

// OrderServers puts the servers in the order of names; those that are not named stand behind. Errors: storage errors.
func (s *Shop) OrderServers(names []string) error {
	return s.editServers(func(list []servers.Server) ([]servers.Server, error) {
		place := func(v servers.Server) int {
			if i := slices.Index(names, v.Name); i >= 0 {
				return i
			}
			return len(names)
		}
		slices.SortStableFunc(list, func(a, b servers.Server) int { return place(a) - place(b) })
		return list, nil
	}, nil)
}

// SetServerKey keeps the key of a server; "" forgets it. Errors: invalid_args, storage errors.
func (s *Shop) SetServerKey(ctx context.Context, name, key string) error {
	if name == openai.Name {
		return s.SetOpenAIKey(ctx, key)
	}
	err := s.models.keys.Set(ctx, serverKey(name), key)
	if p, ok := s.serverProvider(s.serverSettings(name)).(interface{ Renew() }); ok && s.serverSettings(name).Name != "" {
		p.Renew()
	}
	s.failover.Wake()
	return err
}

// TestServer looks how a server is and, where it is well, has it write a few words, so that its speed is measured. Errors: not_found, and those of
// the server.
func (s *Shop) TestServer(ctx context.Context, name string) (models.Listed, error) {
	c := s.Config.Get()
	all := servers.All(c.ModelServers, c.Provider)
	i := slices.IndexFunc(all, func(v servers.Server) bool { return v.Name == name })
	if i < 0 {
		return models.Listed{}, noServer(name)
	}
	v := all[i]
	v.Off = false
	view := s.serverView(ctx, v)
	view.Off = all[i].Off
	if view.Health != string(provider.HealthOK) {
		return view, nil
	}
	speed, err := s.tryServer(ctx, s.serverProvider(v), c.Lang)
	if err != nil {
		return view, err
	}
	view.Reads, view.Writes, view.Requests = speed.Reads, speed.Writes, speed.Requests
	s.failover.Wake()
	return view, nil
}

// tryWords are what a server is asked for when it is tried.
var tryWords = bilingual.Of("하나부터 열다섯까지 세어 주세요.", "Count from one to fifteen.")

func (s *Shop) tryServer(ctx context.Context, p provider.Provider, lang bilingual.Lang) (interpreter.Speed, error) {
	req := provider.Request{ID: newID(), Role: provider.RoleReporter, Lang: lang, Now: s.now(), Message: tryWords.In(lang)}
	reply, err := p.Chat(ctx, req, nil)
	if err != nil && apperr.CodeOf(err) != apperr.ModelBadOutput {
		return interpreter.Speed{}, err
	}
	before := s.speedOf(p.Name(), reply.Model)
	if wrote := (reply.Elapsed - reply.FirstToken).Seconds(); before.Requests == 0 && reply.TokensOut > 1 && wrote > 0 {
		before.Writes = float64(reply.TokensOut-1) / wrote
		if read := reply.FirstToken.Seconds(); read > 0 {
			before.Reads = float64(reply.TokensIn-reply.TokensCached) / read
		}
		before.Requests = 1
		s.speedMeasured(p.Name(), reply.Model, before)
	}
	return before, nil
}

func noServer(name string) error {
	return apperr.New(apperr.NotFound, "what", bilingual.Text{KO: "모델 서버", EN: "model server"}, "id", name)
}

// editServers changes the list of servers as it is used; those with settings of their own stand in it from then on.
func (s *Shop) editServers(change func([]servers.Server) ([]servers.Server, error), then func() error) error {
	return s.changeServers(change, map[string]any{}, then)
}

// changeServers is editServers with other settings that change at the same time; change may add to them.
func (s *Shop) changeServers(change func([]servers.Server) ([]servers.Server, error), set map[string]any, then func() error) error {
	s.models.fleet.edit.Lock()
	defer s.models.fleet.edit.Unlock()
	c := s.Config.Get()
	list, err := change(servers.All(c.ModelServers, c.Provider))
	if err != nil {
		return err
	}
	set[config.KeyModelServers] = servers.Encode(list)
	if _, err = s.Config.Set(set); err != nil {
		return err
	}
	if then != nil {
		err = then()
	}
	s.Bus.Publish(event.Of("", "", event.ModelsChanged{}))
	return err
}

func wrongServer(err error) error {
	return apperr.New(apperr.InvalidArgs, "detail", err)
}
