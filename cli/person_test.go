package cli_test

import (
	"testing"

	"tarmac/internal/testsupport/testprogram"
)

// person is a user with a home directory who types commands.
type person struct {
	*testprogram.Person
	env map[string]string
}

func newPerson(t testing.TB) *person {
	t.Helper()
	p := testprogram.NewPerson(t)
	return &person{p, p.Env}
}

// types runs a command with stdin as its standard input.
func (p *person) types(stdin string, args ...string) result {
	r := p.Types(stdin, args...)
	return result{r.Code, r.Stdout, r.Stderr}
}

// does runs a command that has to succeed, and returns its output.
func (p *person) does(stdin string, args ...string) string { return p.Does(stdin, args...) }

// file returns a path in the person's settings directory.
func (p *person) file(name string) string { return p.File(name) }

// goodServer starts a server that accepts the tokens svc_org_good and svc_org_other.
func goodServer(t testing.TB) string {
	t.Helper()
	return testprogram.GoodServer(t)
}
