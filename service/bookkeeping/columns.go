package bookkeeping

import (
	"errors"
	"fmt"

	"tarmac/service/statements/bank"
)

// columnsKey is the first word of the keys of answers about files with certain columns.
const columnsKey = "columns "

// columnChoices lists the options for which one answer of the user applies to all files with the
// same columns. The account is not one of these options, because several accounts of a bank have
// files with the same columns.
var columnChoices = [...]struct {
	flag  string
	value func(o bank.Options) string // value of the flag; "" if the option is not set
	set   func(o *bank.Options, value string)
}{
	{
		"--date-format", func(o bank.Options) string { return string(o.DateOrder) },
		func(o *bank.Options, value string) { o.DateOrder = bank.DateOrder(value) },
	},
	{
		"--decimal", func(o bank.Options) string { return map[byte]string{'.': "point", ',': "comma"}[o.Decimal] },
		func(o *bank.Options, value string) { o.Decimal = map[string]byte{"point": '.', "comma": ','}[value] },
	},
	{
		"--sign", func(o bank.Options) string { return string(o.Sign) },
		func(o *bank.Options, value string) { o.Sign = bank.Sign(value) },
	},
}

func (r *recognized) choiceKey(flag string) string { return columnsKey + r.file.Making + " " + flag }

// recall returns the options for a file: the options that the user has given now, and for each
// other option the user's choice for an earlier file with the same columns.
func (i *importing) recall(r *recognized, given bank.Options) bank.Options {
	if r.format.Making == nil {
		return given
	}
	for _, choice := range columnChoices {
		if earlier := i.answers[r.choiceKey(choice.flag)]; earlier != "" && choice.value(given) == "" {
			choice.set(&given, earlier)
		}
	}
	return given
}

// remember stores the options that the user has given for a file, for later files with the same
// columns. It leaves out options that the file itself decides.
func (i *importing) remember(r *recognized, given bank.Options) error {
	if r.format.Making == nil {
		return nil
	}
	for _, choice := range columnChoices {
		key, value := r.choiceKey(choice.flag), choice.value(given)
		if value == "" || i.answers[key] == value {
			continue
		}
		switch open, err := i.leavesOpen(r, choice.flag); {
		case err != nil:
			return err
		case !open:
			continue
		}
		if err := i.answer(key, value); err != nil {
			return storeError{err}
		}
	}
	return nil
}

// recalled returns a warning for each option whose value comes from an earlier answer, because
// neither the file nor a flag of this import sets the option.
func (i *importing) recalled(r *recognized, given bank.Options) (problems []string) {
	for _, choice := range columnChoices {
		value := choice.value(i.readOptions)
		if value == choice.value(given) {
			continue
		}
		if open, err := i.leavesOpen(r, choice.flag); err == nil && open {
			problems = append(problems, fmt.Sprintf("read with %s %s, as answered before for files with these columns",
				choice.flag, value))
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
	err := r.read(i.ctx, options, probe{})
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
