package shop

import (
	"fmt"
	"path/filepath"

	"agentchat/backend/config"
	"agentchat/backend/engine"
	"agentchat/backend/event"
	"agentchat/backend/models"
	"agentchat/backend/provider/failover"
	"agentchat/backend/provider/ollama"
)

// openEngine makes the shop's own engine, where there is one, and the list of models worth having; it does nothing before start.
func (s *Shop) openEngine(o Options) {
	s.models.list = models.NewList(s.Config.Get().DataDir)
	dir := filepath.Join(s.Config.Get().DataDir, "engine")
	s.models.engine = engine.New(engine.Options{
		Program: o.Engine, Dir: dir, LogFile: s.ollamaLog(), Wanted: s.wantsEngine, Usual: s.usualOllama(), Changed: s.engineChanged, Log: s.Log.Component("engine"),
	})
}

// ollamaLog is the file that the output of an Ollama goes to that was started here.
func (s *Shop) ollamaLog() string {
	return filepath.Join(s.Config.Get().DataDir, "logs", "ollama.log")
}

// usualOllama is where a person's own Ollama would be.
func (s *Shop) usualOllama() string { return fmt.Sprint(s.Config.Default(config.KeyOllamaHost)) }

// wantsEngine tells whether the engine may serve: nobody chose another address or another interpreter.
func (s *Shop) wantsEngine() bool {
	c := s.Config.Get()
	return c.OllamaHost == s.usualOllama() && (c.Provider == failover.Auto || c.Provider == ollama.Name)
}

// hasEngine tells whether there is an engine that may serve.
func (s *Shop) hasEngine() bool { return s.models.engine.Program() != "" && s.wantsEngine() }

// ollamaHost is where Ollama is: the engine, while it runs, else the address that is set.
func (s *Shop) ollamaHost() string {
	if addr := s.models.engine.Addr(); addr != "" {
		return addr
	}
	return s.Config.Get().OllamaHost
}

// lookPath finds an Ollama that is installed; where there is none, an engine of our own counts as one as long as it may serve.
func (s *Shop) lookPath(look func(string) (string, error)) func(string) (string, error) {
	if look == nil {
		look = ollama.LookPath
	}
	return func(program string) (string, error) {
		path, err := look(program)
		if err != nil && s.hasEngine() {
			return s.models.engine.Program(), nil
		}
		return path, err
	}
}

// engineChanged tells that the engine came, went or could not stay, and looks who can be on duty now.
func (s *Shop) engineChanged() {
	s.Bus.Publish(event.Of("", "", event.ModelsChanged{}))
	s.failover.Wake()
}

// engineModels is the folder of the engine's models while it serves; "": another serves.
func (s *Shop) engineModels() string {
	if s.models.engine.Addr() == "" {
		return ""
	}
	return s.models.engine.Models()
}
