// Package lazyregexp compiles a package's regular expressions when they are first used. There are hundreds of them, and a
// program that compiles all before it begins shows its window later and keeps them for words nobody may ever say.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is a regular expression that is compiled when it is first used. Safe for concurrent use.
type Regexp struct {
	text string
	once sync.Once
	made *regexp.Regexp
}

// A mistake in an expression is found by any test of the package it stands in.
var inTest = strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New keeps the expression; what cannot be compiled panics, as regexp.MustCompile does.
func New(text string) *Regexp {
	re := &Regexp{text: text}
	if inTest {
		re.compiled()
	}
	return re
}

func (re *Regexp) compiled() *regexp.Regexp {
	re.once.Do(func() { re.made = regexp.MustCompile(re.text) })
	return re.made
}

// MatchString is regexp.Regexp's.
func (re *Regexp) MatchString(text string) bool {
	return re.compiled().MatchString(text)
}

// FindString is regexp.Regexp's.
func (re *Regexp) FindString(text string) string {
	return re.compiled().FindString(text)
}

// FindStringIndex is regexp.Regexp's.
func (re *Regexp) FindStringIndex(text string) []int {
	return re.compiled().FindStringIndex(text)
}

// FindStringSubmatch is regexp.Regexp's.
func (re *Regexp) FindStringSubmatch(text string) []string {
	return re.compiled().FindStringSubmatch(text)
}

// FindStringSubmatchIndex is regexp.Regexp's.
func (re *Regexp) FindStringSubmatchIndex(text string) []int {
	return re.compiled().FindStringSubmatchIndex(text)
}

// FindAllString is regexp.Regexp's.
func (re *Regexp) FindAllString(text string, n int) []string {
	return re.compiled().FindAllString(text, n)
}

// FindAllStringIndex is regexp.Regexp's.
func (re *Regexp) FindAllStringIndex(text string, n int) [][]int {
	return re.compiled().FindAllStringIndex(text, n)
}

// FindAllStringSubmatch is regexp.Regexp's.
func (re *Regexp) FindAllStringSubmatch(text string, n int) [][]string {
	return re.compiled().FindAllStringSubmatch(text, n)
}

// FindAllStringSubmatchIndex is regexp.Regexp's.
func (re *Regexp) FindAllStringSubmatchIndex(text string, n int) [][]int {
	return re.compiled().FindAllStringSubmatchIndex(text, n)
}

// ReplaceAllString is regexp.Regexp's.
func (re *Regexp) ReplaceAllString(text, by string) string {
	return re.compiled().ReplaceAllString(text, by)
}

// ReplaceAllStringFunc is regexp.Regexp's.
func (re *Regexp) ReplaceAllStringFunc(text string, by func(string) string) string {
	return re.compiled().ReplaceAllStringFunc(text, by)
}

// Split is regexp.Regexp's.
func (re *Regexp) Split(text string, n int) []string {
	return re.compiled().Split(text, n)
}
