package shop

import (
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/toolbox"
)

// applySettings brings the toolbox to what the settings say.
func (s *Shop) applySettings() error {
	c := s.Config.Get()
	for _, spec := range s.box.Specs() {
		err := s.box.Override(spec.Key, overrideOf(c.Tools[spec.Key]))
		if err != nil && apperr.CodeOf(err) != apperr.UnknownTool { // a tool from outside may go at any time
			return err
		}
	}
	for group, capacity := range c.Groups {
		if err := s.box.OverrideGroup(group, &capacity); err != nil {
			return err
		}
	}
	for _, rack := range s.box.Inventory().Groups {
		if _, set := c.Groups[rack.Group]; !set { // nothing is set any more
			if err := s.box.OverrideGroup(rack.Group, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

func overrideOf(o config.ToolOverride) toolbox.Override {
	out := toolbox.Override{Capacity: o.Capacity, Group: o.Group, Enabled: o.Enabled}
	if o.Confirm != nil {
		confirm := toolbox.Confirm(*o.Confirm)
		out.Confirm = &confirm
	}
	return out
}

// followSettings makes every change take effect at once and tells the fronts.
func (s *Shop) followSettings() (stop func() error) {
	log := s.Log.Component("settings")
	cancel := s.Config.Subscribe(func(old, current config.Settings, changed map[string]any) {
		if old.Workers != current.Workers {
			s.jobs.SetWorkers(current.Workers)
		}
		if old.LogLevel != current.LogLevel {
			if err := s.Log.SetLevel(current.LogLevel); err != nil {
				log.Warn().Err(err).Msg("log level")
			}
		}
		if old.Paused != current.Paused {
			s.pause(current.Paused)
		}
		if old.GuestsOpen != current.GuestsOpen || old.GuestsPort != current.GuestsPort {
			s.followGuests()
		}
		if old.BranchesPort != current.BranchesPort || old.BranchesAddress != current.BranchesAddress {
			s.branches.Follow()
		}
		if old.PagerOpen != current.PagerOpen || old.PagerPort != current.PagerPort {
			s.followPager()
		}
		if old.Updates != current.Updates || old.Offline && !current.Offline {
			s.updates.Wake()
		}
		if old.Offline != current.Offline {
			s.goOffline(current.Offline)
		}
		if onlyAtHand(changed) {
			s.models.engine.Wake()
			s.Bus.Publish(event.Of("", "", event.ConfigChanged{Changed: changed}))
			return
		}
		s.chooseServers() // an address or a model may have changed: look again
		s.library.LookAgain()
		s.interp.Recount()
		s.readIns.Wake()
		for group := range old.Groups {
			if _, still := current.Groups[group]; !still {
				if err := s.box.OverrideGroup(group, nil); err != nil {
					log.Warn().Err(err).Msg("group capacity")
				}
			}
		}
		if err := s.applySettings(); err != nil {
			log.Warn().Err(err).Msg("tool settings")
		}
		if !slices.Equal(old.Folders, current.Folders) {
			s.endFileGrants()
		}
		s.models.engine.Wake()
		s.Bus.Publish(event.Of("", "", event.ConfigChanged{Changed: changed}))
	})
	return func() error { cancel(); return nil }
}

// Settings lists every setting for the settings page and the config command. One that belongs to a tool is called as its manual calls the tool.
func (s *Shop) Settings() config.View {
	view := s.Config.View()
	for i, item := range view.Settings {
		tool, ok := config.ToolOf(item.Key)
		if !ok {
			continue
		}
		spec, err := s.box.Spec(tool)
		if err != nil {
			continue // it was taken out meanwhile
		}
		title := &view.Settings[i].Title
		title.KO = strings.Replace(title.KO, tool, spec.Title.KO, 1)
		title.EN = strings.Replace(title.EN, tool, spec.Title.EN, 1)
	}
	return view
}

// SetSettings changes settings at once and keeps them; null brings back the default. All are changed or none. Errors:
// invalid_setting, unknown_tool, storage errors.
func (s *Shop) SetSettings(values map[string]any) (config.View, error) {
	_, err := s.Config.Set(values)
	return s.Settings(), err
}
