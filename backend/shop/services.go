package shop

import (
	"context"
	"encoding/json"
	"path/filepath"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/manager"
	"agentchat/backend/service"
	"agentchat/backend/toolbox"
)

// servicesFolder is where a person's own services lie, in the data folder.
const servicesFolder = "services"

// mostRecords is how many records of a service are looked at for a name.
const mostRecords = 200

// openServices reads the services of the counter. A manifest that is bad is logged and listed; the shop opens all the same.
func (s *Shop) openServices() (err error) {
	settings := s.Config.Get()
	s.services, err = service.NewBook(filepath.Join(settings.DataDir, servicesFolder), s.knowsTool)
	if err != nil {
		return err
	}
	s.services.Examine(s.refused)
	s.services.Foretell(s.foretold)
	s.services.Names(func(id, key, name string) []string {
		list, err := s.store.ListRecords(context.Background(), id, mostRecords)
		if err != nil {
			return nil
		}
		return service.Names(list, key, name)
	})
	log := s.Log.Component("services")
	for _, p := range s.services.Problems() {
		log.Warn().Str("file", p.File).Int("line", p.Line).Str("why", p.Text(settings.Lang)).Msg("a service was refused")
	}
	return nil
}

// refused has a tool say what it would not carry out of a task as far as that is known.
func (s *Shop) refused(key string, args json.RawMessage, lang bilingual.Lang) map[string]string {
	tool, err := s.box.Tool(key)
	if err != nil {
		return nil
	}
	examiner, ok := tool.(toolbox.Examiner)
	if !ok {
		return nil
	}
	wrong := map[string]string{}
	for arg, err := range examiner.Examine(context.Background(), args) {
		wrong[arg] = apperr.From(err).Text(lang)
	}
	return wrong
}

// foretold has a tool say what there will be after a task.
func (s *Shop) foretold(key string, args json.RawMessage, lang bilingual.Lang) string {
	tool, err := s.box.Tool(key)
	if err != nil {
		return ""
	}
	if foreteller, ok := tool.(toolbox.Foreteller); ok {
		return foreteller.Foretell(context.Background(), args, lang)
	}
	return ""
}

// counter is the service counter as the manager uses it.
func (s *Shop) counter() *manager.Counter {
	return &manager.Counter{Book: s.services, Extractor: s.interp, Read: s.read, Done: s.rememberEffect}
}

// Services lists the services of the counter, and the manifests that were refused with what to fix.
func (s *Shop) Services() []service.Info { return s.services.List(s.Config.Get().Lang) }

// read runs a tool that only reads, without a job, for a question that code answers.
func (s *Shop) read(ctx context.Context, key, chat string, lang bilingual.Lang, args map[string]any) ([]byte, error) {
	spec, err := s.box.Spec(key)
	if err != nil {
		return nil, err
	}
	if spec.Off {
		return nil, apperr.New(apperr.ToolOff, "tool", spec.Title)
	}
	if spec.Effect != toolbox.EffectRead {
		return nil, apperr.New(apperr.InvalidArgs, "detail", key+" does more than read")
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, apperr.Wrap(err, apperr.Internal)
	}
	if args == nil {
		raw = nil
	}
	if raw, err = s.box.ValidateArgs(key, raw); err != nil {
		return nil, err
	}
	tool, err := s.box.Tool(key)
	if err != nil {
		return nil, err
	}
	result, err := tool.Run(ctx, toolbox.Call{
		Chat: chat, Lang: lang, Args: raw, Log: func(string, string) {}, Media: func(event.Media) {},
	})
	if err != nil {
		return nil, err
	}
	return s.box.ValidateResult(key, result.Data)
}
