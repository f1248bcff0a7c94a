package config

import (
	"encoding/json"
	"fmt"
	"math"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/backend/language/bilingual"
)

// problem says what a value should have been. nil means the value is fine.
type problem = *bilingual.Text

// check turns what a person, a file or another program gave into the value of a setting, or says what is wrong with it.
// Texts such as "8" count as numbers, because flags and the environment know nothing else.
type check func(raw any) (any, problem)

func say(ko, en string, args ...any) problem {
	return &bilingual.Text{KO: fmt.Sprintf(ko, args...), EN: fmt.Sprintf(en, args...)}
}

func whole(minimum, maximum int) check {
	wrong := say("%d에서 %d 사이의 정수를 넣어 주세요", "it should be a whole number from %d to %d", minimum, maximum)
	return func(raw any) (any, problem) {
		f, ok := asNumber(raw)
		if !ok || f != math.Trunc(f) || f < float64(minimum) || f > float64(maximum) {
			return nil, wrong
		}
		return int(f), nil
	}
}

func number(minimum, maximum float64) check {
	wrong := say("%v에서 %v 사이의 수를 넣어 주세요", "it should be a number from %v to %v", minimum, maximum)
	return func(raw any) (any, problem) {
		f, ok := asNumber(raw)
		if !ok || f < minimum || f > maximum {
			return nil, wrong
		}
		return f, nil
	}
}

func oneOf(choices ...string) check {
	list := strings.Join(choices, ", ")
	wrong := say("다음 중에서 골라 주세요: %s", "it should be one of: %s", list)
	return func(raw any) (any, problem) {
		s, ok := raw.(string)
		s = strings.ToLower(strings.TrimSpace(s))
		if !ok || !slices.Contains(choices, s) {
			return nil, wrong
		}
		return s, nil
	}
}

func yesNo(raw any) (any, problem) {
	switch v := raw.(type) {
	case bool:
		return v, nil
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true", "1", "yes", "on":
			return true, nil
		case "false", "0", "no", "off":
			return false, nil
		}
	}
	return nil, say("true나 false를 넣어 주세요", "it should be true or false")
}

// ownAddress is an address of this computer's in a network of its own, or nothing.
func ownAddress(raw any) (any, problem) {
	s, ok := raw.(string)
	s = strings.TrimSpace(s)
	if at, err := netip.ParseAddr(s); !ok || s != "" && (err != nil || !at.IsPrivate() && !at.IsLoopback() && !at.IsLinkLocalUnicast()) {
		return nil, say("192.168.0.7 같은 주소를 넣거나 비워 주세요", "it should be an address such as 192.168.0.7, or empty")
	}
	return s, nil
}

func line(limit int) check {
	return func(raw any) (any, problem) {
		s, ok := raw.(string)
		s = strings.TrimSpace(s)
		if !ok || !utf8.ValidString(s) || utf8.RuneCountInString(s) > limit || strings.ContainsFunc(s, unicode.IsControl) {
			return nil, say("%d자 이하의 글 한 줄을 넣어 주세요", "it should be one line of at most %d characters", limit)
		}
		return s, nil
	}
}

// shortcuts takes words such as "search=p side=d": commands of the window and their keys, which it alone knows.
func shortcuts(raw any) (any, problem) {
	s, ok := raw.(string)
	if !ok || len(s) > 200 || slices.ContainsFunc(strings.Fields(s), func(w string) bool { return !shortcut.MatchString(w) }) {
		return nil, say("‘search=p side=d’처럼 넣어 주세요", "it should be like “search=p side=d”")
	}
	return strings.Join(strings.Fields(s), " "), nil
}

var shortcut = regexp.MustCompile(`^[a-z]+=[a-z,./;]$`)

// folder takes an absolute path; ~ is the person's home.
func folder(home string) check {
	wrong := say("/나 ~로 시작하는 전체 경로를 넣어 주세요", "it should be a full path, such as /music or ~/Music")
	return func(raw any) (any, problem) {
		s, ok := raw.(string)
		if !ok || strings.ContainsRune(s, 0) {
			return nil, wrong
		}
		if s = expandHome(s, home); !filepath.IsAbs(s) {
			return nil, wrong
		}
		return filepath.Clean(s), nil
	}
}

