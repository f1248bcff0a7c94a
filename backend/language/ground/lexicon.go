package ground

import (
	"agentchat/backend/language/wordlist"
)

// nobody are words that stand for a person without naming one, the customer among them.
var nobody = wordlist.Of(`나 저 내 제 너 네 니 자기 자기자신 자신 본인 누구 누군가 아무 아무나 걔 얘 쟤 그 이 그녀 당신 그대 여러분 모두 다 전부 둘 셋 넷 다들 둘다 사람 분 놈 애 서로 각자 상대 상대방 그쪽 이쪽 저쪽
	거기 여기 저기 어디 그분 이분 저분 그사람 이사람 저사람 그애 그놈 다른사람 우리 저희 너희 그들 걔네 얘네 사람들 이거 그거 저거 이것 그것 저것 하나
	me myself him her them us you it himself herself themselves someone somebody anyone everyone everybody nobody who whom that this there here those these one both all`)

// purposes are what money is for; beside an amount they are no name.
var purposes = wordlist.Of(`돈 용돈 회비 월세 생활비 축의금 조의금 부의금 식비 밥값 점심값 저녁값 아침값 커피값 술값 교통비 관리비 병원비 학원비 선물 생일선물 생일 금액 액수 총 총액 합계 합쳐서 합해서 합쳐 도합 전부 모두 각각 각자 메모 적요 날짜
	이체 송금 입금 출금 계좌 통장 잔액 한도 수수료 비밀번호 세뱃돈 보증금 계약금 잔금 이자 원금 대출금 대출 카드값 전기세 수도세 가스비 통신비 택시비 비용 값 매달 매월 매주 매일 정확히 딱 약 대략 추가로 더 또 다시 급하게 빨리
	방금 아까 지난번 나머지 현금 최대 최소 겨우 고작 무려 거의 그냥 일단 우선 먼저 조금 좀 바로 지금 당장 이따 이따가 나중에 아니 아냐 아니다 아니야 참 앗 음 어 아 네 예 응 그럼 그러면 그래 그리고 또는 혹은 아니면 근데 그런데 오케이 얼마 몇
	후원금 기부금 과외비 레슨비 회식비 여행비 숙박비 주유비 보험료 등록금 학비 경조사비 벌금 과태료 간식비 간식값 책값 옷값 꽃값 약값 방값 집세 전세금 적금 예금 펀드 주식
	rent money cash dinner lunch breakfast coffee food gift birthday fee fees allowance tuition bill bills amount total sum memo note balance deposit payment transfer`)

// stops are words of the request that never belong to a name.
var stops = wordlist.Of(`보내 보내줘 보내주세요 보내줄래 보낼게 보낼래 이체해줘 이체해 송금해줘 송금해 입금해줘 부쳐줘 쏴줘 줘 주세요 해줘 부탁해 부탁 말고 아니고 아니라 대신 빼고 바꿔줘 변경 변경해줘 수정 취소 확인 앞으로 한테 에게 께 씩 원 만 에서 정도 쯤 까지 부터 은 는 을 를 이 가 으로 로 와 과 하고 도 및
	받는 보내는 수취인 수신인 사람은 분은 안녕 안녕하세요 고마워 고마워요 감사합니다 이번 다음 지난 오늘 내일 있잖아 혹시 잠깐 잠깐만 그 저 사랑하는 예정 예약 예약해줘 건 꼭 제발 얼른 어서 같이 함께 마저`)

// englishStop are English words that end a name.
var englishStop = wordlist.Of(`to from for and or but with without by at in on of as the a an my our your his its is are was be it that this not no yes ok okay please pls thanks thank you send pay give wire transfer remit
	some money cash won krw each apiece dollars tomorrow today tonight yesterday now next week month day days later soon then also too actually wait sorry instead rather make change cancel confirm memo note saying says say labeled
	monday tuesday wednesday thursday friday saturday sunday i i'd i'll want would like need could can will let's let me how much many when where what who do does did don't just about around maybe half more less again asap right away immediately account bank another other same amount first second last only total both everyone after before via using through name back over out up`)

// relations are people without a name of their own.
var relations = wordlist.Of(`엄마 아빠 어머니 아버지 어머님 아버님 할머니 할아버지 외할머니 외할아버지 부모님 형 누나 오빠 언니 동생 여동생 남동생 막내 이모 고모 삼촌 외삼촌 숙모 이모부 고모부 큰아버지 큰어머니 작은아버지 작은어머니 사촌 조카 아들 딸 남편 아내 와이프 신랑 여보 자기야 장모님 장인어른 시어머니 시아버지 며느리 사위 손자 손녀
	친구 여자친구 남자친구 여친 남친 집주인 주인 주인집 사장님 사장 부장님 부장 과장님 과장 대리님 대리 팀장님 팀장 차장님 이사님 대표님 선생님 교수님 원장님 기사님 실장님 아저씨 아주머니 아줌마 이웃 룸메이트 룸메 총무 총무님 회장님 선배 선배님 후배 동료 동기 스승님 목사님 스님 신부님 간호사님 의사선생님 관리인 경비아저씨
	mom mum mommy mother dad daddy father grandma grandpa brother sister wife husband son daughter uncle aunt boss landlord friend roommate teacher cousin boyfriend girlfriend parents`)

// family are relations that do not own one another: 엄마 아빠 are two people, 엄마 친구 is one.
var family = wordlist.Of(`엄마 아빠 어머니 아버지 할머니 할아버지 외할머니 외할아버지 형 누나 오빠 언니 동생 여동생 남동생 이모 고모 삼촌 외삼촌 아들 딸 남편 아내`)

// titles stand behind a name.
var titles = wordlist.Of(`씨 군 양 형 누나 오빠 언니 이모 고모 삼촌 엄마 아빠 어머니 아버지 할머니 할아버지 아저씨 아주머니 아줌마 부장 과장 대리 사장 팀장 차장 이사 교수 원장 기사 실장 주임 사원 대표 소장 회장 국장 여사 총무 선배 후배 사모 반장 선생`)

// groups stand before a name and tell which circle it is from.
var groups = wordlist.Of(`친구 동생 회사 직장 동료 후배 선배 남자친구 여자친구 사촌 조카 막내 첫째 둘째 셋째 옆집 윗집 아랫집 앞집 동아리 학교 학원 부동산 과외 교회 동네 대학 고등학교 중학교 군대 헬스장`)

// institution are no people: their accounts are somebody else's.
var institution = wordlist.Of(`국민 신한 우리 하나 농협 기업 은행 국민은행 신한은행 우리은행 하나은행 농협은행 기업은행 카카오 카카오뱅크 토스 토스뱅크 케이뱅크 내 제 다른 새 주거래 월급 적금 예금 급여 본인 해당 그 이 저`)

const surnames = "김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용"

// answerLead are words before a bare answer.
var answerLead = wordlist.Of(`음 어 아 네 예 응 저기 그럼 좀 그냥 아니 아니다 참 이번엔 um uh oh ok okay well please`)
