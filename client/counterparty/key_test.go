package counterparty_test

import (
	"slices"
	"testing"

	"tarmac/client/counterparty"
)

func TestNamesOfOneCounterpartyHaveOneKey(t *testing.T) {
	for _, names := range [][]string{
		{"Kestrel CRM", "KESTREL CRM", "Kestrel  CRM, Inc.", "kestrel crm llc", "Kestrel CRM Inc"},
		{"Café Ströbel", "Cafe\u0301 Stro\u0308bel", "CAFÉ STRÖBEL GmbH", "Café Ströbel GmbH & Co. KG"},
		{"株式会社みどり", "みどり", "みどり株式会社"},
		{"Søndergaard & Sønner A/S", "SØNDERGAARD & SØNNER"},
		{"Nordlys S.p.A.", "Nordlys SpA", "ＮＯＲＤＬＹＳ"},
		{"Łódź Logistyka Sp. z o.o.", "Łódź Logistyka"},
		{"Quay Pty Ltd", "QUAY"},
		{"Straße 9", "STRASSE 9"},
		{"Co", "CO"},
		{"Shenlan Motion", "SHENLAN MOTION CO", "Shenlan Motion Co., Ltd."},
	} {
		want := counterparty.Key(names[0])
		for _, name := range names[1:] {
			if got := counterparty.Key(name); got != want {
				t.Errorf("Key(%q) = %q, but Key(%q) = %q", name, got, names[0], want)
			}
		}
	}
}

func TestOtherNamesHaveOtherKeys(t *testing.T) {
	keys := map[string]string{}
	for _, name := range []string{
		"Juniper Bistro", "Juniper Hotel", "Juniper", "Lantern Rail", "Lantern", "(unknown)", "Unit 5", "Unit 6", "...", "!",
		"H&M", "HM", "Studio 1", "Studio I",
	} {
		key := counterparty.Key(name)
		if other, taken := keys[key]; taken || key == "" {
			t.Errorf("%q and %q have the key %q", name, other, key)
		}
		keys[key] = name
	}
}

func TestALongerNameIsTheCounterpartyOfTheShorterOne(t *testing.T) {
	for name, test := range map[string]struct{ names, want string }{
		"more words":                    {"seabrook hotels retainer", "seabrook hotels"},
		"the same":                      {"seabrook hotels", "seabrook hotels"},
		"only a beginning in common":    {"seabrook house", "seabrook house"},
		"not a whole word":              {"seabrook hotelsgroup", "seabrook hotelsgroup"},
		"one word":                      {"seabrook", "seabrook"},
		"a short name":                  {"ab cdef loan", "ab cdef loan"},
		"the shortest of several":       {"seabrook hotels east wing", "seabrook hotels"},
		"a sign is no word":             {"wren & sons retainer", "wren & sons"},
		"a word and a sign are not two": {"seabrooks & retainer", "seabrooks & retainer"},
	} {
		got := counterparty.Base(test.names, func(key string) bool {
			return slices.Contains([]string{
				"seabrook hotels", "seabrook hotels east", "seabrook", "ab cdef", "wren & sons", "seabrooks &",
			}, key)
		})

		if got != test.want {
			t.Errorf("%s: the base of %q is %q, want %q", name, test.names, got, test.want)
		}
	}
}
