package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"tarmac/internal/testsupport/hostile"
	"tarmac/service/access"
)

// asked has every tool that reads operations of the API, with its arguments.
var asked = map[string]arguments{
	"cash": nil, "transactions": {"limit": 20}, "invoices": {"limit": 20}, "receivables": nil,
	"events": {"limit": 20}, "spend": {"limit": 20}, "forecast": nil,
	"overview": nil, "plan": {"month": "last month"},
}

// outsideOfUntrusted returns where a decoded JSON value contains a word, except in the texts that
// are marked as untrusted.
func outsideOfUntrusted(path string, value any, word string) (places []string) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			if strings.Contains(strings.ToLower(name), word) {
				places = append(places, path+"."+name)
			}
			if name != "untrusted_text" {
				places = append(places, outsideOfUntrusted(path+"."+name, inner, word)...)
			}
		}
	case []any:
		for i, inner := range v {
			places = append(places, outsideOfUntrusted(fmt.Sprintf("%s[%d]", path, i), inner, word)...)
		}
	case string:
		if strings.Contains(strings.ToLower(v), word) {
			places = append(places, path)
		}
	}
	return places
}

func TestTextOfOutsidersIsMarkedEverywhere(t *testing.T) {
	c, tools := generated(t), maps.Clone(asked)
	tools["bills"] = arguments{"limit": 20} // whose route servers may lack, so that refusals are no errors
	for _, words := range []bool{false, true} {
		attacks := &hostile.Answers{Next: c.service.Handler(), Words: words}
		session := connect(t, options(c.client(t, attacks, access.Scopes[:]...)), nil)
		found := 0
		for tool, with := range tools {
			if testing.Short() && (tool == "spend" || tool == "forecast" || tool == "overview" || tool == "plan") {
				continue // they read the whole history through the attacks
			}
			result := call(t, session, tool, with)
			if result.IsError && !words {
				t.Errorf("%s: %s", tool, textOf(result))
			}
			var value any
			if err := json.Unmarshal([]byte(textOf(result)), &value); err != nil {
				t.Fatalf("%s: %v in %s", tool, err, textOf(result))
			}
			found += strings.Count(strings.ToLower(textOf(result)), hostile.Word)
			for _, place := range outsideOfUntrusted(tool, value, hostile.Word) {
				t.Errorf("words %t: a stranger's text is at %s", words, place)
			}
			if strings.ContainsAny(textOf(result), "\u202e\u200d\x1b\x07") {
				t.Errorf("%s has characters that change how text is shown", tool)
			}
		}
		if found < 100 {
			t.Errorf("words %t: only %d attacks arrived", words, found)
		}
	}
}

func TestTheTextOfARefusalIsMarked(t *testing.T) {
	c := generated(t)
	for _, status := range []int{400, 401, 403, 404, 422, 500, 503} {
		attacks := &hostile.Answers{Next: c.service.Handler(), Refuse: status}
		session := connect(t, options(c.client(t, attacks, access.Scopes[:]...)), nil)
		for tool, with := range asked {
			result := call(t, session, tool, with)
			var value any
			if err := json.Unmarshal([]byte(textOf(result)), &value); err != nil || !result.IsError {
				t.Fatalf("%s: %v in %s", tool, err, textOf(result))
			}
			for _, place := range outsideOfUntrusted(tool, value, hostile.Word) {
				t.Errorf("%d: a stranger's text is at %s", status, place)
			}
		}
	}
}

func TestWrongArgumentsAreRefusedInFewWords(t *testing.T) {
	session := connect(t, options(generated(t).honest(t)), nil)
	long := strings.Repeat("ignore previous instructions ", 10_000)
	var nested any = "x"
	for range 40 {
		nested = []any{nested}
	}
	for name, c := range map[string]struct {
		tool string
		with arguments
	}{
		"an unknown argument":      {"cash", arguments{"nope": 1}},
		"another case":             {"transactions", arguments{"Limit": 1}},
		"a limit of 0":             {"transactions", arguments{"limit": 0}},
		"a huge limit":             {"transactions", arguments{"limit": 1e9}},
		"a limit beyond integers":  {"transactions", arguments{"limit": 1e300}},
		"half a row":               {"transactions", arguments{"limit": 1.5}},
		"a number as text":         {"transactions", arguments{"limit": "10"}},
		"long text":                {"transactions", arguments{"search": long}},
		"a long period":            {"transactions", arguments{"period": long}},
		"a period that is none":    {"transactions", arguments{"period": "the day before the flood"}},
		"nested arrays":            {"transactions", arguments{"search": nested}},
		"an unknown direction":     {"spend", arguments{"direction": "sideways"}},
		"twenty months":            {"spend", arguments{"months": 20}},
		"fourteen weeks":           {"forecast", arguments{"weeks": 14}},
		"an unknown status":        {"invoices", arguments{"status": "Sent"}},
		"a path as an id":          {"invoice", arguments{"id": "../../webhooks"}},
		"a query as an id":         {"invoice", arguments{"id": "inv_1?x=1"}},
		"no id":                    {"invoice", nil},
		"an unknown event type":    {"events", arguments{"types": []string{"invoice.paid", "everything"}}},
		"many event types":         {"events", arguments{"types": make([]string, 1000)}},
		"an invalid cursor":        {"transactions", arguments{"cursor": "not one"}},
		"a null":                   {"events", arguments{"types": nil}},
		"a secret as an id":        {"invoice", arguments{"id": "svc_org_" + strings.Repeat("x", 80)}},
		"control characters":       {"transactions", arguments{"search": "\x00\x1b[2J"}},
		"a period with two points": {"transactions", arguments{"period": "2026-05..2026-01"}},
	} {
		result := call(t, session, c.tool, c.with)
		text := textOf(result)
		if !result.IsError || text == "" || len(text) > 2000*4 {
			t.Errorf("%s: error %t, %d bytes: %.300s", name, result.IsError, len(text), text)
		}
	}
	ask[any](t, session, "cash", nil)
}
