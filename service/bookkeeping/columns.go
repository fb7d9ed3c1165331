package bookkeeping

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// columnsKey begins the key of an answer that holds for all files with the same columns.
const columnsKey = "columns "

// columnChoice is an option for which one answer of the user applies to later files with the same
// columns.
type columnChoice struct {
	flag  string
	value func(o bank.Options) string // value of the flag; "" if the option is not set
	set   func(o *bank.Options, value string)
	// ofAccount is true if the answer holds for one account alone: of two files with the same
	// columns, one may be of a card and the other of a bank account.
	ofAccount bool
}

// columnChoices lists the options with remembered answers. The account is not one of these options,
// because several accounts of a bank have files with the same columns.
var columnChoices = [...]columnChoice{
	{
		"--date-format", func(o bank.Options) string { return string(o.DateOrder) },
		func(o *bank.Options, value string) { o.DateOrder = bank.DateOrder(value) }, false,
	},
	{
		"--decimal", func(o bank.Options) string { return map[byte]string{'.': "point", ',': "comma"}[o.Decimal] },
		func(o *bank.Options, value string) { o.Decimal = map[string]byte{"point": '.', "comma": ','}[value] }, false,
	},
	{
		"--sign", func(o bank.Options) string { return string(o.Sign) },
		func(o *bank.Options, value string) { o.Sign = bank.Sign(value) }, true,
	},
	{
		"--amount", func(o bank.Options) string { return o.Amount },
		func(o *bank.Options, value string) { o.Amount = value }, false,
	},
}

// scope says for which files the answer holds, for messages.
func (c *columnChoice) scope() string {
	if c.ofAccount {
		return "for this account and these columns"
	}
	return "for files with these columns"
}

// choiceKey returns the key of the answer about files with certain columns. account is "" unless
// the answer is of an account.
func (r *recognized) choiceKey(flag, account string) string {
	key := columnsKey + r.file.Making + " " + flag
	if account != "" {
		key += " " + account
	}
	return key
}

// recall returns the options for a file: the options that the user has given now, and for each
// other option the user's choice for an earlier file with the same columns.
func (i *importing) recall(r *recognized, given bank.Options) bank.Options {
	if r.format.Making == nil {
		return given
	}
	for n := range columnChoices {
		choice := &columnChoices[n]
		if choice.value(given) != "" {
			continue
		}
		if earlier := i.earlierChoice(r, choice, given); earlier != "" {
			choice.set(&given, earlier)
		}
	}
	return given
}

// earlierChoice returns the user's answer for earlier files with the same columns; "" if there is
// none. An answer of an account counts if all accounts in the file have the same.
func (i *importing) earlierChoice(r *recognized, choice *columnChoice, options bank.Options) (answer string) {
	if !choice.ofAccount {
		return i.answers[r.choiceKey(choice.flag, "")]
	}
	prefix := r.choiceKey(choice.flag, "") + " "
	anyAnswer := false
	for key := range i.answers {
		anyAnswer = anyAnswer || strings.HasPrefix(key, prefix)
	}
	if !anyAnswer {
		return ""
	}
	var accounts numbers
	for _, sign := range [...]bank.Sign{bank.OutNegative, bank.DebitOut} {
		// With one of these answers the reader comes to the accounts. Which one makes no
		// difference.
		options.Sign, accounts = sign, nil
		if err := r.read(options, &accounts); errors.Is(err, errProbed) {
			break
		}
	}
	for n, s := range accounts {
		next := i.answers[r.choiceKey(choice.flag, i.choiceAccount(s.Account.Number, s.Currency))]
		if n > 0 && next != answer {
			return ""
		}
		answer = next
	}
	return answer
}

