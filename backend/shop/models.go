package shop

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"agentchat/backend/engine"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/models"
	"agentchat/backend/provider"
	"agentchat/backend/provider/failover"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/provider/openai"
	"agentchat/backend/secret"
)

// viewPatience bounds how long the models page waits for servers that do not answer.
const viewPatience = 4 * time.Second

// modelService is what the models page works with.
type modelService struct {
	ollama *ollama.Provider
	openai *openai.Provider
	keys   *secret.Store
	pulls  *models.PullQueue
	engine *engine.Engine // the shop's own
	list   *models.List   // those worth trying
	fleet  fleet          // the servers that were added

	mu   sync.Mutex
	seen []provider.Model // the models when somebody last looked
}

// newPullQueue makes the desk of the downloads; it does nothing before start.
func (s *Shop) newPullQueue() *models.PullQueue {
	return models.NewPullQueue(models.Deps{
		Server: s.models.ollama, Store: s.store, Publisher: s.Bus, Lang: func() bilingual.Lang { return s.Config.Get().Lang },
		Free: func() (int64, bool) {
			if !s.models.ollama.Local() {
				return 0, false
			}
			return models.FreeDisk(s.engineModels())
		},
		Pulled: s.modelsChanged, Log: s.Log.Component("models"),
	})
}

// modelsChanged tells that a model came, went, or moved in or out of memory, and looks who can be on duty now.
func (s *Shop) modelsChanged(model string) {
	s.readIns.Wake()
	s.Bus.Publish(event.Of("", "", event.ModelsChanged{Model: model}))
	s.failover.Wake()
}

// seenModels hears what Ollama has whenever somebody looks: a request or another program may have changed it. A server
// that is there may go on with the downloads that wait for it.
func (s *Shop) seenModels(list []provider.Model) {
	room := &s.models
	room.mu.Lock()
	changed := room.seen != nil && !slices.Equal(room.seen, list)
	before := room.seen
	room.seen = list
	room.mu.Unlock()
	if changed {
		s.readIns.moved(unloaded(before, list)...)
		s.Bus.Publish(event.Of("", "", event.ModelsChanged{}))
		s.library.LookAgain()
	}
	room.pulls.Wake()
}

