package contract

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
)

func TestFindingsOfPrism(t *testing.T) {
	const (
		ofResponse = `[{"location":["response","body"],"severity":"Error","message":"must be integer"}]`
		ofRequest  = `[{"location":["request","query"],"severity":"Error","message":"must be >= 1"}]`
		remark     = `[{"location":["response"],"severity":"Warning","message":"m"}]`
	)
	for name, c := range map[string]struct {
		status int
		header string
		want   string
	}{
		"nothing":             {200, "", ""},
		"a response":          {200, ofResponse, "response.body: must be integer"},
		"a refused request":   {400, ofRequest, ""},
		"an accepted request": {200, ofRequest, "request.query: must be >= 1"},
		"a remark":            {200, remark, ""},
		"no JSON":             {200, "violations", "cannot be read"},
	} {
		err := findings(exchange{status: c.status}, c.header)
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// .ci/prism/run runs this test too: Prism must find what is wrong.
func TestPrismFindsViolations(t *testing.T) {
	second, err := startPrism()
	if err != nil {
		t.Fatal(err)
	}
	if second == nil {
		t.Skip("Prism does not run")
	}
	c := Load(t)
	good := example(t, c, "listTransactions", "page")
	good.req.Header = http.Header{"Authorization": {"Bearer svc_org_x"}}
	if err := second.check(good); err != nil {
		t.Errorf("the example of the contract: %v", err)
	}
	bad := good
	bad.body = bytes.Replace(good.body, []byte(`"direction":"`), []byte(`"direction":"x`), 1)
	if bytes.Equal(bad.body, good.body) {
		t.Fatal("nothing was changed")
	}
	if err := second.check(bad); err == nil {
		t.Error("a direction that does not exist was not found")
	}
}
