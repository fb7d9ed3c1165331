package banks

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"tarmac/service/statements/bank"
)

// Fuzz runs a reader on mutations of the seeds and of the files in testdata. The reader must not
// panic, nor take more steps than the size of the file explains. If it accepts a file, it must
// follow the rules of bank.Sink.
func Fuzz(f *testing.F, format bank.Format, options bank.Options, seeds ...string) {
	files, err := os.ReadDir("testdata")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		if file.IsDir() || filepath.Ext(file.Name()) == ".golden" {
			continue
		}
		content, err := os.ReadFile(filepath.Join("testdata", file.Name()))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		budget, found := bank.NewBudget(t.Context()), &Contents{}
		format.Recognize(budget, content)
		err := format.Read(budget, bytes.NewReader(content), options, found)
		CheckSteps(t, budget, content)
		var (
			rule     *BrokenRule
			refused  *bank.Error
			question *bank.Question
		)
		switch {
		case errors.As(err, &rule):
			t.Fatal(err)
		case err != nil && !errors.As(err, &refused) && !errors.As(err, &question):
			t.Fatalf("the error %v is of no kind that readers return", err)
		case err != nil && strings.ContainsFunc(err.Error(), unicode.IsControl):
			t.Fatalf("the error %q has control characters", err)
		}
		for _, problem := range found.Problems {
			if strings.ContainsFunc(problem, unicode.IsControl) {
				t.Fatalf("the remark %q has control characters", problem)
			}
		}
	})
}

// CheckSteps fails the test if a reader has taken more steps than the size of a file explains.
func CheckSteps(t *testing.T, b *bank.Budget, content []byte) {
	t.Helper()
	if most := 20_000 + 400*int64(len(content)); b.Steps() > most {
		t.Fatalf("%d bytes take %d steps, more than %d", len(content), b.Steps(), most)
	}
}
