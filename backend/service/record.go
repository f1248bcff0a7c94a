package service

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/strictjson"
	"agentchat/backend/toolbox"
)

// Record is something a service made of a manifest alone keeps: a reservation, something to do.
type Record struct {
	ID      string // the todo that wrote it
	Service string
	Chat    string
	Values  json.RawMessage // canonical
	Unique  string          // what no other live record of the service may have too; "": nothing
	Created time.Time
	Due     time.Time // when the person is told of it; zero: never
}

// NewRecord makes a record of values; due names those that say when it is told: the day, the time, and how many minutes before.
func NewRecord(id, service string, values map[string]json.RawMessage, due []string, now time.Time) (Record, error) {
	raw, err := canonical(values)
	if err != nil {
		return Record{}, err
	}
	at, _ := dueAt(values, due, now) // none: never
	return Record{ID: id, Service: service, Values: raw, Due: at}, nil
}

// Records keeps records. Safe for concurrent use; errors are *apperr.Error.
type Records interface {
	// AddRecord writes records in one transaction; one with the same ID is there already and changes nothing. Error: already_taken when
	// another live record of the service has the same Unique.
	AddRecord(ctx context.Context, list ...Record) error
	// CancelRecord cancels, for each of some values, the newest live record of a service that has them all (one that has no others first), in
	// one transaction. by names the todo that does it, so that a second run finds it done. Error: not_found.
	CancelRecord(ctx context.Context, service, by string, values ...json.RawMessage) error
	// ChangeRecord changes the values and the due moment of a live record (zero due: none). A reminder that was given is not repeated as long
	// as the moment is the same. Error: not_found.
	ChangeRecord(ctx context.Context, id string, values json.RawMessage, due time.Time) error
	// CanceledBy tells whether a todo has canceled a record.
	CanceledBy(ctx context.Context, by string) (bool, error)
	// ListRecords gives up to limit live records of a service, oldest first.
	ListRecords(ctx context.Context, service string, limit int) ([]Record, error)
}

// listed is how many records a list shows, and are looked at for a name.
const listed = 200

// Tools are the tools with which a manifest alone makes a service: service_record writes, service_record_change changes,
// service_record_cancel cancels and service_records lists. Only the counter hands out the first three.
// The clock's location is the customer's time zone.
func Tools(records Records, now func() time.Time) []toolbox.Tool {
	return []toolbox.Tool{recordTool{records, now}, changeTool{records, now}, cancelTool{records, now}, listTool{records}}
}

// The tools' keys.
const (
	toolRecord  = "service_record"
	toolChange  = "service_record_change"
	toolCancel  = "service_record_cancel"
	toolRecords = "service_records"
)

const (
	serviceParam = `"service":{"x-name":{"ko":"서비스","en":"service"},"type":"string","pattern":"^[a-z][a-z0-9_]{0,31}$"}`
	valuesParam  = `"values":{"x-name":{"ko":"적은 것","en":"what was written"},"type":"object","minProperties":1,"maxProperties":16,"additionalProperties":{"type":["string","integer"]}}`
)

const (
	dueParam  = `"due":{"x-name":{"ko":"때","en":"when"},"type":"array","minItems":1,"maxItems":3,"items":{"type":"string","maxLength":32}}`
	dateParam = `"date":{"x-name":{"ko":"날짜","en":"day"},"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"}`
	keyParam  = `"key":{"x-name":{"ko":"이름이 되는 값","en":"the value that names it"},"type":"string","pattern":"^[a-z][a-z0-9_]{0,31}$"}`
	nameParam = `"name":{"x-name":{"ko":"무엇","en":"which one"},"type":"string","minLength":1,"maxLength":40000}`
	listParam = `"list":{"x-name":{"ko":"목록","en":"list"},"type":"string","minLength":1,"maxLength":200}`
)

