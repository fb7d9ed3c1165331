package jsonbody

import (
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

func text(raw json.RawMessage, path string) (string, error) {
	if raw[0] != '"' {
		return "", newError(path, "must be a string")
	}
	if hasLoneSurrogate(raw) {
		return "", newError(path, "must not hold an unpaired surrogate")
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", newError(path, "must be a string")
	}
	return s, nil
}

// hasLoneSurrogate reports whether a valid JSON string contains a \u escape for half of a surrogate
// pair without the other half. encoding/json would silently replace it with U+FFFD.
func hasLoneSurrogate(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		r, escaped := unicodeEscape(raw[i:])
		if !escaped {
			i++
			continue
		}
		i += escapeSize - 1
		if !utf16.IsSurrogate(r) {
			continue
		}
		if low, _ := unicodeEscape(raw[i+1:]); utf16.DecodeRune(r, low) == utf8.RuneError {
			return true
		}
		i += escapeSize
	}
	return false
}

const escapeSize = len(`\u0000`)

// unicodeEscape decodes the \u escape at the start of raw. The bool is false if raw does not start
// with one.
func unicodeEscape(raw []byte) (rune, bool) {
	if len(raw) < escapeSize || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	r, err := strconv.ParseUint(string(raw[2:escapeSize]), 16, 16)
	return rune(r), err == nil
}
