package tools

import (
	"context"
	"errors"
	"math"
	"strconv"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/language/hangul"
	"agentchat/backend/media"
	"agentchat/backend/toolbox"
)

// playerControl does with a song or a film that plays what its buttons do, and tells what plays.
type playerControl struct{ deps Deps }

func (*playerControl) Spec() toolbox.Spec { return manual("player_control") }

func (p *playerControl) Run(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	var args struct {
		Action media.Act `json:"action"`
		Level  *int      `json:"level"`
		Of     string    `json:"of"`
		Title  string    `json:"title"`
	}
	if err := call.Read(&args); err != nil {
		return toolbox.Result{}, err
	}
	was, err := p.deps.Player.Control(ctx, media.Order{Act: media.ActWhat, Kind: args.Of, Title: args.Title})
	if err != nil && !errors.Is(err, media.ErrNothingPlays) {
		return toolbox.Result{}, err
	}
	now, err := p.deps.Player.Control(ctx, media.Order{Act: args.Action, Level: args.Level, Kind: args.Of, Title: args.Title})
	var known *apperr.Error
	switch {
	case errors.Is(err, media.ErrNothingPlays):
		return toolbox.ResultOf(nowPlaying{}, nothingPlays(call.Lang, args.Of, args.Title))
	case errors.Is(err, media.ErrNoOther):
		return toolbox.ResultOf(playingOf(now), bilingual.Say(call.Lang, "앞에 들려드린 것이 없어서 ", "There is none before it, so ")+restarted(call.Lang, now.Title))
	case err != nil && !errors.As(err, &known) && ctx.Err() == nil:
		return toolbox.Result{}, apperr.Wrap(err, apperr.ToolFailed, "tool", "player_control", "detail", bilingual.Say(call.Lang, "다른 것을 틀지 못했어요", "another piece could not be played"))
	case err != nil:
		return toolbox.Result{}, err
	}
	result, err := toolbox.ResultOf(playingOf(now), controlled(call.Lang, args.Action, args.Level != nil, now))
	if back := opposite(args.Action, was.Play, now.Play); back != nil {
		result = result.UndoneBy("player_control", back)
	}
	return result, err
}

// opposites are the acts that take one another back.
var opposites = map[media.Act]media.Act{
	media.ActPause: media.ActResume, media.ActResume: media.ActPause, media.ActRepeat: media.ActRepeatOff, media.ActRepeatOff: media.ActRepeat,
	media.ActMute: media.ActUnmute, media.ActUnmute: media.ActMute, media.ActNext: media.ActPrevious,
}

// opposite is what takes an act back, by how the player stood before; nil where it changed nothing, or nothing does.
func opposite(act media.Act, was, now *event.Playback) map[string]any {
	switch {
	case was == nil || now == nil:
		return nil
	case was.Volume != now.Volume:
		return map[string]any{"action": media.ActVolume, "level": was.Volume}
	}
	if back, ok := opposites[act]; ok && (act == media.ActNext || *was != *now) {
		return map[string]any{"action": back}
	}
	return nil
}

