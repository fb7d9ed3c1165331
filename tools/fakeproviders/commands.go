package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarmac/internal/money"
	"tarmac/internal/testsupport/faults"
)

const help = `token PROVIDER                    print a new token
revoke PROVIDER                   end the access
relink simplefin                  link the bank again: other ids
add PROVIDER AMOUNT TEXT          book a transaction, such as add simplefin -12.50 Coffee
add stripe AMOUNT NUMBER          send an invoice, such as add stripe 1200 NL-0009
pay stripe · void stripe          pay or void the oldest open invoice
hold PROVIDER AMOUNT TEXT         add a pending transaction
settle PROVIDER                   book the oldest pending transaction
withdraw PROVIDER                 remove the newest booked transaction
fail PROVIDER STATUS [SECONDS]    answer with an error, such as fail simplefin 503 120
fail PROVIDER FAULT               answer wrongly; faults lists how
work PROVIDER                     answer properly again
requests                          print how often each provider was asked
faults · help · quit`

// carryOut carries out a command and returns what to print.
func carryOut(sites []site, line string) string {
	words := strings.Fields(line)
	switch {
	case len(words) == 0:
		return help
	case words[0] == "faults":
		return strings.Join(names(), "\n")
	case words[0] == "requests":
		return requests(sites)
	case words[0] == "help" || len(words) < 2:
		return help
	}
	n := slices.IndexFunc(sites, func(s site) bool { return s.name == words[1] })
	if n < 0 {
		return "no provider is called " + words[1]
	}
	answer, err := sites[n].carryOut(words[0], words[2:])
	if err != nil {
		return err.Error()
	}
	return answer
}

// carryOut carries out a command for one provider.
func (s site) carryOut(command string, words []string) (string, error) {
	if do, ok := s.does[command]; ok {
		return "done", do(words)
	}
	switch command {
	case "token":
		return s.token(), nil
	case "work":
		s.faults.Clear()
		return "done", nil
	case "fail":
		fault, err := faultOf(words)
		if err != nil {
			return "", err
		}
		s.faults.Script(faults.Rule{Fault: fault})
		return "done", nil
	}
	return "", fmt.Errorf("%s has no command %s; help lists the commands", s.name, command)
}

// known returns the faults that have a name.
func known() []faults.Fault { return append(faults.Answers(), faults.Connections()...) }

func names() (all []string) {
	for _, f := range known() {
		all = append(all, f.Name)
	}
	return all
}

// faultOf returns the fault that a command names.
func faultOf(words []string) (faults.Fault, error) {
	name := strings.Join(words, " ")
	if n := slices.IndexFunc(known(), func(f faults.Fault) bool { return f.Name == name }); n >= 0 {
		return known()[n], nil
	}
	status, wait, _ := strings.Cut(name, " ")
	code, err := strconv.Atoi(status)
	if err != nil || code < 400 || code > 599 {
		return faults.Fault{}, fmt.Errorf("%q is no status from 400 to 599, and no fault; faults lists them", name)
	}
	return faults.RetryAfter(code, wait), nil
}

// requests returns how often each provider was asked.
func requests(sites []site) string {
	var all []string
	for _, s := range sites {
		asked := 0
		for _, n := range s.faults.Counts().Requests {
			asked += n
		}
		all = append(all, fmt.Sprintf("%s %d", s.name, asked))
	}
	return strings.Join(all, "\n")
}

// amountAndText reads the arguments of add and hold.
func amountAndText(words []string) (minor int64, text string, err error) {
	if len(words) < 2 {
		return 0, "", errors.New("an amount and a text are needed")
	}
	minor, err = money.ParseSigned("+"+words[0], "USD")
	if strings.HasPrefix(words[0], "-") {
		minor, err = money.ParseSigned(words[0], "USD")
	}
	return minor, strings.Join(words[1:], " "), err
}
