package main

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/shop"
	"agentchat/backend/tablequery"
)

// TableAnswers gives the answers about tables that a job brought, in the order of its steps.
func (a *App) TableAnswers(job string) ([]tablequery.Result, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]tablequery.Result, error) { return s.TableAnswers(ctx, job) })
}

// mostChart is how many bytes a picture of a chart may have.
const mostChart = 20 << 20

// SaveChart writes the picture of a chart that the window drew: content is an SVG's text, or a PNG in base64, as the path ends. Without a
// path it shows the system's save dialog, with title above it and name as what the file would be called. It gives the path, "" when the
// person closed the dialog.
func (a *App) SaveChart(path, title, name, content string) (string, error) {
	return call(a, func(ctx context.Context, _ *shop.Shop) (string, error) {
		data := []byte(content)
		if strings.HasSuffix(name, ".png") {
			var err error
			if data, err = base64.StdEncoding.DecodeString(content); err != nil {
				return "", apperr.Wrap(err, apperr.InvalidArgs, "detail", "content")
			}
		}
		if ending := filepath.Ext(name); ending != ".png" && ending != ".svg" || len(data) > mostChart {
			return "", apperr.New(apperr.InvalidArgs, "detail", "name")
		}
		path, err := chosen(ctx, path, title, name)
		if err != nil || path == "" {
			return "", err
		}
		if filepath.Ext(path) != filepath.Ext(name) {
			path += filepath.Ext(name)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return "", apperr.Wrap(err, apperr.FileRefused, "path", path, "detail", err.Error())
		}
		return path, nil
	})
}