// choiceAccount returns the text that stands for an account in keys of answers: the end of its
// number, or the whole number if another account has the same end.
func (i *importing) choiceAccount(number, currency string) string {
	if found := i.find(number, currency); len(found) == 1 {
		number = found[0].Number
	} else if found, err := i.typed(number, currency); err == nil && len(found) == 1 {
		number = found[0].Number
	}
	end := bookrules.NumberEnd(number)
	whole, _ := bookrules.UnmaskedNumber(number)
	for _, n := range i.index().candidates(end) {
		a := &i.accounts[n]
		if other, _ := bookrules.UnmaskedNumber(a.Number); bookrules.NumberEnd(a.Number) == end && other != whole {
			return whole
		}
	}
	return cmp.Or(end, "-")
}

// remember stores the options that the user has given for a file, for later files with the same
// columns. It leaves out options that the file itself decides.
func (i *importing) remember(r *recognized, given bank.Options, statements []*collected) error {
	if r.format.Making == nil {
		return nil
	}
	for n := range columnChoices {
		choice := &columnChoices[n]
		value, keys := choice.value(given), []string{r.choiceKey(choice.flag, "")}
		if choice.ofAccount {
			keys = i.choiceKeys(r, choice.flag, statements)
		}
		keys = slices.DeleteFunc(keys, func(key string) bool { return i.answers[key] == value })
		if value == "" || len(keys) == 0 {
			continue
		}
		switch open, err := i.leavesOpen(r, choice.flag); {
		case err != nil:
			return err
		case !open:
			continue
		}
		for _, key := range keys {
			i.answer(key, value)
		}
	}
	return nil
}

// choiceKeys returns the keys of an answer for each account in a file.
func (i *importing) choiceKeys(r *recognized, flag string, statements []*collected) (keys []string) {
	of := map[int64]bool{}
	for _, s := range statements {
		of[s.stored.Account] = true
	}
	for _, a := range i.accounts {
		if of[a.Key] {
			keys = append(keys, r.choiceKey(flag, i.choiceAccount(a.Number, a.Currency)))
		}
	}
	return keys
}

// recalled returns a warning for each option whose value comes from an earlier answer, because
// neither the file nor a flag of this import sets the option.
func (i *importing) recalled(r *recognized, given bank.Options) (problems []string) {
	for n := range columnChoices {
		choice := &columnChoices[n]
		value := choice.value(i.readOptions)
		if value == choice.value(given) {
			continue
		}
		if open, err := i.leavesOpen(r, choice.flag); err == nil && open {
			problems = append(problems, fmt.Sprintf("read with %s %s, as answered before %s",
				choice.flag, value, choice.scope()))
		}
	}
	return problems
}

// leavesOpen reports whether a file cannot be read without an option.
func (i *importing) leavesOpen(r *recognized, flag string) (bool, error) {
	options := i.readOptions
	for _, choice := range columnChoices {
		if choice.flag == flag {
			choice.set(&options, "")
		}
	}
	err := r.read(options, probe{})
	if q := new(bank.Question); errors.As(err, &q) {
		return q.Flag == flag, nil
	}
	if errors.Is(err, errProbed) {
		err = nil
	}
	return false, err
}

// probe is a sink that stops the reader at the first record. A reader passes on a record only when
// it needs no further options.
type probe struct{}

// errProbed is the error with which a probe stops the reader.
var errProbed = errors.New("nothing is open")

func (probe) Statement(*bank.Statement) error               { return errProbed }
func (probe) Line(*bank.Statement, bank.Line) error         { return errProbed }
func (probe) OpenList(*bank.OpenItems) error                { return errProbed }
func (probe) OpenItem(*bank.OpenItems, bank.OpenItem) error { return errProbed }
func (probe) Rate(bank.Rate) error                          { return errProbed }
func (probe) Problem(int, string)                           {}

// numbers is a sink that collects the statements of a file and stops the reader at the first line.
type numbers []*bank.Statement

func (n *numbers) Statement(s *bank.Statement) error           { *n = append(*n, s); return nil }
func (*numbers) Line(*bank.Statement, bank.Line) error         { return errProbed }
func (*numbers) OpenList(*bank.OpenItems) error                { return errProbed }
func (*numbers) OpenItem(*bank.OpenItems, bank.OpenItem) error { return errProbed }
func (*numbers) Rate(bank.Rate) error                          { return errProbed }
func (*numbers) Problem(int, string)                           {}
