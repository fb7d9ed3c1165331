package journal_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/internal/testsupport/journaltools"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/journal"
)

const simple = "2026-01-01 x\n  assets:a  1 USD\n  income\n"

// pretend puts a script in the place of hledger and removes all other programs.
func pretend(t *testing.T, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: needs a shell")
	}
	directory := t.TempDir()
	if script != "" {
		write(t, filepath.Join(directory, "hledger"), "#!/bin/sh\n"+script, 0o700)
	}
	t.Setenv("PATH", directory)
}

func TestAMissingToolIsNamed(t *testing.T) {
	pretend(t, "")

	for format, tool := range map[string]bank.Format{"hledger": journal.Hledger(), "beancount": journal.Beancount()} {
		_, err := read(t, tool, simple, bank.Options{})

		if _, ok := err.(*bank.Error); !ok || !strings.Contains(err.Error(), "install "+format) {
			t.Errorf("error is %v", err)
		}
	}
}

func TestOutputThatCannotBeReadIsRefused(t *testing.T) {
	const (
		accounts = `if [ "$2" = accounts ]; then echo a; exit; fi` + "\n"
		endless  = `while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done`
		unread   = "the output of hledger cannot be read"
	)
	for script, want := range map[string]string{
		accounts + "echo '[{'":                                   unread,
		accounts + "echo nonsense":                               unread,
		accounts + "echo '[]'":                                   "has no postings",
		accounts + "echo '[{\"tdate\":'; exit 3":                 "hledger: exit status 3",
		accounts + `printf '[{"tdate":"';` + endless:             unread,
		accounts + `printf '[{"tdate":   ';` + endless:           unread,
		"echo '/a:7:1: it is \033[31mbroken' >&2; exit 1":        "line 7: hledger: it is broken",
		"echo '/a:7:1: first' >&2; echo '/a:8:1: b' >&2; exit 1": "line 7: hledger: first",
		"echo 'hledger: \"-\" (lines 3-5)\nsum: 1' >&2; exit 1":  "line 3: hledger: sum: 1",
	} {
		pretend(t, script)

		_, err := read(t, journal.Hledger(), simple, bank.Options{})

		if _, ok := err.(*bank.Error); !ok || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s:\n%v", script, err)
		}
	}
}

func TestAToolThatDoesNotEndIsStopped(t *testing.T) {
	pretend(t, "while :; do :; done")
	ctx, cancel := context.WithTimeout(t.Context(), 200_000_000)
	defer cancel()

	err := journal.Hledger().Read(ctx, strings.NewReader(simple), bank.Options{}, &banks.Counter{})

	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v", err)
	}
}

func TestToolsKnowNothingOfTheEnvironment(t *testing.T) {
	t.Setenv("LEDGER_FILE", "/other.journal")
	t.Setenv("TARMAC_TOKEN", "secret")
	pretend(t, `[ -z "$LEDGER_FILE$TARMAC_TOKEN" ] && [ "$LC_ALL" = C.UTF-8 ] || { echo "environment" >&2; exit 1; }
[ "$2" = accounts ] || echo '[]'`)

	_, err := read(t, journal.Hledger(), simple, bank.Options{})

	if err == nil || !strings.Contains(err.Error(), "has no postings") {
		t.Errorf("error is %v", err)
	}
}

type fullSink struct{ banks.Counter }

func (fullSink) Line(*bank.Statement, bank.Line) error { return os.ErrDeadlineExceeded }

func TestTheErrorOfASinkIsReturned(t *testing.T) {
	journaltools.Need(t, "hledger")

	err := journal.Hledger().Read(t.Context(), strings.NewReader(simple), bank.Options{}, &fullSink{})

	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("error is %v", err)
	}
}