// unloaded are the models that were in memory before and are not now.
func unloaded(before, now []provider.Model) (names []string) {
	for _, m := range before {
		if m.Loaded && !slices.ContainsFunc(now, func(n provider.Model) bool { return n.Loaded && n.Name == m.Name }) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Models is everything the models page shows. A server that is away is no error: the view says so.
func (s *Shop) Models(ctx context.Context) (models.View, error) {
	ctx, cancel := context.WithTimeout(ctx, viewPatience)
	defer cancel()
	c, room := s.Config.Get(), &s.models
	remote := make(chan models.Trouble, 1)
	go func() { remote <- s.openAITrouble(ctx) }()
	fleet := make(chan []models.Listed, 1)
	go func() { fleet <- s.serverViews(ctx) }()

	status := room.ollama.Status(ctx)
	var have []ollama.Details
	if status.Health != provider.HealthUnreachable {
		have, _ = room.ollama.Installed(ctx) // what goes wrong is in the status, or will be at the next look
	}
	v := models.View{
		Trouble: models.TroubleOf(room.ollama, status, s.ollamaHost(), c.Lang), Engine: s.models.engine.View(), OnDuty: s.failover.State(), Roles: models.Roles(c.Roles),
		Pulls: room.pulls.List(), RAM: models.ReadRAM(),
	}
	if !room.ollama.Local() { // another computer's memory cannot be seen from here
		v.RAM = models.RAM{}
	}
	v.Installed = models.ListInstalled(have, v.RAM, v.Roles, servingModel(c.Provider, status))
	names := make([]string, len(v.Installed))
	for i, m := range v.Installed {
		names[i] = m.Name
	}
	v.Recommended = room.list.Recommend(c.NumCtx, v.RAM, names)
	place := room.keys.Where(openAIKey)
	v.KeySet, v.KeyPlace = place != secret.Nowhere, string(place)
	v.OpenAI, v.Servers = <-remote, <-fleet
	return v, nil
}

// servingModel is the model that serves every role without one of its own, "" when Ollama serves none.
func servingModel(chosen string, status provider.Status) string {
	if chosen != failover.Auto && chosen != ollama.Name || status.Reason == provider.ReasonNoModel {
		return ""
	}
	return status.Model
}

// openAITrouble is how the OpenAI-compatible service is; off while no address is set.
func (s *Shop) openAITrouble(ctx context.Context) models.Trouble {
	c := s.Config.Get()
	if c.OpenAIBase == "" {
		return models.Trouble{Provider: openai.Name, Health: models.HealthOff, Action: models.ActionNone}
	}
	return models.TroubleOf(s.models.openai, s.models.openai.Status(ctx), c.OpenAIBase, c.Lang)
}

// PullModel downloads a model, or goes on with it. Errors: invalid_args, disk_short, storage errors; what the server says
// travels as model.pull events.
func (s *Shop) PullModel(ctx context.Context, name string) error {
	if err := s.store.ForgetAnswers(ctx, ""); err != nil { // the model of a name may become another
		return err
	}
	return s.models.pulls.Add(ctx, name, s.models.list.Needs(name))
}

// ImportModel makes a model of a GGUF file, in line with the downloads, and gives the name it will have. Errors: model_file_bad, not_found,
// disk_short, provider_unreachable (no Ollama is there to make it); what comes of it travels as model.pull events.
func (s *Shop) ImportModel(ctx context.Context, path string) (string, error) {
	file, err := models.ReadModelFile(path)
	if err != nil {
		return "", err
	}
	if s.hasEngine() { // it may be on its way
		if err := s.models.engine.Bring(ctx); err != nil {
			return "", err
		}
	}
	have, err := s.models.ollama.Models(ctx)
	if err != nil {
		return "", err
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(have, func(m provider.Model) bool { return ollama.SameModel(m.Name, name) })
	}
	first := file.Name
	for n := 2; taken(file.Name); n++ {
		file.Name = fmt.Sprintf("%s-%d", first, n)
	}
	return file.Name, s.models.pulls.AddFile(ctx, file)
}

// PausePull stops a download and keeps what has arrived. Errors: not_found, storage errors.
func (s *Shop) PausePull(ctx context.Context, name string) error {
	return s.models.pulls.Pause(ctx, name)
}

// ResumePull goes on with a paused or failed download. Errors: not_found, disk_short, storage errors.
func (s *Shop) ResumePull(ctx context.Context, name string) error {
	return s.models.pulls.Resume(ctx, name)
}

// CancelPull takes a download off the list. Errors: not_found, storage errors.
func (s *Shop) CancelPull(ctx context.Context, name string) error {
	return s.models.pulls.Cancel(ctx, name)
}

// DeleteModel removes a model from the disk. Errors: invalid_args, model_missing, provider_unreachable, provider_refused.
func (s *Shop) DeleteModel(ctx context.Context, name string) error {
	return s.withModel(name, func() error { return s.models.ollama.Delete(ctx, name) })
}

// LoadModel reads a model into memory and returns when it is there. Errors: those of DeleteModel, and model_timeout.
func (s *Shop) LoadModel(ctx context.Context, name string) error {
	return s.withModel(name, func() error { return s.models.ollama.Load(ctx, name) })
}

// UnloadModel frees the memory of a model. Errors: those of DeleteModel.
func (s *Shop) UnloadModel(ctx context.Context, name string) error {
	return s.withModel(name, func() error { return s.models.ollama.Unload(ctx, name) })
}

// withModel does something with a model and tells of it.
func (s *Shop) withModel(name string, do func() error) error {
	if err := models.CheckName(name); err != nil {
		return err
	}
	err := s.readIns.without(name, do)
	if err == nil {
		s.modelsChanged(name)
	}
	return err
}

// CheckProvider looks right now how Ollama is, and who can be on duty.
func (s *Shop) CheckProvider(ctx context.Context) (models.Trouble, error) {
	s.failover.Look(ctx)
	c := s.Config.Get()
	return models.TroubleOf(s.models.ollama, s.models.ollama.Status(ctx), s.ollamaHost(), c.Lang), nil
}

// StartOllama starts the shop's own engine, or else the Ollama that is installed on this computer, and waits until it answers. Its output
// goes to logs/ollama.log in the data folder. Errors: not_available (another computer's address, or not installed),
// provider_refused, provider_unreachable.
func (s *Shop) StartOllama(ctx context.Context) error {
	if s.hasEngine() {
		err := s.models.engine.Bring(ctx)
		s.failover.Look(ctx)
		return err
	}
	pid, err := s.models.ollama.Serve(ctx, s.ollamaLog())
	log := s.Log.Component("models")
	log.Info().Int("pid", pid).Err(err).Msg("starting Ollama")
	s.failover.Wake()
	return err
}

// SetOpenAIKey keeps the key of the OpenAI-compatible service in the system's keyring, or where there is none in a
// private file; "" forgets it. Errors: invalid_args, storage errors.
func (s *Shop) SetOpenAIKey(ctx context.Context, key string) error {
	err := s.models.keys.Set(ctx, openAIKey, key)
	s.models.openai.Renew()
	s.failover.Wake()
	return err
}
