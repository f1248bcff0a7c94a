package service

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/ground"
	"agentchat/backend/language/slot"
	"agentchat/backend/toolbox"
)

type changeTool struct {
	records Records
	now     func() time.Time
}

func (changeTool) Spec() toolbox.Spec {
	return toolbox.Spec{
		Key: toolChange, Title: bilingual.Text{KO: "서비스 기록 바꾸기", EN: "Change a service record"},
		Description: bilingual.Text{KO: "서비스 창구에서 적어 둔 것의 값을 바꿔요.", EN: "Changes values of what was written down at the service counter."},
		Confirm:     toolbox.ConfirmNever, Effect: toolbox.EffectIdempotent, Counter: true,
		Params: object(serviceParam+`,`+keyParam+`,`+nameParam+`,`+valuesParam+`,`+dueParam, `"service","key","name"`),
		Result: object(`"id":{"type":"string"},`+valuesParam, `"values"`),
	}
}

type change struct {
	Service string                     `json:"service"`
	Key     string                     `json:"key"` // the value that names a record
	Name    string                     `json:"name"`
	Values  map[string]json.RawMessage `json:"values"`
	Due     []string                   `json:"due"`
}

// Run gives the record other values. Run again, it writes the same.
func (t changeTool) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args change
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	r, err := theOne(ctx, t.records, args.Service, args.Key, args.Name, "", t.now())
	if err != nil {
		return toolbox.Result{}, err
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(r.Values, &values); err != nil {
		return toolbox.Result{}, err
	}
	delete(args.Values, args.Key)
	maps.Copy(values, args.Values)
	raw, err := canonical(values)
	if err != nil {
		return toolbox.Result{}, err
	}
	due, _ := dueAt(values, args.Due, t.now())
	if err := t.records.ChangeRecord(ctx, r.ID, raw, due); err != nil {
		return toolbox.Result{}, err
	}
	was := r.Values
	r.Values = raw
	result, err := toolbox.ResultOf(map[string]any{"id": r.ID, "values": raw}, r.said(args.Key, args.Due, call.Lang))
	return result.UndoneBy(toolChange, undo(args.Service, was)), err
}

// Examine implements toolbox.Examiner: the name must be that of a record.
func (t changeTool) Examine(ctx context.Context, raw json.RawMessage) map[string]error {
	var args change
	if json.Unmarshal(raw, &args) != nil || args.Name == "" {
		return nil
	}
	if _, err := theOne(ctx, t.records, args.Service, args.Key, args.Name, "", t.now()); err != nil {
		return map[string]error{"name": err}
	}
	return nil
}

// said is a record in words: its name, the day, the time and how long before it is told.
func (r Record) said(key string, due []string, lang bilingual.Lang) string {
	text := r.text(key)
	when := ""
	for i, name := range due {
		value := r.text(name)
		var minutes int64
		switch {
		case i == 0 && value != "":
			value = slot.SayDay(value, lang)
		case i == 1:
			value = clock(value, lang)
		case i == 2:
			var values map[string]json.RawMessage
			if json.Unmarshal(r.Values, &values) == nil && json.Unmarshal(values[name], &minutes) == nil {
				value = bilingual.Say(lang, "%s에 알림", "told %s", slot.SayAhead(minutes, lang))
			}
		}
		switch {
		case value == "":
		case when == "":
			when = value
		case i == 2:
			when += ", " + value
		default:
			when += " " + value
		}
	}
	if when != "" {
		text += " (" + when + ")"
	}
	return text
}

type cancelTool struct {
	records Records
	now     func() time.Time
}

func (cancelTool) Spec() toolbox.Spec {
	return toolbox.Spec{
		Key: toolCancel, Title: bilingual.Text{KO: "서비스 기록 취소", EN: "Cancel a service record"},
		Description: bilingual.Text{KO: "서비스 창구에서 적어 둔 것을 취소해요.", EN: "Cancels what was written down at the service counter."},
		Confirm:     toolbox.ConfirmNever, Effect: toolbox.EffectIdempotent, Counter: true,
		Params: object(serviceParam+`,`+valuesParam+`,`+keyParam+`,`+nameParam+`,`+dateParam+`,`+listParam+`,`+dueParam, `"service"`),
		Result: object(`"values":{"x-name":{"ko":"적은 것","en":"what was written"},"type":"object"}`, `"values"`),
	}
}

type cancellation struct {
	Service string                     `json:"service"`
	Values  map[string]json.RawMessage `json:"values"` // which one, by all of these
	Key     string                     `json:"key"`    // or by the value that names a record
	Name    string                     `json:"name"`
	Date    string                     `json:"date"` // on which day it is; empty: on any
	List    string                     `json:"list"` // on which list it is; empty: on any
	Due     []string                   `json:"due"`
}

// Run cancels the record that has the values, or that is called so; of several lines, as many.
func (t cancelTool) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args cancellation
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	text := bilingual.Text{KO: "취소했어요.", EN: "Canceled."}.In(call.Lang)
	if args.Name == "" && len(args.Values) == 0 {
		return toolbox.Result{}, apperr.New(apperr.InvalidArgs, "detail", "name or values")
	}
	if args.Name != "" {
		if done, err := t.records.CanceledBy(ctx, call.TodoID); err != nil || done {
			if err != nil {
				return toolbox.Result{}, err
			}
			return toolbox.ResultOf(map[string]any{"values": struct{}{}}, text)
		}
		return t.called(ctx, args, call)
	}
	var each []json.RawMessage
	for _, one := range spread(args.Values) {
		values, err := canonical(one)
		if err != nil {
			return toolbox.Result{}, err
		}
		each = append(each, values)
	}
	if err := t.records.CancelRecord(ctx, args.Service, call.TodoID, each...); err != nil {
		return toolbox.Result{}, err
	}
	result, err := toolbox.ResultOf(map[string]any{"values": args.Values}, text)
	return result.UndoneBy(toolRecord, map[string]any{"service": args.Service, "values": args.Values}), err
}

// called cancels the records that are called so.
func (t cancelTool) called(ctx context.Context, args cancellation, call toolbox.Call) (toolbox.Result, error) {
	found, err := t.meant(ctx, args)
	if err != nil {
		return toolbox.Result{}, err
	}
	each, said := make([]json.RawMessage, len(found)), make([]string, len(found))
	for i, r := range found {
		each[i], said[i] = r.Values, r.said(args.Key, args.Due, call.Lang)
	}
	if err := t.records.CancelRecord(ctx, args.Service, call.TodoID, each...); err != nil {
		return toolbox.Result{}, err
	}
	values, alike := gathered(found, args.Key)
	if !alike { // no one call writes them again: what the ledger has kept of this use does
		values = map[string]json.RawMessage{}
	}
	result, err := toolbox.ResultOf(map[string]any{"values": values}, strings.Join(said, ", "))
	return result.UndoneBy(toolRecord, map[string]any{"service": args.Service, "values": values}), err
}

// meant are the records that are called so.
func (t cancelTool) meant(ctx context.Context, args cancellation) ([]Record, error) {
	list, err := t.records.ListRecords(ctx, args.Service, listed)
	if err != nil {
		return nil, err
	}
	return picked(list, args.Key, ground.Lines(args.Name), args.List, args.Date, t.now())
}

// Examine implements toolbox.Examiner: the name must be that of a record.
func (t cancelTool) Examine(ctx context.Context, raw json.RawMessage) map[string]error {
	var args cancellation
	if json.Unmarshal(raw, &args) != nil || args.Name == "" {
		return nil
	}
	if _, err := t.meant(ctx, args); err != nil {
		return map[string]error{"name": err}
	}
	return nil
}
