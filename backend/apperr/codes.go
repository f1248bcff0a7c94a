package apperr

import "agentchat/backend/language/bilingual"

// The codes. Their sentences stand in the table below; a test checks that none is without one.
const (
	Internal             Code = "internal"
	Canceled             Code = "canceled"
	Stopped              Code = "stopped"
	EmptyMessage         Code = "empty_message"
	MessageTooLong       Code = "message_too_long"
	BadCommand           Code = "bad_command"
	NotFound             Code = "not_found"
	StaleAnswer          Code = "stale_answer"
	AnswerAlone          Code = "answer_alone"
	DigestMismatch       Code = "digest_mismatch"
	BadChoice            Code = "bad_choice"
	InvalidArgs          Code = "invalid_args"
	InvalidSetting       Code = "invalid_setting"
	UnknownTool          Code = "unknown_tool"
	ToolOff              Code = "tool_off"
	TooComplex           Code = "too_complex"
	Refused              Code = "refused"
	Timeout              Code = "timeout"
	QueueFull            Code = "queue_full"
	WorkersBusy          Code = "workers_busy"
	JobEnded             Code = "job_ended"
	ProviderUnreachable  Code = "provider_unreachable"
	ProviderRefused      Code = "provider_refused"
	ModelMissing         Code = "model_missing"
	ModelFileBad         Code = "model_file_bad"
	ModelTimeout         Code = "model_timeout"
	ModelBadOutput       Code = "model_bad_output"
	ContextOverflow      Code = "context_overflow"
	ContextTruncated     Code = "context_truncated"
	ToolFailed           Code = "tool_failed"
	ToolPanic            Code = "tool_panic"
	Offline              Code = "offline"
	NothingLeaves        Code = "nothing_leaves"
	SearchOff            Code = "search_off"
	OutsideUnreadable    Code = "outside_unreadable"
	SearchFailed         Code = "search_failed"
	PlaceUnknown         Code = "place_unknown"
	MediaMissing         Code = "media_missing"
	BadExpression        Code = "bad_expression"
	NoConversion         Code = "no_conversion"
	RatesUnknown         Code = "rates_unknown"
	InDoubt              Code = "in_doubt"
	StorageFull          Code = "storage_full"
	DiskShort            Code = "disk_short"
	StorageCorrupt       Code = "storage_corrupt"
	RecordUnreadable     Code = "record_unreadable"
	StorageFailed        Code = "storage_failed"
	NotCarriedOut        Code = "not_carried_out"
	StorageBusy          Code = "storage_busy"
	StorageNewer         Code = "storage_newer"
	NotABackup           Code = "not_a_backup"
	NotAnExport          Code = "not_an_export"
	AlreadyRunning       Code = "already_running"
	TooManyFronts        Code = "too_many_fronts"
	GuestUnknown         Code = "guest_unknown"
	GuestLimit           Code = "guest_limit"
	GuestsOff            Code = "guests_off"
	BranchAway           Code = "branch_away"
	BranchCode           Code = "branch_code"
	BranchDeaf           Code = "branch_deaf"
	BranchOther          Code = "branch_other"
	BranchUnpaired       Code = "branch_unpaired"
	BranchUnreachable    Code = "branch_unreachable"
	TooManyBranches      Code = "too_many_branches"
	UseTooOld            Code = "use_too_old"
	PagerOff             Code = "pager_off"
	PagerCode            Code = "pager_code"
	PagerUnknown         Code = "pager_unknown"
	TooManyPhones        Code = "too_many_phones"
	AutostartFailed      Code = "autostart_failed"
	AlreadyTaken         Code = "already_taken"
	NothingKept          Code = "nothing_kept"
	RecordMissing        Code = "record_missing"
	RecordUnclear        Code = "record_unclear"
	CalendarUnreadable   Code = "calendar_unreadable"
	CalendarTooBig       Code = "calendar_too_big"
	NotAvailable         Code = "not_available"
	NoteMissing          Code = "note_missing"
	NoteUnclear          Code = "note_unclear"
	ChatBusy             Code = "chat_busy"
	OrderGoing           Code = "order_going"
	OrderOver            Code = "order_over"
	FavouriteTaken       Code = "favourite_taken"
	FavouritesFull       Code = "favourites_full"
	BlankUnreadable      Code = "blank_unreadable"
	NoDesktop            Code = "no_desktop"
	LinkRefused          Code = "link_refused"
	SamplingNoModel      Code = "sampling_no_model"
	SamplingRefused      Code = "sampling_refused"
	SamplingUnanswered   Code = "sampling_unanswered"
	SignInNeeded         Code = "sign_in_needed"
	SignInDeclined       Code = "sign_in_declined"
	SignInFailed         Code = "sign_in_failed"
	NoEmbedder           Code = "no_embedder"
	CheckpointsElsewhere Code = "checkpoints_elsewhere"
	InsufficientBalance  Code = "insufficient_balance"
	UnknownPayee         Code = "unknown_payee"
	LimitExceeded        Code = "limit_exceeded"
	PastDate             Code = "past_date"
	ScheduleEnded        Code = "schedule_ended"
	ScheduleMissing      Code = "schedule_missing"
	ScheduleUnclear      Code = "schedule_unclear"
	NameTaken            Code = "name_taken"
	DocumentRefused      Code = "document_refused"
	DocumentPartly       Code = "document_partly"
	DocumentGone         Code = "document_gone"
	ShelfGone            Code = "shelf_gone"
	ShelfRefused         Code = "shelf_refused"
	ShelfUnknown         Code = "shelf_unknown"
	AttachmentRefused    Code = "attachment_refused"
	AttachmentGone       Code = "attachment_gone"
	PromptRefused        Code = "prompt_refused"
	TooManyAttachments   Code = "too_many_attachments"
	Denied               Code = "denied"
	TooManyAsks          Code = "too_many_asks"
	AddressRefused       Code = "address_refused"
	PageFailed           Code = "page_failed"
	PictureFailed        Code = "picture_failed"
	ShellStopped         Code = "shell_stopped"
	ShellUnavailable     Code = "shell_unavailable"
	Changed              Code = "changed"
	NoFolder             Code = "no_folder"
	FolderRefused        Code = "folder_refused"
	FolderReadOnly       Code = "folder_readonly"
	PathOutside          Code = "path_outside"
	FileMissing          Code = "file_missing"
	NothingToExport      Code = "nothing_to_export"
	FileUnclear          Code = "file_unclear"
	FileRefused          Code = "file_refused"
	TableUnclear         Code = "table_unclear"
	NothingToDo          Code = "nothing_to_do"
	FilesBusy            Code = "files_busy"
	NothingToUndo        Code = "nothing_to_undo"
	UpdateNowhere        Code = "update_nowhere"
	UpdateNothing        Code = "update_nothing"
	UpdateUnreachable    Code = "update_unreachable"
	UpdateRefused        Code = "update_refused"
)