func object(properties string, required string) json.RawMessage {
	return json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{` + properties + `},"required":[` + required + `]}`)
}

type recordTool struct {
	records Records
	now     func() time.Time
}

func (recordTool) Spec() toolbox.Spec {
	return toolbox.Spec{
		Key: toolRecord, Title: bilingual.Text{KO: "서비스 기록", EN: "Service record"},
		Description: bilingual.Text{KO: "서비스 창구에서 확인한 내용을 적어 둬요.", EN: "Writes down what was confirmed at the service counter."},
		Confirm:     toolbox.ConfirmNever, Effect: toolbox.EffectIdempotent, Counter: true,
		Params: object(serviceParam+`,`+valuesParam+`,"unique":{"x-name":{"ko":"하나뿐인 값","en":"only once"},"type":"array","maxItems":16,"items":{"type":"string","maxLength":32}},`+dueParam, `"service","values"`),
		Result: object(`"id":{"type":"string"},"values":{"type":"object"},"ids":{"type":"array"}`, `"id","values"`),
	}
}

func (t recordTool) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		Service string                     `json:"service"`
		Values  map[string]json.RawMessage `json:"values"`
		Unique  []string                   `json:"unique"`
		Due     []string                   `json:"due"` // the values that name the day, the time, and how many minutes before
	}
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	var list []Record
	var ids []string
	for i, values := range spread(args.Values) {
		r, err := NewRecord(call.TodoID, args.Service, values, args.Due, t.now())
		if err != nil {
			return toolbox.Result{}, err
		}
		if i > 0 {
			r.ID += fmt.Sprint("-", i+1)
		}
		if r.Chat = call.Chat; len(args.Unique) > 0 {
			key := map[string]json.RawMessage{}
			for _, name := range args.Unique {
				key[name] = values[name]
			}
			unique, err := canonical(key)
			if err != nil {
				return toolbox.Result{}, err
			}
			r.Unique = string(unique)
		}
		list, ids = append(list, r), append(ids, r.ID)
	}
	if err := t.records.AddRecord(ctx, list...); err != nil {
		return toolbox.Result{}, err
	}
	values, err := canonical(args.Values)
	if err != nil {
		return toolbox.Result{}, err
	}
	data := map[string]any{"id": ids[0], "values": values}
	if len(ids) > 1 {
		data["ids"] = ids
	}
	result, err := toolbox.ResultOf(data, bilingual.Text{KO: "적어 뒀어요.", EN: "Written down."}.In(call.Lang))
	return result.UndoneBy(toolCancel, undo(args.Service, values)), err
}

type listTool struct{ records Records }

func (listTool) Spec() toolbox.Spec {
	return toolbox.Spec{
		Key: toolRecords, Title: bilingual.Text{KO: "서비스 기록 보기", EN: "Service records"},
		Description: bilingual.Text{KO: "서비스 창구에서 적어 둔 것을 보여줘요.", EN: "Lists what was written down at the service counter."},
		Confirm:     toolbox.ConfirmNever, Effect: toolbox.EffectRead, Counter: true,
		Params: object(serviceParam+`,`+dateParam, `"service"`),
		Result: object(`"records":{"type":"array"},"date":{"type":"string"}`, `"records"`),
	}
}

// Run lists everything, or what is on a day, in the order of the hours then.
func (t listTool) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		Service string `json:"service"`
		Date    string `json:"date"`
	}
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	list, err := t.records.ListRecords(ctx, args.Service, listed)
	if err != nil {
		return toolbox.Result{}, err
	}
	if args.Date != "" {
		list = slices.DeleteFunc(list, func(r Record) bool { return r.text("date") != args.Date })
		slices.SortStableFunc(list, func(a, b Record) int { return cmp.Compare(a.text("time"), b.text("time")) })
	}
	rows := make([]map[string]any, len(list))
	for i, r := range list {
		rows[i] = map[string]any{"id": r.ID, "values": r.Values, "created": r.Created.UTC().Format(time.RFC3339)}
	}
	data := map[string]any{"records": rows}
	if args.Date != "" {
		data["date"] = args.Date
	}
	return toolbox.ResultOf(data, "")
}

func canonical(values map[string]json.RawMessage) (json.RawMessage, error) {
	raw, err := json.Marshal(values)
	if err == nil {
		raw, err = strictjson.Canonical(raw)
	}
	if err != nil {
		return nil, apperr.Wrap(err, apperr.InvalidArgs, "detail", err.Error())
	}
	return raw, nil
}
