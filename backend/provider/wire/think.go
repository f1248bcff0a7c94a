package wire

import "strings"

var thinkTags = [...]struct{ open, end string }{{"<think>", "</think>"}, {"<thinking>", "</thinking>"}}

// splitter tells reasoning from answer in a stream, wherever the tags are cut. Its zero value is ready.
//
// In free text a reasoning block may begin anywhere. In a structured answer it may only stand before the JSON: inside,
// the tag is a value like any other.
type splitter struct {
	structured bool
	end        string // the tag that ends the block we are in; "" outside
	begun      bool   // something other than space was answered
	held       string // the beginning of what may be a tag
}

// part is one stretch of a stream. reclaim says that all text before it was reasoning whose opening tag was in the prompt.
type part struct {
	text, thinking string
	reclaim        bool
}

// add splits the next piece.
func (s *splitter) add(piece string) []part {
	piece, s.held = s.held+piece, ""
	var parts []part
	for piece != "" {
		at, tag := s.find(piece)
		if at < 0 {
			keep := s.partial(piece)
			piece, s.held = piece[:len(piece)-keep], piece[len(piece)-keep:]
			return s.put(parts, piece)
		}
		parts = s.put(parts, piece[:at])
		piece = piece[at+len(tag):]
		switch {
		case s.end != "":
			s.end = ""
		case strings.HasPrefix(tag, "</"):
			parts = append(parts, part{reclaim: true})
			s.begun = false
		default:
			s.end = "</" + tag[1:]
		}
	}
	return parts
}

// rest gives what was held back when the stream is over.
func (s *splitter) rest() []part {
	held := s.held
	s.held = ""
	return s.put(nil, held)
}

func (s *splitter) put(parts []part, text string) []part {
	if s.end == "" && !s.begun {
		text = strings.TrimLeft(text, " \t\r\n")
		s.begun = text != ""
	}
	switch {
	case text == "":
		return parts
	case s.end != "":
		return append(parts, part{thinking: text})
	}
	return append(parts, part{text: text})
}

// find gives the first tag that matters now, or -1.
func (s *splitter) find(text string) (at int, tag string) {
	at = -1
	for _, t := range s.tags(text) {
		if i := strings.Index(text, t); i >= 0 && (at < 0 || i < at) {
			at, tag = i, t
		}
	}
	if at > 0 && s.structured && s.end == "" && strings.TrimSpace(text[:at]) != "" {
		return -1, ""
	}
	return at, tag
}

func (s *splitter) tags(text string) []string {
	switch {
	case s.end != "":
		return []string{s.end}
	case s.structured && (s.begun || strings.HasPrefix(strings.TrimSpace(text), "{")):
		return nil
	}
	var tags []string
	for _, t := range thinkTags {
		tags = append(tags, t.open, t.end)
	}
	return tags
}

// partial is how many bytes at the end of text may be the beginning of a tag.
func (s *splitter) partial(text string) int {
	longest := 0
	for _, tag := range s.tags(text) {
		for n := min(len(tag)-1, len(text)); n > longest; n-- {
			if strings.HasSuffix(text, tag[:n]) {
				longest = n
			}
		}
	}
	return longest
}