// nowPlaying is what plays once something was done with it.
type nowPlaying struct {
	Playing bool    `json:"playing"`
	Title   string  `json:"title,omitempty"`
	Paused  bool    `json:"paused,omitempty"`
	Repeat  bool    `json:"repeat,omitempty"`
	Muted   bool    `json:"muted,omitempty"`
	Volume  int     `json:"volume,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	At      float64 `json:"at,omitempty"`
}

func playingOf(m event.Media) nowPlaying {
	return nowPlaying{true, m.Title, m.Play.Paused, m.Play.Repeat, m.Play.Muted, m.Play.Volume, m.Seconds, m.Position}
}

func nothingPlays(lang bilingual.Lang, kind, title string) string {
	switch {
	case title != "":
		return bilingual.Say(lang, "지금 "+hangul.With("‘"+title+"’", "은", "는")+" 나오고 있지 않아요.", "“"+title+"” is not playing now.")
	case kind == media.KindMovie:
		return bilingual.Say(lang, "지금 보여드리는 영화가 없어요.", "No film is playing.")
	case kind == media.KindSong:
		return bilingual.Say(lang, "지금 들려드리는 노래가 없어요.", "No music is playing.")
	}
	return bilingual.Say(lang, "지금 나오는 노래나 영화가 없어요.", "No song or film is playing.")
}

func restarted(lang bilingual.Lang, title string) string {
	return bilingual.Say(lang, hangul.With("‘"+title+"’", "을", "를")+" 처음부터 다시 틀었어요.", "“"+title+"” plays from the beginning again.")
}

// controlled says what was done.
func controlled(lang bilingual.Lang, act media.Act, exactly bool, m event.Media) string {
	object, subject := hangul.With("‘"+m.Title+"’", "을", "를"), hangul.With("‘"+m.Title+"’", "이", "가")
	volume := strconv.Itoa(m.Play.Volume)
	switch act {
	case media.ActPause:
		return bilingual.Say(lang, object+" 잠깐 멈췄어요. ‘다시 재생’이라고 하면 이어서 틀게요.", "“"+m.Title+"” is paused. Say “resume” to go on.")
	case media.ActResume:
		return bilingual.Say(lang, object+" 이어서 틀어요.", "“"+m.Title+"” goes on.")
	case media.ActNext, media.ActPrevious:
		return bilingual.Say(lang, object+" 틀었어요.", "Now playing “"+m.Title+"”.")
	case media.ActRestart:
		return restarted(lang, m.Title)
	case media.ActRepeat:
		return bilingual.Say(lang, object+" 되풀이해서 틀게요.", "“"+m.Title+"” is played over and over.")
	case media.ActTurnOff:
		return bilingual.Say(lang, object+" 껐어요.", "“"+m.Title+"” is off.")
	case media.ActRepeatOff:
		return bilingual.Say(lang, "되풀이하지 않을게요. "+subject+" 끝나면 멈춰요.", "No more repeating: it stops when “"+m.Title+"” ends.")
	case media.ActMute:
		return bilingual.Say(lang, "소리를 껐어요.", "The sound is off.")
	case media.ActUnmute:
		return bilingual.Say(lang, "소리를 다시 켰어요. 소리 크기는 "+hangul.With(volume, "이에요", "예요")+".", "The sound is on again, at "+volume+".")
	case media.ActLouder, media.ActQuieter, media.ActVolume:
		if act == media.ActVolume && !exactly {
			return bilingual.Say(lang, "소리 크기는 "+hangul.With(volume, "이에요", "예요")+". 0부터 100까지 ‘볼륨 40으로’처럼 말해 주세요.", "The volume is "+volume+". Say how loud, from 0 to 100, such as “volume 40”.")
		}
		return bilingual.Say(lang, "소리 크기를 "+hangul.With(volume, "으로", "로")+" 맞췄어요.", "The volume is now "+volume+".")
	case media.ActWhat:
	}
	text := bilingual.Say(lang, "지금 "+subject+" 나오고 있어요", "Now playing: “"+m.Title+"”")
	if m.Play.Paused {
		text = bilingual.Say(lang, object+" 잠깐 멈춰 뒀어요", "“"+m.Title+"” is paused")
	}
	at := clockOf(m.Position) + " / " + clockOf(m.Seconds)
	return text + bilingual.Say(lang, " ("+at+", 소리 "+volume+").", " ("+at+", volume "+volume+").")
}

// clockOf writes seconds as a player does: 3:05.
func clockOf(seconds float64) string {
	whole := int(math.Max(seconds, 0))
	rest := strconv.Itoa(whole % 60)
	if len(rest) < 2 {
		rest = "0" + rest
	}
	return strconv.Itoa(whole/60) + ":" + rest
}
