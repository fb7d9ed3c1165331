package webhook

import (
	"encoding/hex"
	"errors"
	"regexp"
	"strings"
	"testing"
)

var (
	stamps     = regexp.MustCompile(`(^|,)t=(0|[1-9][0-9]{0,10})(,|$)`)
	signatures = regexp.MustCompile(`(^|,)v1=[0-9a-f]{64}(,|$)`)
)

// Any header is either refused with one of two errors, or yields a time and signatures that
// it contains.
func FuzzParse(f *testing.F) {
	v1 := "v1=" + strings.Repeat("0a", 32)
	for _, seed := range []string{"", "t=1," + v1, v1 + ",t=1," + v1, "t=1,v0=x," + v1, "t=1", v1, "t=1,t=2," + v1,
		"t=01," + v1, "t=1, " + v1, "t=1,v1=", ",,=", "t=1,v1=" + strings.Repeat("0A", 32), "t==,v1=="} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		s, err := parse(header)
		if err != nil {
			if !errors.Is(err, ErrMalformed) && !errors.Is(err, ErrNoSignature) {
				t.Fatal(err)
			}
			return
		}
		if !stamps.MatchString(header) || !signatures.MatchString(header) || strings.ContainsAny(header, " \t\r\n") ||
			len(header) > maxHeader {
			t.Fatalf("%q was read as %+v", header, s)
		}
		if len(s.v1) == 0 || len(s.v1) > maxSignatures || !strings.Contains(header, "t="+s.t) || s.at.Unix() < 0 {
			t.Fatalf("%q was read as %+v", header, s)
		}
		for _, raw := range s.v1 {
			if !strings.Contains(header, "v1="+hex.EncodeToString(raw)) {
				t.Fatalf("%q has no signature %x", header, raw)
			}
		}
	})
}