// fileOrNone takes the full path of a file, or nothing.
func fileOrNone(home string) check {
	wrong := say("비우거나 /나 ~로 시작하는 전체 경로를 넣어 주세요", "it should be empty or a full path, such as ~/checkpoints.db")
	whole := folder(home)
	return func(raw any) (any, problem) {
		if s, ok := raw.(string); ok && strings.TrimSpace(s) == "" {
			return "", nil
		}
		value, problem := whole(raw)
		if problem != nil {
			return nil, wrong
		}
		return value, nil
	}
}

// startPath takes a path from the command line or the environment, where relative ones mean the working directory.
func startPath(home string) check {
	wrong := say("경로를 넣어 주세요", "it should be a path")
	return func(raw any) (any, problem) {
		s, ok := raw.(string)
		if !ok || s == "" || strings.ContainsRune(s, 0) {
			return nil, wrong
		}
		abs, err := filepath.Abs(expandHome(s, home))
		if err != nil {
			return nil, wrong
		}
		return abs, nil
	}
}

func expandHome(path, home string) string {
	if path == "~" {
		return home
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
		return filepath.Join(home, rest)
	}
	return path
}

// address takes an http(s) address. A password has no place in a settings file that people share when they ask for help.
func address(raw any) (any, problem) {
	s, ok := raw.(string)
	s = strings.TrimSpace(s)
	if ok && s == "" {
		return "", nil
	}
	u, err := url.Parse(s)
	if !ok || err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, say("http://나 https://로 시작하는 주소를 넣어 주세요", "it should be an address that starts with http:// or https://")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return nil, say("포트는 1에서 65535 사이여야 해요", "the port should be from 1 to 65535")
		}
	}
	if u.User != nil {
		return nil, say("주소에 이름이나 비밀번호를 넣지 마세요", "it should not contain a name or password")
	}
	return strings.TrimRight(s, "/"), nil
}

const ollamaPort = "11434"

// ollamaAddress also takes Ollama's own short forms: "box", "box:11434", ":11434". An address that means "listen
// everywhere" cannot be called, so it becomes this machine.
func ollamaAddress(raw any) (any, problem) {
	if s, ok := raw.(string); ok {
		s = strings.TrimSpace(s)
		if s != "" && !strings.Contains(s, "://") {
			if strings.HasPrefix(s, ":") {
				s = "127.0.0.1" + s
			}
			if u, err := url.Parse("http://" + s); err == nil && u.Port() == "" && u.Host != "" && u.User == nil {
				u.Host += ":" + ollamaPort
				s = u.Host + u.Path
			}
			s = "http://" + s
		}
		raw = strings.Replace(s, "://0.0.0.0", "://127.0.0.1", 1)
	}
	value, wrong := address(raw)
	if wrong == nil && value == "" {
		return nil, say("Ollama가 있는 주소를 넣어 주세요", "it should be the address of Ollama")
	}
	return value, wrong
}

func timeouts(raw any) (any, problem) {
	s, _ := raw.(string)
	parsed, err := ParseModelTimeouts(s)
	if err != nil {
		return nil, say("connect=5s,first=120s,gap=30s처럼 적어 주세요 (%v)", "it should look like connect=5s,first=120s,gap=30s (%v)", err)
	}
	return parsed.String(), nil
}

// asNumber reads what JSON, Go callers and command lines give as a finite number.
func asNumber(raw any) (float64, bool) {
	switch v := raw.(type) {
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	case json.Number:
		return parseNumber(v.String())
	case string:
		return parseNumber(strings.TrimSpace(v))
	}
	return 0, false
}

func parseNumber(s string) (float64, bool) {
	// ParseFloat also reads "inf", "nan" and hexadecimal, which nobody means in a settings file.
	if strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}
