package models

import (
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/failover"
	"agentchat/backend/provider/openai"
)

// local tells whether a provider is on this computer, where this program can see and start it.
func local(p provider.Provider) bool {
	near, ok := p.(interface{ Local() bool })
	return ok && near.Local()
}

// TroubleOf is how a provider is, with the one action that helps.
func TroubleOf(p provider.Provider, status provider.Status, host string, lang bilingual.Lang) Trouble {
	return Trouble{
		Provider: p.Name(), Model: status.Model, Health: string(status.Health), Reason: string(status.Reason),
		Detail: failover.Sentence(p, status, lang), Host: host, Local: local(p), Action: actionOf(p, status.Reason),
	}
}

func actionOf(p provider.Provider, reason provider.Reason) Action {
	switch reason {
	case provider.ReasonNotInstalled:
		return ActionInstall
	case provider.ReasonNotRunning:
		return ActionStart
	case provider.ReasonNothingThere, provider.ReasonWrongAddress:
		return ActionAddress
	case provider.ReasonNoModel:
		return ActionPull
	case provider.ReasonRefused:
		if p.Name() == openai.Name {
			return ActionKey
		}
		return ActionPull // a model that does not fit into memory: a smaller one does
	case provider.ReasonNotAnswering, provider.ReasonLoading: // waiting, or restarting it, which nobody can from here
	}
	return ActionNone
}
