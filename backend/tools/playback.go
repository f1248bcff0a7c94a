package tools

import (
	"context"
	"errors"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/hangul"
	"agentchat/backend/media"
	"agentchat/backend/toolbox"
	"agentchat/backend/tools/match"
)

// anything are titles that name no piece: what is left when somebody only wants to hear or see something.
var anything = map[string]bool{
	"노래": true, "음악": true, "영화": true, "아무거나": true, "아무노래나": true, "아무음악이나": true, "아무영화나": true, "한곡": true, "노래한곡": true, "곡": true,
	"동영상": true, "비디오": true, "song": true, "asong": true, "songs": true, "music": true, "somemusic": true, "anything": true, "anysong": true,
	"movie": true, "amovie": true, "film": true, "afilm": true, "video": true, "avideo": true, "anymovie": true,
}

// choose picks the piece a call means: the one with its title, or the next one. The error is media_missing.
func (d Deps) choose(ctx context.Context, call toolbox.Call, kind string) (media.Item, error) {
	var args struct {
		Title string `json:"title"`
	}
	if err := call.Read(&args); err != nil {
		return media.Item{}, err
	}
	title := strings.TrimSpace(args.Title)
	if title == "" || anything[match.Fold(title)] {
		return d.Library.Next(ctx, kind), nil
	}
	item, err := d.Library.Find(ctx, kind, title)
	if errors.Is(err, media.ErrNoSuchPiece) {
		return media.Item{}, apperr.Wrap(err, apperr.MediaMissing, "title", title, "folder", d.folder(call, kind))
	}
	return item, err
}

func (d Deps) folder(call toolbox.Call, kind string) string {
	if folder := d.Library.Folder(kind); folder != "" {
		return folder
	}
	if kind == media.KindSong {
		return bilingual.Say(call.Lang, "내장 곡 목록", "the bundled tunes")
	}
	return bilingual.Say(call.Lang, "내장 영화 목록", "the bundled films")
}

// play shows an item on one of the devices until it ends, and whatever else is turned to meanwhile.
func (d Deps) play(ctx context.Context, call toolbox.Call, item media.Item, devices ...media.Device) (toolbox.Result, error) {
	piece, err := d.piece(call, item)
	if err != nil { // it was there when it was chosen
		return toolbox.Result{}, err
	}
	pieces, at := []media.Item{item}, 0
	piece.Waiting = func() {
		call.Log("info", bilingual.Say(call.Lang, "쓸 수 있는 화면이나 덱이 없어 비기를 기다려요.", "Every device is taken; waiting for one."))
	}
	piece.Turn = func(ctx context.Context, back bool) (media.Piece, error) {
		to := at + 1
		if back {
			to = at - 1
		}
		switch {
		case to < 0:
			return media.Piece{}, media.ErrNoOther
		case to == len(pieces):
			pieces = append(pieces, d.Library.Next(ctx, item.Kind))
		}
		other, err := d.piece(call, pieces[to])
		if err == nil {
			at = to
		}
		return other, err
	}
	played, err := d.Player.Play(ctx, piece, call.Media, devices...)
	if err != nil {
		if ctx.Err() != nil {
			return toolbox.Result{}, err
		}
		return toolbox.Result{}, apperr.Wrap(err, apperr.ToolFailed, "tool", item.Kind, "detail", bilingual.Say(call.Lang, "파일을 창에 보내지 못했어요", "the file could not be sent to the window"))
	}
	title, text := played.Title, ""
	switch object := hangul.With("‘"+title+"’", "을", "를"); {
	case played.Stopped:
		text = bilingual.Say(call.Lang, object+" 여기까지 틀고 껐어요.", "“"+title+"” was stopped here.")
	case item.Kind == media.KindMovie:
		text = bilingual.Say(call.Lang, object+" 끝까지 보여드렸어요.", "“"+title+"” has finished playing.")
	default:
		text = bilingual.Say(call.Lang, object+" 끝까지 들려드렸어요.", "“"+title+"” has finished playing.")
	}
	return toolbox.ResultOf(struct {
		Title   string  `json:"title"`
		Seconds float64 `json:"seconds"`
		Device  string  `json:"device"`
		Bundled bool    `json:"bundled"`
	}{title, played.Seconds, string(played.Device), pieces[at].Bundled}, text)
}

// piece makes an item ready to be played. The error is media_missing.
func (d Deps) piece(call toolbox.Call, item media.Item) (media.Piece, error) {
	title := item.Title.In(call.Lang)
	source, seconds, err := d.Library.Prepare(item)
	if err != nil {
		return media.Piece{}, apperr.Wrap(err, apperr.MediaMissing, "title", title, "folder", d.folder(call, item.Kind))
	}
	if seconds == 0 {
		call.Log("info", bilingual.Say(call.Lang, "파일에 길이가 적혀 있지 않아 3분으로 잡고 재생해요.", "The file does not tell its length; three minutes are assumed."))
	}
	call.Log("info", bilingual.Say(call.Lang, hangul.With("‘"+title+"’", "을", "를")+" 재생해요.", "Playing “"+title+"”."))
	return media.Piece{Kind: item.Kind, Title: title, JobID: call.JobID, Seconds: seconds, Source: &source}, nil
}
