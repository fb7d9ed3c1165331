package bookkeeping

import (
	"testing"

	"tarmac/service/bookrules"
)

func TestFilesOfOneAccountAreRecognizedByItsNumber(t *testing.T) {
	checking := bookrules.Account{Key: 1, Number: "0012-3456789", Currency: "USD", Name: "Checking"}
	euro := bookrules.Account{Key: 2, Number: "DE89 3704 0044 0532 0130 00", Currency: "EUR"}
	masked := bookrules.Account{Key: 3, Number: "xxxx4321", Currency: "USD"}
	i := &importing{accounts: []bookrules.Account{checking, euro, masked}}
	for number, want := range map[string]int64{
		"00123456789": 1, "0012 3456 789": 1, "...6789": 0, "****6789": 1, "XXXX6789": 1, "checking": 1,
		"DE89370400440532013000": 2, "0532013000": 2, "532013000": 2, "3000": 0, "123456789": 1,
		"9999000044324321": 3, "4321": 3, "99999": 0,
	} {
		found := i.find(number, "")

		if len(found) > 1 || (len(found) == 1) != (want != 0) || len(found) == 1 && found[0].Key != want {
			t.Errorf("%q is %v, want account %d", number, found, want)
		}
	}
	if found := i.find("00123456789", "EUR"); found != nil {
		t.Error("an account was found in another currency")
	}
}

func TestNumbersAreShownByTheirLastFourCharacters(t *testing.T) {
	for number, want := range map[string]string{
		"00123456789": "…6789", "DE89 3704 0044 0532 0130 00": "…3000", "xxxx4321": "…4321", "Card": "Card",
		"assets:bank:1234": "assets:bank:1234", "12": "12", "": "",
	} {
		if got := ShortNumber(number); got != want {
			t.Errorf("%q is shown as %q, want %q", number, got, want)
		}
	}
}
