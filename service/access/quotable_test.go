package access_test

import (
	"strings"
	"testing"

	"tarmac/service/access"
)

func TestMessagesQuoteShortPlainWordsOnly(t *testing.T) {
	for value, want := range map[string]bool{
		"": true, "status[0]": true, strings.Repeat("a", 64): true, strings.Repeat("a", 65): false,
		"a b": false, "a\n": false,
	} {
		if got := access.IsQuotable(value); got != want {
			t.Errorf("%q: %t", value, got)
		}
	}
}
