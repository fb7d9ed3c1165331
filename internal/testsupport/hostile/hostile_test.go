package hostile_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tarmac/internal/testsupport/hostile"
)

// Attacks never reach the service, and every text of a response contains one.
func TestAnswersAreSpoilt(t *testing.T) {
	var path, cursor string
	server := httptest.NewServer(&hostile.Answers{Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, cursor = r.URL.Path, r.URL.Query().Get("cursor")
		_, _ = io.WriteString(
			w,
			`{"data":[{"id":"inv_1","number":"INV-1","status":"paid","memo":"a `+
				`\"word\"","at":"2026-01-02","n":12345678901234567,"no":null,"yes":true}],"next_cursor":"c1"}`,
		)
	})})
	defer server.Close()
	seen := map[string]bool{}
	for range 200 {
		res, err := http.Get(server.URL + "/invoices/inv_1%C2%A6%1B%5B2J/pdf?cursor=c1%C2%A6x&limit=5")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		var got struct {
			Data []map[string]any `json:"data"`
			Next string           `json:"next_cursor"`
		}
		if err != nil || json.Unmarshal(body, &got) != nil || len(got.Data) != 1 {
			t.Fatalf("%q: %v", body, err)
		}
		row := got.Data[0]
		if path != "/invoices/inv_1/pdf" || cursor != "c1" || row["status"] != "paid" || row["at"] != "2026-01-02" ||
			!strings.HasPrefix(got.Next, "c1¦") ||
			!strings.HasPrefix(row["memo"].(string), `a "word"¦`) ||
			len(row) != 9 {
			t.Fatalf("%s?cursor=%s: %q", path, cursor, body)
		}
		for _, text := range hostile.Texts() {
			for _, value := range row {
				said, _ := value.(string)
				seen[text.Name] = seen[text.Name] || strings.Contains(said, strings.ToValidUTF8(text.Value, "\ufffd"))
			}
		}
	}
	for name, there := range seen {
		if !there && !strings.Contains(name, "UTF-8") && !strings.Contains(name, "8-bit") &&
			!strings.Contains(name, "half") &&
			!strings.Contains(name, "nested") {
			t.Errorf("%s was never answered", name)
		}
	}
	for _, text := range hostile.Texts() {
		if !strings.Contains(strings.ReplaceAll(text.Value, "\x00", ""), hostile.Word) &&
			!strings.Contains(text.Value, "pw") {
			t.Errorf("%s does not hold the word", text.Name)
		}
	}
}
