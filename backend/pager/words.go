package pager

import (
	"agentchat/backend/ask"
	"agentchat/backend/job"
	"agentchat/backend/language/bilingual"
)

var labels = map[string]bilingual.Text{
	ask.ChoiceApprove:  {KO: "승인", EN: "Approve"},
	ask.ChoiceReject:   {KO: "거절", EN: "Turn down"},
	ask.ChoiceWait:     {KO: "기다리기", EN: "Wait"},
	ask.ChoiceCancel:   {KO: "이 일 취소", EN: "Cancel this job"},
	ask.ChoiceRunAgain: {KO: "다시 하기", EN: "Do it again"},
	ask.ChoiceHappened: {KO: "이미 끝났어요", EN: "It happened already"},
	ask.ChoiceStop:     {KO: "그만두기", EN: "Stop"},
}

var states = map[job.State]bilingual.Text{
	job.Queued:  {KO: "차례를 기다려요", EN: "In line"},
	job.Running: {KO: "하고 있어요", EN: "Running"},
	job.Waiting: {KO: "기다려요", EN: "Waiting"},
}

var (
	onlyThere = bilingual.Of("여기서 다 보여 드릴 수 없어요. 컴퓨터의 창에서 답해 주세요.", "Not all of this can be shown here. Please answer it in the window on the computer.")
	typed     = bilingual.Of("답", "Answer")
)

// words are what the page says of itself, in the shop's language.
func (p *Pager) words() map[string]string {
	lang := p.deps.Lang()
	w := map[string]string{"lang": string(lang)}
	for key, text := range map[string]bilingual.Text{
		"title":   {KO: "진동벨", EN: "Pager"},
		"waits":   {KO: "답을 기다려요", EN: "Waits for you"},
		"runs":    {KO: "하고 있는 일", EN: "Running"},
		"nothing": {KO: "기다리는 질문이 없어요.", EN: "Nothing waits for you."},
		"idle":    {KO: "하고 있는 일이 없어요.", EN: "Nothing is running."},
		"more":    {KO: "더 있는 질문", EN: "More questions"},
		"send":    {KO: "보내기", EN: "Send"},
		"sent":    {KO: "답을 전했어요.", EN: "Your answer was passed on."},
		"away":    {KO: "컴퓨터와 연결이 끊겼어요. 다시 찾고 있어요.", EN: "The computer cannot be reached. Trying again."},
		"pair":    {KO: "이 휴대폰을 진동벨로 쓸까요?", EN: "Use this phone as a pager?"},
		"pairing": {
			KO: "컴퓨터의 창에 보이는 그림을 찍어서 왔다면 짝을 지어 주세요. 그러면 이 휴대폰이 기다리는 질문과 하고 있는 일을 보여 주고, 답을 전해요.",
			EN: "If you came here by the picture in the window on your computer, pair this phone. It will show the questions that wait and the jobs that run, and pass your answers on.",
		},
		"name":   {KO: "휴대폰 이름", EN: "Name of the phone"},
		"mine":   {KO: "내 휴대폰", EN: "My phone"},
		"yes":    {KO: "짝짓기", EN: "Pair"},
		"no":     {KO: "아직 짝짓지 않았어요. 컴퓨터의 창에서 설정 → 진동벨을 열고, ‘휴대폰 짝짓기’의 그림을 이 휴대폰으로 찍어 주세요.", EN: "This phone is not paired. In the window on your computer open Settings → Pager, press “Pair a phone”, and point this phone's camera at the picture."},
		"leave":  {KO: "짝 끊기", EN: "Unpair"},
		"sure":   {KO: "짝을 끊으면 이 휴대폰은 아무것도 보지 못해요. 끊을까요?", EN: "Once unpaired, this phone sees nothing more. Unpair it?"},
		"failed": {KO: "전하지 못했어요. 다시 해 주세요.", EN: "That could not be passed on. Please try again."},
	} {
		w[key] = text.In(lang)
	}
	return w
}
