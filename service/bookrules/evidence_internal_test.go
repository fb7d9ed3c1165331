package bookrules

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/statements/bank"
)

// plainEvidence finds evidence as EvidenceFinder does, but looks for each account in each text.
type plainEvidence struct{ *EvidenceFinder }

func (f plainEvidence) others(a Account, match func(k *knownAccount) bool) (found []*knownAccount) {
	for i := range f.accounts {
		if k := &f.accounts[i]; k.Key != a.Key && match(k) {
			found = append(found, k)
		}
	}
	return found
}

func (f plainEvidence) find(a Account, l bank.Line) Evidence {
	upper := strings.ToUpper(l.Counterparty + "\n" + l.Description + "\n" + l.Reference)
	text := evidenceText{upper: upper, words: words(upper)}
	isNumbered := func(k *knownAccount) bool {
		return plainIsNumber(k, l.OtherAccount) || plainHasNumber(upper, k.number) || plainHasEnd(upper, k.last)
	}
	own := &f.accounts[slices.IndexFunc(f.accounts, func(k knownAccount) bool { return k.Key == a.Key })]
	numbered := f.others(a, func(k *knownAccount) bool {
		return isNumbered(k) && !(own.last != "" && isNumbered(own) && k.sharesEnd(own))
	})
	if len(numbered) > 0 {
		return f.strong(numbered).from(FromNumber)
	}
	return f.byWords(a, &l, &text).from(FromText)
}

func plainIsNumber(k *knownAccount, number string) bool {
	number = squeeze(number)
	return k.number != "" && number != "" && (number == k.number ||
		len(k.number) >= 8 && strings.HasSuffix(number, k.number) || len(number) >= 8 && strings.HasSuffix(k.number, number))
}

func plainHasNumber(upper, number string) bool {
	switch {
	case number == "":
		return false
	case len(number) >= unmistakable:
		return strings.Contains(squeeze(upper), number) ||
			slices.ContainsFunc(longNumbers(upper), func(end string) bool { return strings.HasSuffix(number, end) })
	}
	for at := range upper {
		rest, found := strings.CutPrefix(upper[at:], number)
		if found && !endsInDigit(upper[:at]) && !beginsWithDigit(rest) {
			return true
		}
	}
	return false
}

func plainHasEnd(upper, last string) bool {
	for at := range upper {
		rest, found := strings.CutPrefix(upper[at:], last)
		before := upper[:at]
		if last == "" || !found || beginsWithDigit(rest) || endsInDigit(before) {
			continue
		}
		mask := strings.TrimRight(before, " ")
		if strings.HasSuffix(mask, "...") || strings.HasSuffix(mask, "…") {
			return true
		}
		if before != "" && strings.ContainsRune("*#•", []rune(before)[len([]rune(before))-1]) {
			return true
		}
		fields := strings.Fields(words(before))
		if len(fields) == 0 {
			continue
		}
		word := fields[len(fields)-1]
		if strings.Trim(word, "X") == "" && strings.HasSuffix(mask, word) || slices.Contains(endHints, word) {
			return true
		}
	}
	return false
}

func (f plainEvidence) byWords(a Account, l *bank.Line, text *evidenceText) Evidence {
	transfer, payment := text.hasAny(transferWords), text.hasAny(paymentWords)
	if a.Role == Card && l.Minor > 0 && payment {
		payers := f.others(a, func(k *knownAccount) bool { return k.Role != Card })
		return Evidence{Strength: StrongEvidence, Others: keysOf(payers)}
	}
	if transfer {
		if named := f.others(a, func(k *knownAccount) bool { return text.has(k.name) }); len(named) > 0 {
			return f.strong(named)
		}
	}
	card := text.hasAny(cardWords)
	weak := keysOf(f.others(a, func(k *knownAccount) bool {
		switch {
		case k.Role == Card && l.Minor < 0:
			return payment && (card || slices.ContainsFunc(k.banks, func(name bankName) bool {
				return name.sure && text.has(name.words) || text.namesBank(name.words)
			}))
		case transfer:
			return k.Role == Savings && text.has("SAVINGS") || k.Role == Operating && text.has("CHECKING")
		}
		return false
	}))
	if len(weak) > 0 {
		return Evidence{Strength: WeakEvidence, Others: weak}
	}
	counterparty, strength := evidenceText{upper: strings.ToUpper(l.Counterparty)}, PossibleBank
	named := keysOf(f.others(a, func(k *knownAccount) bool {
		return slices.ContainsFunc(k.banks, func(name bankName) bool {
			if !text.has(name.words) || slices.Contains(f.banks[a.Key], name) ||
				!counterparty.namesBank(name.words) && !(text.hasAny(movementWords) && text.namesBank(name.words)) {
				return false
			}
			if name.sure {
				strength = NamedBank
			}
			return true
		})
	}))
	if len(named) == 0 {
		return Evidence{}
	}
	return Evidence{Strength: strength, Others: named}
}

func TestEvidenceIsThatOfLookingForEachAccount(t *testing.T) {
	digits := []string{
		"1234567890", "4567890", "1111222233334444", "0001234567890", "22223333", "XXXX4444", "12-345678", "567890",
	}
	banks := []string{"First Harbor Bank", "Union", "Chase", "American Express", "Union Bank", "JPMorgan Chase Bank", ""}
	names := []string{"Rainy Day", "Rainy Day Fund", "Reserve", "Payroll", "Union Bank", "Acme Inc", "Day", ""}
	fragments := slices.Concat(digits, banks, names, []string{
		"transfer to", "ACH", "payment", "autopay", "credit card", "savings", "checking", "ending in", "...", "xxxx", "*",
		"4444", "7890", "x4444", "acct 7890", "1234 5678 90", "via", "from", ":", "567890.", "/", "ß", "wire", "…3333",
	})
	rapid.Check(t, func(t *rapid.T) {
		accounts := make([]Account, rapid.IntRange(1, 8).Draw(t, "accounts"))
		for n := range accounts {
			accounts[n] = Account{
				Key: int64(n + 1), Number: rapid.SampledFrom(digits).Draw(t, "number"), Currency: "USD",
				Bank: rapid.SampledFrom(banks).Draw(t, "bank"), Name: rapid.SampledFrom(names).Draw(t, "name"),
				Role:    rapid.SampledFrom([]Role{Operating, Savings, Card, Excluded}).Draw(t, "role"),
				Renamed: rapid.Bool().Draw(t, "renamed"),
			}
		}
		f := NewEvidenceFinder(accounts)
		for n, k := range f.accounts {
			shared := slices.ContainsFunc(accounts, func(b Account) bool {
				return b.Key != k.Key && strings.Contains(words(b.Name), words(accounts[n].Name))
			})
			if shared && k.name != "" {
				t.Fatalf("the name %q is a part of another name", k.name)
			}
		}
		text := func(label string) string {
			parts := rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 6).Draw(t, label)
			return strings.Join(parts, rapid.SampledFrom([]string{" ", "", "-"}).Draw(t, "between"))
		}
		line := bank.Line{
			Minor: int64(rapid.SampledFrom([]int{-5, 5}).Draw(t, "amount")), Counterparty: text("counterparty"),
			Description: text("description"), OtherAccount: rapid.SampledFrom(append(digits, "")).Draw(t, "other"),
		}
		for _, of := range accounts {
			if of.Role == Excluded {
				continue
			}
			got, want := f.Find(of, line, Outcome{}), (plainEvidence{f}).find(of, line)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("evidence of %d is %+v, want %+v", of.Key, got, want)
			}
		}
	})
}
