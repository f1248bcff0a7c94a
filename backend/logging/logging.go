// Package logging writes the shop's log: one stream of lines, cleaned of secrets before it reaches the console, the file
// or the window.
package logging

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"gopkg.in/natefinch/lumberjack.v2"

	"agentchat/backend/apperr"
)

const (
	fileMegabytes = 10 // a log file grows to this size before the next begins
	filesKept     = 3  // besides the one being written

	// timeFormat keeps milliseconds even when they are zero, so that lines stay aligned and sort as text.
	timeFormat = "2006-01-02T15:04:05.000Z07:00"
)

// Options say where the log goes. Each place may be left out.
type Options struct {
	Level   string    // trace, debug, info, warn or error; "": info
	File    string    // path; made with its folder, 0600; rotated at 10 MB, three old files are kept
	Console io.Writer // one short readable line per event, such as os.Stderr
	Stream  *Stream   // the live log of the window
}

// Log is the root of all loggers. Derive one per part of the shop with Component.
type Log struct {
	root  zerolog.Logger
	level *atomic.Int32
	file  *lumberjack.Logger
}

// New opens the log. Errors are *apperr.Error: invalid_setting, storage_failed.
func New(o Options) (*Log, error) {
	l := &Log{level: new(atomic.Int32)}
	if o.Level == "" {
		o.Level = zerolog.InfoLevel.String()
	}
	if err := l.SetLevel(o.Level); err != nil {
		return nil, err
	}
	var to tee
	if o.Console != nil {
		to = append(to, zerolog.SyncWriter(zerolog.ConsoleWriter{Out: o.Console, NoColor: true, TimeFormat: "15:04:05.000", TimeLocation: time.Local}))
	}
	if o.File != "" {
		if err := prepare(o.File); err != nil {
			return nil, apperr.Wrap(err, apperr.StorageFailed)
		}
		l.file = &lumberjack.Logger{Filename: o.File, MaxSize: fileMegabytes, MaxBackups: filesKept, LocalTime: true}
		to = append(to, l.file)
	}
	if o.Stream != nil {
		to = append(to, o.Stream)
	}
	l.root = zerolog.New(redactor{to}).Sample(gate{l.level}).Hook(zerolog.HookFunc(stamp))
	return l, nil
}

// Component gives the logger of one part of the shop. Its lines carry the name.
func (l *Log) Component(name string) zerolog.Logger {
	return l.root.With().Str("component", name).Logger()
}

// SetLevel changes how much is logged, at once and for every logger made by Component. Errors: invalid_setting.
func (l *Log) SetLevel(name string) error {
	level, err := zerolog.ParseLevel(name)
	if err != nil || level < zerolog.TraceLevel || level > zerolog.ErrorLevel {
		return apperr.Wrap(err, apperr.InvalidSetting, "key", "log_level", "detail", "trace, debug, info, warn, error")
	}
	l.level.Store(int32(level))
	return nil
}

// Close closes the log file. Lines written later open it again, so closing last loses nothing.
func (l *Log) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// prepare makes the file, or takes an old one away from other readers. lumberjack itself opens it only at the first line,
// when it is too late to tell anyone that it cannot.
func prepare(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Chmod(path, 0o600))
}

// gate lets lines through by a level that can change. It is a sampler because zerolog asks it before it builds a line, so
// a line below the level costs next to nothing.
type gate struct{ level *atomic.Int32 }

// Sample implements zerolog.Sampler.
func (g gate) Sample(level zerolog.Level) bool { return int32(level) >= g.level.Load() }

func stamp(e *zerolog.Event, _ zerolog.Level, _ string) {
	e.Str(zerolog.TimestampFieldName, time.Now().Format(timeFormat))
}

// tee hands every line to all writers, also after one of them failed.
type tee []io.Writer

// Write implements io.Writer.
func (t tee) Write(line []byte) (int, error) {
	var failed []error
	for _, w := range t {
		if _, err := w.Write(line); err != nil {
			failed = append(failed, err)
		}
	}
	return len(line), errors.Join(failed...)
}
