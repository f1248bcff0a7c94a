package failover

import (
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
	"agentchat/backend/provider/openai"
	"agentchat/backend/provider/wire"
)

// reasons say to people why an interpreter is not on duty and what to do about it.
var reasons = map[provider.Reason]bilingual.Text{
	provider.ReasonNotInstalled: {KO: "이 컴퓨터에 설치되어 있지 않아요. 설치한 뒤 다시 확인해 주세요.", EN: "It is not installed on this computer. Install it, then check again."},
	provider.ReasonNotRunning:   {KO: "설치되어 있지만 꺼져 있어요. 실행해 주세요.", EN: "It is installed but not running. Start it."},
	provider.ReasonNotAnswering: {KO: "연결은 되지만 대답이 없어요. 다시 시작해 주세요.", EN: "It is there but does not answer. Restart it."},
	provider.ReasonNothingThere: {KO: "그 주소에서 아무것도 대답하지 않아요. 주소가 맞는지, 켜져 있는지 확인해 주세요.", EN: "Nothing answers at that address. Check that the address is right and that it is running."},
	provider.ReasonWrongAddress: {KO: "그 주소에는 다른 것이 있거나 아무것도 없어요. 설정에서 주소를 확인해 주세요.", EN: "Something else, or nothing, is at that address. Check the address in settings."},
	provider.ReasonNoModel:      {KO: "모델이 없어요. 모델을 내려받거나 다른 모델을 골라 주세요.", EN: "There is no model. Download one or choose another."},
	provider.ReasonLoading:      {KO: "모델을 메모리에 올리는 중이에요. 잠시만 기다려 주세요.", EN: "The model is being loaded. One moment please."},
	provider.ReasonRefused:      {KO: "모델을 돌리지 못했어요. 메모리가 모자라면 더 작은 모델을 골라 주세요.", EN: "It could not run the model. If memory is short, choose a smaller one."},
}

// refused is for a service that asks for a key.
var refused = bilingual.Text{
	KO: "요청을 거절했어요. 키가 맞는지 확인해 주세요.",
	EN: "It turned the request down. Check the key.",
}

// describe is how an interpreter is, for the fronts.
func (f *Failover) describe(p provider.Provider, status provider.Status) event.ProviderState {
	return event.ProviderState{
		Provider: p.Name(), Model: status.Model, Health: string(status.Health), Reason: string(status.Reason),
		Detail: Sentence(p, status, f.lang()),
	}
}

// Sentence says why an interpreter is as it is; the provider's own words where there is no sentence for it.
func Sentence(p provider.Provider, status provider.Status, lang bilingual.Lang) string {
	text, ok := reasons[status.Reason]
	switch {
	case !ok:
		return status.Detail
	case status.Reason == provider.ReasonRefused && p.Name() == openai.Name:
		text = refused
	}
	return text.In(lang)
}

// noticeOf tells the customer, once, that the provider they talk with cannot serve, so that the built-in one does. state
// is what the fronts show from now on: the missed one's, or the built-in one's when nobody insists on another.
func noticeOf(missed string, state event.ProviderState) *apperr.Error {
	switch provider.Health(state.Health) {
	case provider.HealthNoModel:
		return wire.Missing(nil, state.Model).Err
	case provider.HealthError:
		return wire.Refused(nil, missed, strings.TrimSuffix(state.Detail, ".")).Err
	case provider.HealthOK, provider.HealthStarting, provider.HealthUnreachable:
	}
	return apperr.New(apperr.ProviderUnreachable, "provider", missed)
}
