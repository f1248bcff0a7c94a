package interpreter

import (
	"agentchat/backend/language/bilingual"
	"agentchat/backend/provider"
)

// inLine says that a call waits for the model.
var inLine = bilingual.Of("모델 차례를 기다리는 중", "In line for the model")

// labels say to people what a role is doing.
var labels = map[provider.Role]bilingual.Text{
	provider.RolePlanner:     bilingual.Of("요청을 읽고 계획하는 중", "Reading and planning"),
	provider.RoleIntent:      bilingual.Of("의도 파악 중", "Understanding the intent"),
	provider.RoleSlot:        bilingual.Of("정보 추출 중", "Reading the details"),
	provider.RoleToolChooser: bilingual.Of("공구에 넣을 값을 고르는 중", "Filling in the tool's values"),
	provider.RoleSolver:      bilingual.Of("생각하는 중", "Thinking"),
	provider.RoleLibrarian:   bilingual.Of("문서를 어떻게 찾을지 살피는 중", "Judging what to look up"),
	provider.RoleSummarizer:  bilingual.Of("대화를 요약하는 중", "Summing up the conversation"),
	provider.RoleReporter:    bilingual.Of("결과를 정리하는 중", "Writing the report"),
	provider.RolePrompt:      bilingual.Of("프롬프트에 답하는 중", "Answering the prompt"),
	provider.RoleOutside:     bilingual.Of("바깥 서버가 부탁한 글을 쓰는 중", "Writing what an outside server asked for"),
	provider.RoleResponder:   bilingual.Of("문서를 읽고 답을 쓰는 중", "Writing an answer from the documents"),
}
