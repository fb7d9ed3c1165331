package journal

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

var hledger = tool{
	name: "hledger", install: "hledger (apt-get install hledger, brew install hledger, or hledger.org)",
}

// readHledger runs hledger twice: first for the names of asset and liability accounts, then for the
// transactions.
func readHledger(ctx context.Context, in *source, found *statements) error {
	accounts := map[string]bool{}
	err := runHledger(ctx, in, func(out io.Reader) error {
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, bank.MaxLine)
		for lines.Scan() {
			accounts[lines.Text()] = true
		}
		if lines.Err() != nil {
			return fmt.Errorf("%w: %w", errOutput, lines.Err())
		}
		return nil
	}, "accounts", "type:ALC")
	if err != nil {
		return err
	}
	return runHledger(ctx, in, func(out io.Reader) error {
		return eachTransaction(ctx, out, func(t *transaction) error { return found.takeTransaction(t, accounts) })
	}, "print", "--explicit", "--output-format=json")
}

func runHledger(ctx context.Context, in *source, read func(io.Reader) error, args ...string) error {
	if in.path != "" {
		return hledger.run(ctx, nil, read, append([]string{"--file=journal:" + in.path}, args...)...)
	}
	if _, err := in.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	err := hledger.run(ctx, in.file, read, append([]string{"--file=journal:-"}, args...)...)
	if refused, ok := err.(*bank.Error); ok && strings.Contains(refused.Reason, "No existing files match") {
		refused.Reason += " (included files are found only if the journal is a file with a path)"
	}
	return err
}

// transaction holds the fields that are used of a transaction in hledger's JSON.
type transaction struct {
	Date        string         `json:"tdate"`
	Description string         `json:"tdescription"`
	Code        string         `json:"tcode"`
	Index       int            `json:"tindex"`
	Position    sourcePosition `json:"tsourcepos"`
	Postings    []hledgerEntry `json:"tpostings"`
}

type hledgerEntry struct {
	Account string  `json:"paccount"`
	Date    *string `json:"pdate"`
	Type    string  `json:"ptype"`
	Amounts []struct {
		Commodity string `json:"acommodity"`
		Quantity  struct {
			Mantissa json.Number `json:"decimalMantissa"`
			Places   int         `json:"decimalPlaces"`
		} `json:"aquantity"`
	} `json:"pamount"`
}

// sourcePosition is the number of a transaction's first line. It is 0 if the hledger version writes
// it in another form.
type sourcePosition int

// UnmarshalJSON reads the line from a list of the start and end positions.
func (p *sourcePosition) UnmarshalJSON(text []byte) error {
	var positions []struct {
		Line int `json:"sourceLine"`
	}
	if json.Unmarshal(text, &positions) == nil && len(positions) > 0 {
		*p = sourcePosition(positions[0].Line)
	}
	return nil
}

// eachTransaction calls visit for each transaction in hledger's JSON output, without holding all of
// them in memory.
func eachTransaction(ctx context.Context, out io.Reader, visit func(*transaction) error) error {
	in := &allowance{in: out, left: maxTransaction}
	decoder := json.NewDecoder(in)
	if _, err := decoder.Token(); err != nil {
		return fmt.Errorf("%w: %w", errOutput, err)
	}
	for count := 0; decoder.More(); count++ {
		if count%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		in.left = maxTransaction
		var next transaction
		if err := decoder.Decode(&next); err != nil {
			return fmt.Errorf("%w: %w", errOutput, err)
		}
		if err := visit(&next); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return fmt.Errorf("%w: %w", errOutput, err)
	}
	return nil
}

// allowance is an io.Reader that returns an error after more than left bytes.
type allowance struct {
	in   io.Reader
	left int
}

func (a *allowance) Read(p []byte) (int, error) {
	if a.left <= 0 {
		return 0, bank.Errorf(0, "a transaction has more than 16 MB")
	}
	n, err := a.in.Read(p)
	a.left -= n
	return n, err
}

// regular is hledger's name for the type of postings that are not virtual.
const regular = "RegularPosting"

// takeTransaction takes the postings of a transaction to the given accounts. It skips virtual
// postings.
func (s *statements) takeTransaction(t *transaction, accounts map[string]bool) error {
	for i, posting := range t.Postings {
		if posting.Type != regular || !accounts[posting.Account] {
			continue
		}
		booked := t.Date
		if posting.Date != nil {
			booked = *posting.Date
		}
		line, err := t.line(booked, posting.Account)
		if err != nil {
			return err
		}
		line.OtherAccount = t.otherAccount(i)
		for _, amount := range posting.Amounts {
			quantity, ok := scaled(string(amount.Quantity.Mantissa), amount.Quantity.Places)
			if !ok {
				return bank.Errorf(line.Place, "an amount %v", bank.ErrTooLarge)
			}
			if quantity.Sign() == 0 && amount.Commodity == "" {
				continue
			}
			line.Raw = raw(booked, t.Description, posting.Account, quantity.FloatString(amount.Quantity.Places),
				amount.Commodity)
			if err := s.take(entry{line, posting.Account, amount.Commodity, quantity}); err != nil {
				return err
			}
		}
	}
	return nil
}

// line returns a line without its amount. In a description, the part before | is the payee.
func (t *transaction) line(booked, account string) (bank.Line, error) {
	at := max(int(t.Position), t.Index, 1)
	if t.Position > 0 {
		at = int(t.Position)
	}
	day, ok := dayOf(booked)
	if !ok {
		return bank.Line{}, bank.Errorf(at, "the date %q is not possible in a statement", bank.Short(booked))
	}
	payee, note, _ := strings.Cut(t.Description, "|")
	return bank.Line{
		Place: at, Booked: day, Counterparty: bank.Text(payee), Description: bank.Text(note), Reference: bank.Text(t.Code),
	}, nil
}

// otherAccount returns the account of the other posting of a transaction. It returns "" if there
// are several.
func (t *transaction) otherAccount(posting int) string {
	other := ""
	for i, p := range t.Postings {
		if i == posting || p.Type != regular {
			continue
		}
		if other != "" {
			return ""
		}
		other = p.Account
	}
	return bank.Text(other)
}

func dayOf(text string) (civil.Date, bool) {
	day, err := civil.Parse(text)
	if err != nil {
		return civil.Date{}, false
	}
	return bank.Day(day.Year(), int(day.Month()), day.Day())
}
