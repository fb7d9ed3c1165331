package cli_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// roundLine is a large payment of a new payer, which the import asks about.
const roundLine = rentLine +
	"<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260903<TRNAMT>25000.00<FITID>2<NAME>Ada Ventures</STMTTRN>"

func TestQuestionsAboutOwnBooksAreListedAndAnswered(t *testing.T) {
	environ, _ := withBooks(t)
	imported := tarmac(t, environ, "import", "--yes", "--json", statementFile(t, "a.qfx", roundLine))
	if !strings.Contains(imported.stdout, `"problems":["25,000.00 USD from Ada Ventures on 2026-09-03: is it`) {
		t.Errorf("import: exit %d, %q, %q", imported.code, imported.stdout, imported.stderr)
	}

	var open struct {
		Questions []struct{ ID, Kind, Date string }
	}
	listed := tarmac(t, environ, "books", "questions", "--json")
	if err := json.Unmarshal([]byte(listed.stdout), &open); err != nil || len(open.Questions) != 1 ||
		open.Questions[0].Kind != "financing" {
		t.Fatalf("questions: exit %d, %q, %v", listed.code, listed.stdout, err)
	}
	id := open.Questions[0].ID
	if text := tarmac(t, environ, "books", "questions"); !strings.Contains(text.stdout, id+"  25,000.00 USD from Ada") {
		t.Errorf("questions: exit %d, %q, %q", text.code, text.stdout, text.stderr)
	}

	wrong := tarmac(t, environ, "books", "questions", "answer", id, "perhaps")
	unknown := tarmac(t, environ, "books", "questions", "answer", "ask_0", "yes")
	done := tarmac(t, environ, "books", "questions", "answer", id, "no")

	if wrong.code != 2 || !strings.Contains(wrong.stderr, "yes, no") {
		t.Errorf("a wrong answer: exit %d, %q", wrong.code, wrong.stderr)
	}
	if unknown.code != 4 {
		t.Errorf("an unknown question: exit %d, %q", unknown.code, unknown.stderr)
	}
	want := "Answered no: earned: it counts in burn. 1 transaction changed.\n"
	if done.code != 0 || done.stdout != want {
		t.Errorf("answer: exit %d, %q, %q", done.code, done.stdout, done.stderr)
	}
	if none := tarmac(t, environ, "books", "questions"); none.stdout != "No open questions.\n" {
		t.Errorf("questions: %q", none.stdout)
	}
}
