package ui

import (
	"cmp"
	"strings"
	"testing"
)

func TestKeysThatWorkEverywhere(t *testing.T) {
	d := open(t, healthy())
	for i, p := range d.session.pages {
		d.reach(p)
		if d.session.active != i {
			t.Errorf("%s did not open %s", p.Digit, p.Title)
		}
		d.press("?")
		d.shows("Keys", cmp.Or(p.screen.Help()[0].Title, "This page"))
		d.press(strings.Split("force", "")...)
		d.shows("force quit")
		if d.press("esc") || d.palette.open {
			t.Error("esc in the list of keys did more than close it")
		}
		if !d.press("q") {
			t.Errorf("q does not quit on %s", p.Title)
		}
		if !d.press("ctrl+c") {
			t.Errorf("ctrl+c does not quit on %s", p.Title)
		}
	}
}

func TestWhileTypingLettersAreLetters(t *testing.T) {
	d := open(t, healthy())
	d.press("4", "/")
	if !d.front().State().Typing {
		t.Fatal("/ does not take a keyword")
	}
	if d.press("q", "?", "1") || d.session.active != 3 || d.palette.open {
		t.Error("a typed letter was a command")
	}
	d.shows("q?1")
	if !d.press("ctrl+c") {
		t.Error("ctrl+c does not quit while typing")
	}
}

func TestEveryBindingShowsInHelpAndNoneCollides(t *testing.T) {
	d := open(t, healthy())
	for _, p := range d.session.pages {
		d.reach(p)
		owner := map[string]string{}
		for _, g := range d.helpGroups() {
			for _, b := range g.Bindings {
				if !b.Enabled() {
					continue
				}
				if b.Help().Key == "" || b.Help().Desc == "" {
					t.Errorf("%s: a binding of %q for %v has no help", p.Title, g.Title, b.Keys())
				}
				for _, k := range b.Keys() {
					// Both the screen and the root use esc: the root asks the screen first.
					if other, taken := owner[k]; taken && k != "esc" {
						t.Errorf("%s: %q is both %q and %q", p.Title, k, other, b.Help().Desc)
					}
					owner[k] = b.Help().Desc
				}
			}
		}
	}
}
