package banks

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarmac/service/statements/bank"
)

// answer is the expected content of one bank file, read from answers.json.
type answer struct {
	File       string
	Format     string
	Statements []expected
	Also       [][]expected
	AgreedBy   []string `json:"agreed_by"`
	Witness    bool     `json:"balance_witness"`
	Investment bool
	Judgement  bool
	Unbalanced bool
	MayRefuse  bool  `json:"may_refuse"`
	EmptyOK    bool  `json:"empty_ok"`
	Tolerance  int64 `json:"tolerance_minor"`
	Expect     string
	Why        string
}

// expected is one bank statement that an answer expects.
type expected struct {
	Account         string
	AccountAlso     []string `json:"account_also"`
	AccountOptional bool     `json:"account_optional"`
	Currency        *string
	CurrencyAlso    []*string `json:"currency_also"`
	Transactions    int64
	Inflow          int64    `json:"inflow_minor"`
	Outflow         int64    `json:"outflow_minor"`
	Opening         *int64   `json:"opening_minor"`
	OpeningOptional bool     `json:"opening_optional"`
	Closing         *int64   `json:"closing_minor"`
	ClosingAlso     []int64  `json:"closing_also"`
	ClosingOptional bool     `json:"closing_optional"`
	First           string   `json:"first_date"`
	Last            string   `json:"last_date"`
	DatesValue      []string `json:"dates_value"`
	DatesUTC        []string `json:"dates_utc"`
	Pending         int64
	Mixed           bool
	Optional        bool
}

// vouched reports whether the answer is reliable: two sources agree on it, or a balance proves it.
func (a *answer) vouched() bool {
	return !a.Investment && !a.Judgement && (len(a.AgreedBy) >= 2 || a.Witness)
}

// Verdicts about a bank file that was read. The script check.py next to the test files uses the
// same words.
const (
	pass = "PASS"
	// fail means that the result differs from an answer that two sources agree on or a balance
	// proves.
	fail = "FAIL"
	// note means that the result differs from a less reliable answer, or that the reader refused a
	// file that it may refuse.
	note = "NOTE"
)

// Suites compares the reader of a format with the expected content of real bank files. These files
// belong to others and are not part of this repository; if they are missing, the test is skipped.
// The map differs holds the files whose result differs from the answer on purpose, with the reason
// given in docs/import.md. The function options returns the import options for a file.
func Suites(t *testing.T, format bank.Format, under string, differs map[string]string,
	options func(file string) bank.Options,
) {
	t.Helper()
	root := filepath.Join("..", "..", "..", "..", "shared", "banks", under)
	if _, err := os.Stat(root); err != nil {
		t.Skipf("SKIPPED: the files of real banks are not there: %v", err)
	}
	counts := map[string]int{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "answers.json" {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var answers []answer
		if err := json.Unmarshal(content, &answers); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for i := range answers {
			verdict, text := judgeFile(format, filepath.Join(filepath.Dir(path), answers[i].File), &answers[i], options)
			counts[verdict]++
			report(t, under, answers[i].File, verdict, text, differs)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d passed, %d failed, %d notes", under, counts[pass], counts[fail], counts[note])
}

func report(t *testing.T, under, file, verdict, text string, differs map[string]string) {
	t.Helper()
	reason, known := differs[file]
	switch {
	case verdict == fail && !known:
		t.Errorf("%s/%s: %s", under, file, text)
	case verdict == fail:
		t.Logf("differs on purpose: %s/%s: %s (%s)", under, file, reason, text)
	case known:
		t.Errorf("%s/%s is said to differ, but does not", under, file)
	case text != "":
		t.Logf("%s %s/%s: %s", verdict, under, file, text)
	}
}

// judgeFile reads a bank file and compares the result with the expected answer.
func judgeFile(
	format bank.Format, path string, want *answer, options func(string) bank.Options,
) (verdict, text string) {
	file, err := os.Open(path)
	if err != nil {
		return fail, err.Error()
	}
	defer file.Close()
	head := make([]byte, bank.HeadSize)
	n, _ := file.Read(head)
	if !format.Recognize(bank.NewBudget(context.Background()), head[:n]) {
		return refused(want, "is not recognized")
	}
	if _, err := file.Seek(0, 0); err != nil {
		return fail, err.Error()
	}
	var flags bank.Options
	if options != nil {
		flags = options(filepath.Base(path))
	}
	found, err := Read(format, file, flags)
	if _, ok := err.(*BrokenRule); ok {
		return fail, err.Error()
	}
	if err != nil {
		return refused(want, err.Error())
	}
	return judge(want, found)
}

// refused returns the verdict about a file that could not be read.
func refused(want *answer, reason string) (verdict, text string) {
	switch {
	case want.Expect != "":
		return pass, ""
	case want.MayRefuse || want.Unbalanced || want.EmptyOK || want.Investment || !want.vouched():
		return note, "refused: " + reason
	}
	return fail, "refused: " + reason
}

// judge compares the statements and lines that were found in a file with the expected answer.
func judge(want *answer, found *Contents) (verdict, text string) {
	lines := 0
	for _, s := range found.Statements {
		lines += len(s.Lines)
	}
	switch {
	case want.Expect == "any", want.Expect == "error-or-empty" && lines == 0,
		want.Expect == "error-or-problem" && len(found.Problems) > 0:
		return pass, ""
	case want.Expect != "":
		return fail, fmt.Sprintf("%d lines are read of a file that is damaged: %s", lines, want.Why)
	}
	var hard, soft []string
	for i, alternative := range append([][]expected{want.Statements}, want.Also...) {
		h, s := compare(alternative, tally(found), want)
		if i == 0 || len(h) < len(hard) {
			hard, soft = h, s
		}
		if len(h) == 0 {
			break
		}
	}
	differences := strings.Join(slices.Concat(hard, soft), "; ")
	switch {
	case len(hard) > 0 && want.vouched():
		return fail, differences
	case len(hard) > 0:
		return note, differences
	}
	return pass, differences
}