type pair bilingual.Text

var sentences = map[Code]pair{
	Internal:             {"프로그램 안에서 문제가 생겼어요. 다시 시도해 주세요. 계속되면 로그를 확인해 주세요.", "Something went wrong inside the app. Please try again; if it keeps happening, look at the log."},
	Canceled:             {"취소됐어요.", "This was canceled."},
	Stopped:              {"답을 여기서 멈췄어요.", "The reply was stopped here."},
	EmptyMessage:         {"빈 메시지예요. 하고 싶은 말을 적어 주세요.", "The message is empty. Please write what you would like."},
	MessageTooLong:       {"메시지가 너무 길어요({size}자). {limit}자 이하로 나누어 보내 주세요.", "The message is too long ({size} characters). Please send at most {limit} at a time."},
	BadCommand:           {"알 수 없는 명령이에요: {detail}. 한 줄에 JSON 객체 하나를 보내 주세요.", "That is not a command: {detail}. Send one JSON object per line."},
	NotFound:             {"찾을 수 없어요: {what} {id}. 목록을 새로 고쳐 주세요.", "There is no such {what}: {id}. Please refresh the list."},
	AnswerAlone:          {"이 질문은 다른 것과 함께 답할 수 없어요. 그 질문의 카드에서 하나만 보고 답해 주세요.", "This question is not answered together with others. Please answer it on its own card."},
	StaleAnswer:          {"이미 답한 질문이에요. 바뀐 것은 없어요.", "This question was answered already. Nothing was changed."},
	DigestMismatch:       {"질문의 내용이 바뀌었어요. 지금 보이는 내용을 확인하고 다시 답해 주세요.", "What was asked has changed. Please check what is shown now and answer again."},
	BadChoice:            {"고를 수 없는 답이에요: {choice}. 다음 중에서 골라 주세요: {choices}.", "That is not one of the choices: {choice}. Please choose one of: {choices}."},
	InvalidArgs:          {"입력값이 맞지 않아요: {detail}. 값을 고쳐 다시 보내 주세요.", "The values do not fit: {detail}. Please correct them and try again."},
	InvalidSetting:       {"설정값이 맞지 않아요: {key}: {detail}.", "That setting does not fit: {key}: {detail}."},
	UnknownTool:          {"{tool}이라는 공구는 없어요. 공구박스에서 이름을 확인해 주세요.", "There is no tool named {tool}. Please look it up in the toolbox."},
	TooComplex:           {"요청이 너무 복잡합니다. 작은 요청으로 나누어 주세요.", "The request is too complex. Please split it into smaller ones."},
	Refused:              {"허락하지 않아서 하지 않았어요. 바꿀 것이 있으면 말해 주세요.", "It was not done because you did not allow it. Say what should be different."},
	Timeout:              {"정한 시간 안에 끝나지 않았어요. 조금 뒤에 다시 시도해 주세요.", "It did not finish in time. Please try again a little later."},
	QueueFull:            {"기다리는 일이 너무 많아요({limit}건). 끝나기를 기다리거나 몇 개를 멈춰 주세요.", "Too many jobs are waiting ({limit}). Let some finish or stop a few."},
	WorkersBusy:          {"일꾼이 모두 일하고 있어 줄을 섰어요({place}번째). 기다리거나, 하나를 멈추거나, 설정에서 일꾼을 늘려 주세요.", "Every worker is busy, so this stands in line (place {place}). Wait, stop a job, or add workers in settings."},
	JobEnded:             {"이미 끝난 일이에요.", "That job has ended already."},
	ProviderUnreachable:  {"통역가({provider})에 연결할 수 없어요. 실행 중인지 확인해 주세요. 그동안 내장 통역가가 일해요.", "The interpreter ({provider}) cannot be reached. Check that it is running; the built-in one works meanwhile."},
	ProviderRefused:      {"통역가({provider})가 요청을 처리하지 못했어요: {detail}. 설정에서 주소, 키, 모델을 확인해 주세요.", "The interpreter ({provider}) turned the request down: {detail}. Check the address, key and model in settings."},
	ModelMissing:         {"없는 모델이에요: {model}. 모델을 내려받거나 다른 모델을 골라 주세요.", "The model {model} is not there. Download it or choose another."},
	ModelFileBad:         {"이 파일로는 모델을 만들 수 없어요: {detail}. 온전한 GGUF 파일 하나를 골라 주세요.", "No model can be made of this file: {detail}. Choose one whole GGUF file."},
	ModelTimeout:         {"통역가가 제때 답하지 않았어요. 다시 시도하거나 다른 모델을 골라 주세요.", "The interpreter did not answer in time. Try again or choose another model."},
	ModelBadOutput:       {"통역가의 답을 이해할 수 없었어요. 다시 말하거나 다른 모델을 골라 주세요.", "The interpreter's answer made no sense. Rephrase, or choose another model."},
	ContextOverflow:      {"대화가 모델의 한도보다 길어요. 새 대화를 시작하거나, 메시지를 줄이거나, 설정에서 문맥 길이를 늘려 주세요.", "The conversation is longer than the model can read. Start a new chat, shorten the message, or raise the context length in settings."},
	ContextTruncated:     {"모델 서버가 보낸 글을 다 읽지 않은 것 같아요(약 {sent}토큰 중 {read}토큰). 서버의 문맥 길이를 늘리거나 설정의 문맥 길이를 그만큼 줄여 주세요.", "The model server seems not to have read all it was sent ({read} of about {sent} tokens). Raise the server's context length, or lower the one in settings to match."},
	ToolFailed:           {"{tool} 공구가 일을 마치지 못했어요: {detail}. 다시 시도해 주세요.", "The tool {tool} could not finish: {detail}. Please try again."},
	ToolPanic:            {"{tool} 공구가 고장 났어요. 이 할 일만 멈췄고 공구는 제자리에 돌려놨어요. 다시 시도해 주세요.", "The tool {tool} broke down. Only this step stopped and the tool was put back. Please try again."},
	OutsideUnreadable:    {"바깥 공구로 읽을 수 없어요: {why}. 바깥 공구의 소개 페이지에 있는 링크나 명령, 주소, 설정을 그대로 붙여 주세요.", "It cannot be read as an outside tool: {why}. Paste the link, command, address or settings just as the outside tool’s own page has them."},
	SearchOff:            {"웹 검색이 꺼져 있어서 찾지 않았어요: {why}. 나가는 길 페이지의 ‘웹 검색’에서 SearXNG 주소나 Brave 검색의 키를 넣고 다시 말해 주세요.", "Web search is off, so nothing was searched for: {why}. Enter a SearXNG address or a key for Brave Search under “Web search” on the Outbound page and ask again."},
	SearchFailed:         {"{service}에서 찾지 못했어요: {why}. 나가는 길 페이지의 ‘웹 검색’을 확인하거나 조금 뒤에 다시 말해 주세요.", "{service} could not search: {why}. Check “Web search” on the Outbound page, or ask again a little later."},
	NothingLeaves:        {"오프라인으로 해 두셔서 {where}에 연결하지 않았어요. 나가는 길 페이지에서 오프라인을 끄고 다시 말해 주세요.", "You switched to offline, so nothing was sent to {where}. Switch offline off on the Outbound page and ask again."},
	Offline:              {"인터넷에 연결할 수 없어 가져오지 못했어요: {what}. 연결을 확인하고 다시 말해 주세요.", "No internet connection, so {what} could not be fetched. Check the connection and ask again."},
	PlaceUnknown:         {"오프라인 지명 사전에 없는 곳이에요: {place}. 가까운 도시나 역 이름으로 말해 주세요.", "The offline gazetteer does not know {place}. Please name a nearby city or station."},
	MediaMissing:         {"{folder}에 없어요: {title}. 폴더에 파일을 넣거나 설정에서 폴더를 바꿔 주세요.", "{title} was not found in {folder}. Put a file there or change the folder in settings."},
	BadExpression:        {"계산식을 이해하지 못했어요: {detail}. 예: 3만5천 나누기 7", "That expression cannot be worked out: {detail}. For example: 35,000 / 7"},
	NoConversion:         {"{from}에서 {to}(으)로는 바꿀 수 없어요. 같은 것을 재는 단위끼리 말해 주세요(예: 3평을 제곱미터로).", "{from} cannot be turned into {to}. Please name two units that measure the same thing, such as 3 pyeong to square metres."},
	RatesUnknown:         {"환율은 매일 달라져서 여기서는 알 수 없어요. 은행이나 환율 안내에서 확인해 주세요.", "Exchange rates change every day and are not known here. Please look at a bank or a rate service."},
	InDoubt:              {"끝났는지 확실하지 않은 일이 있어요. 어떻게 할지 골라 주세요.", "It is not certain whether this happened. Please choose what to do."},
	StorageFull:          {"디스크가 가득 찼어요. 공간을 비운 뒤 다시 시도해 주세요.", "The disk is full. Free some space and try again."},
	DiskShort:            {"{model} 모델을 받을 자리가 모자라요: {need} 필요한데 {free} 남았어요. 디스크를 비운 뒤 다시 시도해 주세요.", "There is no room for {model}: it needs {need} and {free} are left. Free some disk space and try again."},
	RecordUnreadable:     {"기록 하나를 읽을 수 없어서 원본을 그대로 따로 치워 두었어요. 그 일이 어디까지 됐는지 먼저 확인하고, 필요하면 다시 말씀해 주세요.", "One record could not be read; it was put aside as it is. Check how far that work had come, and ask for it again if you need it."},
	StorageCorrupt:       {"저장 파일이 손상됐어요. 원본은 그대로 두었어요. 설정에서 백업을 복원해 주세요.", "The data file is damaged. The original was kept as it is; restore a backup from settings."},
	NotCarriedOut:        {"지난번에 저장하지 못해 그만둔 일이에요. 아직 원하시면 다시 말씀해 주세요.", "Last time this could not be saved and was given up. Say it again if you still want it."},
	StorageFailed:        {"저장하지 못했어요. 디스크를 확인하고 다시 시도해 주세요.", "It could not be saved. Check the disk and try again."},
	StorageBusy:          {"다른 프로그램이 저장 파일을 붙잡고 있어요. 그 프로그램을 닫고 다시 시도해 주세요.", "Another program is holding the data file. Close it and try again."},
	NotABackup:           {"Agent Chat의 백업 파일이 아니거나 손상됐어요. 바뀐 것은 없으니 ‘파일 하나로 저장’으로 만든 파일을 골라 주세요.", "This file is no backup of Agent Chat, or it is damaged. Nothing was changed; choose a file made with “Save as one file”."},
	NotAnExport:          {"ChatGPT나 Claude, Agent Chat에서 내보낸 대화 파일이 아니거나 손상됐어요. 들여온 것은 없으니 받은 파일을 그대로 골라 주세요.", "This file is no export of ChatGPT, Claude or Agent Chat, or it is damaged. Nothing was brought in; choose the file as you received it."},
	StorageNewer:         {"더 새로운 Agent Chat이 쓴 저장 파일이에요. 파일은 그대로 두었으니 프로그램을 업데이트해 주세요.", "The data file was written by a newer Agent Chat. It was left as it is; please update the app."},
	AlreadyTaken:         {"이미 예약된 자리예요. 다른 때나 다른 것을 골라 주세요.", "That is taken already. Please choose another time or another one."},
	NothingKept:          {"적어 둔 것이 아직 없어요.", "Nothing is written down yet."},
	RecordMissing:        {"‘{name}’, 그렇게 적어 둔 것은 없어요. 적어 둔 것은 이래요: {list}.", "Nothing is written down as “{name}”. What is there: {list}."},
	CalendarUnreadable:   {"일정 파일로 읽을 수 없어서 아무것도 들여오지 않았어요. 다른 달력에서 .ics로 내보낸 파일인지 확인해 주세요.", "That file cannot be read as a calendar, so nothing was taken in. Please check that it is an .ics file which another calendar has exported."},
	CalendarTooBig:       {"일정 파일이 너무 커요. 2MB, 1000건까지 들여올 수 있어요. 기간을 나누어 내보내 주세요.", "The calendar file is too big: at most 2 MB and 1000 entries. Please export a shorter period."},
	RecordUnclear:        {"‘{name}’, 그런 것이 여럿이에요: {list}. 어느 것인지 적어 둔 대로 말씀해 주세요.", "Several things are called like “{name}”: {list}. Please name one as it is written down."},
	AutostartFailed:      {"로그인할 때 시작하도록 적어 두지 못했어요: {detail} 그 폴더에 쓸 수 있는지 살펴보고 다시 켜 주세요.", "Starting at login could not be written down: {detail} Check that the folder can be written to, then switch it again."},
	GuestUnknown:         {"이 열쇠를 가진 프로그램을 몰라요. 바깥 공구 페이지의 ‘가게를 쓰는 프로그램’에서 다시 넣어 주세요.", "No program has this key. Add it again under “Programs that use the shop” on the outside tools page."},
	GuestLimit:           {"{name}에 정해 둔 한도({limit})를 넘어요. 한도는 바깥 공구 페이지에서 바꿀 수 있어요.", "That is over the limit set for {name} ({limit}). Limits can be changed on the outside tools page."},
	BranchAway:           {"지점 ‘{branch}’에 닿지 않아요. 돌아오면 이어서 해요. 한 일을 두 번 하지는 않아요.", "The branch “{branch}” cannot be reached. This goes on when it is back, and nothing is done twice."},
	BranchCode:           {"이 코드로는 짝지을 수 없어요. 이미 쓰였거나 시간이 지났거나, 그 주소에 다른 가게가 있어요. 빌려주는 가게에서 새 코드를 받아 주세요.", "This code pairs with nothing: it was used, its time is over, or another shop is at that address. Get a new code from the shop that lends."},
	BranchDeaf:           {"지점이 부를 포트 {port}을(를) 열지 못했어요. 설정의 ‘지점의 포트’를 다른 것으로 바꿔 주세요.", "The port {port}, where branches call, could not be opened. Choose another in the settings, under “Port of branches”."},
	BranchOther:          {"{address}에는 ‘{branch}’이(가) 아닌 다른 가게가 있어요. 짝지은 가게의 주소를 적어 주세요.", "Another shop than “{branch}” is at {address}. Give the address of the one that was paired."},
	BranchUnpaired:       {"‘{branch}’에서 이 가게와 짝을 풀었어요. 빌려주는 가게에서 새 코드를 받아 다시 짝지어 주세요.", "“{branch}” is there, and unpaired this shop. Get a new code from it and pair again."},
	BranchUnreachable:    {"{address}에 있는 가게에 닿지 않았어요. 주소가 맞는지, 그 컴퓨터가 켜져 있는지, 짝지을 때는 코드가 아직 보이는지 확인해 주세요.", "The shop at {address} was not reached. See whether the address is right, that computer is on and, to pair, whether the code is still on show there."},
	UseTooOld:            {"{days}일보다 전에 시작한 일이에요. 그동안 했는지 이제 알 수 없어서 하지 않아요. 아직 필요하면 새로 시켜 주세요.", "This was begun more than {days} days ago. Whether it was done since is not known any more, so it is not done. Ask for it anew if it is still needed."},
	TooManyBranches:      {"짝지을 수 있는 지점은 {most}곳까지예요. 쓰지 않는 곳을 끊어 주세요.", "There may be {most} branches. Unpair one that is not used."},
	PagerOff:             {"진동벨이 꺼져 있거나 그 포트를 열지 못했어요. 설정의 ‘진동벨’에서 켜 주세요.", "The pager is off, or its port could not be opened. Switch it on in the settings, under “Pager”."},
	PagerCode:            {"이 그림은 이미 쓰였거나 시간이 지났어요. 컴퓨터의 창에서 ‘휴대폰 짝짓기’를 다시 누르고 새 그림을 찍어 주세요.", "This picture was used already, or its time is over. Press “Pair a phone” in the window on the computer again, and point the camera at the new picture."},
	PagerUnknown:         {"짝지은 휴대폰이 아니에요. 컴퓨터의 창에서 설정 → 진동벨을 열고 짝지어 주세요.", "This phone is not paired. Pair it in the window on the computer, in Settings → Pager."},
	TooManyPhones:        {"휴대폰은 {most}대까지 짝지을 수 있어요. 쓰지 않는 것의 짝을 끊어 주세요.", "At most {most} phones can be paired. Unpair one that is not used."},
	GuestsOff:            {"다른 프로그램이 가게를 쓰는 문이 꺼져 있어요. 바깥 공구 페이지에서 켜 주세요.", "The door for other programs is off. Switch it on, on the outside tools page."},
	TooManyFronts:        {"지금 {limit}개의 프로그램이 가게에 연결되어 있어요. 그중 하나를 끝낸 뒤 다시 해 주세요.", "{limit} programs are connected to the shop now. End one of them and try again."},
	AlreadyRunning:       {"이 데이터 폴더로 Agent Chat이 이미 실행 중이에요. 열려 있는 창을 쓰거나 다른 폴더를 지정해 주세요.", "Agent Chat is already running on this data folder. Use the open window or choose another folder."},
	InsufficientBalance:  {"잔액이 모자라요. 잔액은 {balance}인데 {needed}이 필요해요.", "There is not enough money: the balance is {balance} and {needed} is needed."},
	UnknownPayee:         {"주소록에 없는 분이에요: {target}. 주소록에는 이런 분들이 있어요: {names}.", "{target} is not in the address book. It has: {names}."},
	LimitExceeded:        {"{which} {limit}을 넘어요. {when} 더 보낼 수 있는 돈은 {left}이에요. 한도는 설정에서 바꿀 수 있어요.", "That is over the {which} of {limit}. You can still send {left} {when}. Limits can be changed in settings."},
	PastDate:             {"지난 날짜({date})로는 보낼 수 없어요. 오늘이나 그 뒤의 날짜를 말해 주세요.", "Nothing can be sent on a day in the past ({date}). Please name today or a later day."},
	ScheduleEnded:        {"이미 끝난 예약이에요. 예약 목록을 확인해 주세요.", "That scheduled transfer is over already. Please look at the list again."},
	ScheduleMissing:      {"{target}에게 보내기로 예약된 이체 중에 그런 것은 없어요. ‘예약된 이체 뭐 있어?’라고 물어보시면 알려 드릴게요.", "No transfer like that is scheduled for {target}. Ask “which transfers are scheduled?” to see them."},
	ScheduleUnclear:      {"{target}에게 예약된 이체가 여럿이에요: {list}. 날짜나 금액까지 말씀해 주세요.", "Several transfers to {target} are scheduled: {list}. Please name the day or the amount too."},
	DocumentGone:         {"그 문서는 이제 도서관에 없어요. 다른 문서를 고르거나, 문서를 고르지 않고 물어보세요.", "That document is no longer in the library. Choose another one, or ask without one."},
	ShelfGone:            {"그 서가는 이제 없어요. 다른 서가를 고르거나, 서가를 고르지 않고 물어보세요.", "That shelf is no longer there. Choose another one, or ask without one."},
	ShelfRefused:         {"서가로 둘 수 없는 폴더예요: {path}: {detail}.", "This folder cannot be a shelf: {path}: {detail}."},
	ShelfUnknown:         {"‘{name}’이라는 서가는 없어요. 있는 서가: {list}.", "There is no shelf called “{name}”. The shelves there are: {list}."},
	DocumentRefused:      {"{name}: {detail}. 도서관에 넣지 않았어요.", "{name} was not taken into the library: {detail}."},
	DocumentPartly:       {"{name}: 일부는 읽지 못했어요. {detail}. 나머지는 도서관에 넣었어요.", "{name} is in the library, but not all of it could be read: {detail}."},
	AttachmentRefused:    {"{name}: {detail}. 첨부하지 않았어요.", "{name} was not attached: {detail}."},
	PromptRefused:        {"‘{name}’ 프롬프트: {detail}. 메시지에 넣지 않았어요.", "The prompt “{name}” was not put into the message: {detail}."},
	AttachmentGone:       {"첨부한 파일이 남아 있지 않아요. 파일을 다시 첨부해 주세요.", "The attached file is not there any more. Please attach it again."},
	TooManyAttachments:   {"한 메시지에 파일을 {limit}개까지 첨부할 수 있어요. 나누어 보내거나 도서관에 넣어 주세요.", "A message takes {limit} files at most. Send them in several messages, or put them into the library."},
	NameTaken:            {"{name}: 주소록의 다른 분이 쓰고 있는 이름이에요. 다른 이름을 적어 주세요.", "Somebody else in the address book goes by {name}. Please choose another name."},
	Denied:               {"정해 둔 규칙이 막아서 ‘{tool}’ 공구를 쓰지 않았어요 ({rule}). 규칙은 허락 페이지에서 바꿀 수 있어요.", "A rule forbids “{tool}”, so nothing ran ({rule}). The permissions page changes rules."},
	ToolOff:              {"‘{tool}’ 공구가 꺼져 있어서 하지 않았어요. 공구박스에서 켠 다음 다시 말해 주세요.", "“{tool}” is switched off, so nothing was done. Switch it on in the toolbox and ask again."},
	AddressRefused:       {"{url} 주소는 열지 않아요: {why}. 인터넷에 있는 http나 https 주소를 말해 주세요.", "{url} is not opened: {why}. Please name an http or https address on the internet."},
	PageFailed:           {"{url}에서 읽을 글을 받지 못했어요: {why}. 주소를 확인하거나 조금 뒤에 다시 말해 주세요.", "{url} gave nothing to read: {why}. Check the address, or ask again a little later."},
	PictureFailed:        {"{url}에 있는 그림을 보여 드릴 수 없어요: {why}. 주소를 눌러 브라우저에서 열어 보거나 조금 뒤에 다시 눌러 주세요.", "The picture at {url} cannot be shown: {why}. Click its address to open it in the browser, or try again a little later."},
	ShellStopped:         {"명령을 도중에 멈췄어요: {why}.{output} 이미 바뀐 것이 있을 수 있으니 확인해 주세요.", "The command was stopped: {why}.{output} It may have changed things already; please check."},
	ShellUnavailable:     {"셸 명령을 쓸 수 없어요: {why}.", "Shell commands are not available: {why}."},
	TooManyAsks:          {"승인 없이 {limit}번이나 물어서 이 일을 그만뒀어요. 원하는 것을 더 자세히 말해 주세요.", "It asked {limit} times in a row without an approval, so this job was ended. Please say in more detail what you want."},
	Changed:              {"보여 드린 뒤에 바뀐 것이 있어 하지 않았어요: {what}. 다시 요청해 주세요.", "Something changed after it was shown, so nothing was done: {what}. Please ask again."},
	NoFolder:             {"열어 둔 폴더가 없어서 파일을 볼 수 없어요. 허락 페이지에서 ‘폴더 열기’로 폴더를 골라 주세요.", "No folder is open, so no file can be seen. Choose one with “Open a folder” on the permissions page."},
	FolderRefused:        {"열 수 없는 폴더예요: {path}: {detail}.", "This folder cannot be opened: {path}: {detail}."},
	FolderReadOnly:       {"‘{folder}’ 폴더는 읽기만 하도록 열려 있어요. 바꾸려면 허락 페이지에서 읽고 쓰도록 열어 주세요.", "The folder “{folder}” is open for reading only. Open it for writing on the permissions page to change things in it."},
	PathOutside:          {"열린 폴더의 밖이에요: {path} ({folders}). 허락 페이지에서 그 폴더를 열거나 열린 폴더 안의 경로를 말해 주세요.", "That lies outside of the opened folders: {path} ({folders}). Open its folder on the permissions page, or name a path inside an opened one."},
	NothingToExport:      {"아직 파일로 만들 것이 없어요: {what}. 먼저 물어보고 답을 받은 뒤에 다시 말해 주세요.", "There is nothing to make a file of yet: {what}. Ask for something first, and say it again once it is answered."},
	FileMissing:          {"그런 파일이나 폴더가 없어요: {path}. 이름을 확인해 주세요.", "There is no such file or folder: {path}. Please check the name."},
	FileUnclear:          {"‘{path}’에 맞는 것이 여럿이에요: {list}. 폴더 이름까지 말해 주세요.", "Several fit “{path}”: {list}. Please name the folder too."},
	FileRefused:          {"이 파일은 다룰 수 없어요: {path}: {detail}.", "This file cannot be used: {path}: {detail}."},
	TableUnclear:         {"표에서 답을 찾지 못했어요: {detail}. 바꿔서 다시 물어봐 주세요.", "The table could not answer: {detail}. Please ask it another way."},
	FilesBusy:            {"{what}에는 방금 바뀌었거나 아직 쓰이고 있는 파일만 있어요({count}개). 잠시 뒤에 다시 말해 주세요.", "All there is to move in {what} changed a moment ago or is still being written ({count}). Say it again in a moment."},
	NothingToDo:          {"옮길 것이 없어요: {what}. 다른 조건으로 다시 말해 주세요.", "There is nothing to move: {what}. Say it again with other conditions."},
	NothingToUndo:        {"되돌릴 수 있는 것이 남아 있지 않아요: {what}. 지금 어떤지 직접 살펴봐 주세요.", "Nothing is left that can be taken back: {what}. Please look at what is there now."},
	UpdateNowhere:        {"이 프로그램은 새 버전이 어디에 올라오는지 몰라요. 받은 곳에서 직접 확인해 주세요.", "This program does not know where new versions are published. Please check where you got it."},
	UpdateNothing:        {"받을 새 버전이 없어요. 먼저 새 버전을 찾아봐 주세요.", "There is no newer version to download. Check for one first."},
	UpdateUnreachable:    {"새 버전의 목록에 연결할 수 없어요. 인터넷 연결을 확인하고 나중에 다시 시도해 주세요.", "The list of versions cannot be reached. Check the connection and try again later."},
	UpdateRefused:        {"새 버전의 목록을 믿을 수 없어서 쓰지 않았어요: {detail}. 바뀐 것은 없어요.", "The list of versions cannot be trusted and was not used: {detail}. Nothing was changed."},
	CheckpointsElsewhere: {"문서 찾기 기록 파일을 열 수 없어서 앱의 장부에 둬요: {path}. 설정에서 다른 파일을 골라 주세요.", "Searches in the documents are kept in the app's own ledger: the file {path} cannot be opened. Choose another file in the settings."},
	NoEmbedder:           {"통역가에게 임베딩 모델이 없어서 낱말로만 찾아요. 모델 화면에서 bge-m3 같은 임베딩 모델을 받으면 뜻으로도 찾아요.", "Searched by words alone: the interpreter has no embedding model. Download one such as bge-m3 on the models page to search by meaning too."},
	SamplingNoModel:      {"모델 없이 회화책만 쓰고 있어서 바깥 서버의 부탁으로 글을 쓸 수 없어요. 모델을 연결한 다음 다시 시켜 주세요.", "No model is on duty, only the phrasebook, which writes nothing for an outside server. Connect a model and try again."},
	SamplingRefused:      {"모델에게 묻지 않기로 했어요. 다시 물으면 그때 허락할 수 있어요.", "The person at this computer refused to have the model asked. It may be asked for again."},
	SamplingUnanswered:   {"아무도 답하지 않아서 모델에게 묻지 않았어요. 다시 시키면 또 물어요.", "Nobody answered in time, so the model was not asked. Try again to be asked once more."},
	NotAvailable:         {"아직 쓸 수 없는 기능이에요: {what}.", "{what} is not available yet."},
	NoteMissing:          {"그런 메모를 찾지 못했어요: {note}. ‘메모 목록 보여줘’라고 하시면 있는 메모를 보여 드릴게요.", "There is no note like that: {note}. Say “show my notes” to see those there are."},
	NoteUnclear:          {"‘{note}’에 맞는 메모가 여럿이에요: {list}. 어느 것인지 더 자세히 말씀해 주세요.", "Several notes fit “{note}”: {list}. Please say more exactly which one."},
	ChatBusy:             {"이 대화에서 답을 쓰고 있어요. 끝나거나 멈춘 다음에 다시 해 주세요.", "A reply is being written in this chat. Try again when it is done or stopped."},
	OrderGoing:           {"그 정기 주문의 앞선 일이 아직 끝나지 않았어요. 끝나거나 멈춘 뒤에 다시 해 주세요.", "The run before of that standing order is not over. Try again when it has ended or was stopped."},
	OrderOver:            {"그 정기 주문은 멈춰 있거나 끝나서 기다리는 때가 없어요. 다시 시작하거나 때를 바꿔 주세요.", "That standing order is paused or over and waits for nothing. Resume it or change its time."},
	FavouriteTaken:       {"같은 이름의 단골이 이미 있어요: {name}. 다른 이름을 써 주세요.", "There is a favourite called “{name}” already. Give it another name."},
	FavouritesFull:       {"단골은 {limit}개까지 둘 수 있어요. 안 쓰는 것을 지우고 다시 해 주세요.", "There can be {limit} favourites at most. Delete one that is not used and try again."},
	BlankUnreadable:      {"여기의 빈칸을 읽을 수 없어요: {at} — 빈칸은 이름 하나를 중괄호로 감싼 것이고, 여덟 개까지 둘 수 있어요. 중괄호 글자 그대로는 두 번 적어 주세요.", "A blank cannot be read here: {at} — a blank is one name in braces, and there are eight at most. Write a brace itself twice."},
	NoDesktop:            {"이 컴퓨터에서는 할 수 없어요: {what}. 화면이 있는 곳에서 창으로 실행하거나 {need} 프로그램을 설치해 주세요.", "This computer cannot do that here: {what}. Run the window where there is a screen, or install {need}."},
	SignInNeeded:         {"바깥 서버 ‘{server}’에 로그인해야 해요. 아무것도 실행하지 않았어요. 바깥 공구 페이지에서 로그인하고 다시 말해 주세요.", "The outside server “{server}” wants you to sign in; nothing was done. Sign in on the Outside tools page and ask again."},
	SignInDeclined:       {"브라우저에서 로그인을 허락하지 않으셔서 {server}에 연결하지 않았어요. 쓰시려면 다시 로그인해 주세요.", "You declined in the browser, so {server} is not connected. Sign in again if you want to use it."},
	SignInFailed:         {"{server}에 로그인하지 못했어요: {detail}. 다시 해 보고, 계속 안 되면 서버를 빌려주는 쪽에 물어봐 주세요.", "Signing in to {server} did not work: {detail}. Try again, and ask whoever lends the server if it goes on."},
	LinkRefused:          {"http나 https로 시작하는 주소만 열어요: {address}. 주소를 다시 확인해 주세요.", "Only addresses that begin with http or https are opened: {address}. Please check it."},
}
