package jsonbody

import (
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

func text(raw json.RawMessage, at string) (string, error) {
	if raw[0] != '"' {
		return "", refusal(at, "must be a string")
	}
	if halfPair(raw) {
		return "", refusal(at, "must not hold half of a surrogate pair")
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", refusal(at, "must be a string")
	}
	return s, nil
}

// halfPair reports whether a well-formed JSON string escapes a surrogate that is
// no half of a pair. encoding/json puts U+FFFD in its place, as if that had been
// sent.
func halfPair(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		r, escaped := unicodeEscape(raw[i:])
		if !escaped {
			i++
			continue
		}
		i += escapeLength - 1
		if !utf16.IsSurrogate(r) {
			continue
		}
		if low, _ := unicodeEscape(raw[i+1:]); utf16.DecodeRune(r, low) == utf8.RuneError {
			return true
		}
		i += escapeLength
	}
	return false
}

const escapeLength = len(`\u0000`)

// unicodeEscape reads the escape that raw begins with, if it does.
func unicodeEscape(raw []byte) (rune, bool) {
	if len(raw) < escapeLength || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	r, err := strconv.ParseUint(string(raw[2:escapeLength]), 16, 16)
	return rune(r), err == nil
}
