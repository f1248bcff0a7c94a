package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
)

// engineLicences writes what the engine's Go program is made of, with every licence: source is the folder of its module, which a list of
// what it is linked of leaves out.
func engineLicences(out io.Writer, source string) error {
	own, err := licenceText(source)
	if err != nil {
		return err
	}
	parts, err := linked(source, []system{{os: runtime.GOOS}}, ".")
	if err != nil {
		return err
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.Name, b.Name) })
	parts = append([]part{{Name: "Ollama", Licence: spdx(own), text: own}}, parts...)
	for _, p := range parts {
		_, worse := fmt.Fprintf(out, "%s (%s)\n\n%s\n\n========\n\n", strings.TrimSpace(p.Name+" "+p.Version), p.Licence, p.text)
		err = errors.Join(err, worse)
	}
	return err
}
