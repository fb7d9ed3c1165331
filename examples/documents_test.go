package examples_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fenced returns a block of code from a document.
var fenced = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

func blocks(t *testing.T, document string, languages ...string) (found []string) {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range fenced.FindAllStringSubmatch(string(text), -1) {
		for _, language := range languages {
			if block[1] == language {
				found = append(found, block[2])
			}
		}
	}
	return found
}

// The code in the documents is the code that these tests run.
func TestTheDocumentsShowThePrograms(t *testing.T) {
	for document, programs := range map[string][]string{
		"../docs/webhooks.md": {"receiver/main.go", "receiver/stdlib/main.go", "receiver/receiver.js",
			"receiver/receiver.py"},
		"../docs/events.md": {"follow/follow.py"},
	} {
		shown := blocks(t, document, "go", "js", "python")
		if len(shown) != len(programs) {
			t.Fatalf("%s shows %d programs, want %d", document, len(shown), len(programs))
		}
		for i, path := range programs {
			program, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(program), shown[i]) {
				t.Errorf("%s shows something else than examples/%s has", document, path)
			}
		}
	}
}

// The page's commands for a delivery signed by hand work.
func TestADeliverySignedByHandIsTaken(t *testing.T) {
	for _, name := range []string{"bash", "openssl", "curl"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
	dir := t.TempDir()
	p := behindProxy(t, filepath.Join(dir, "webhook-secret"), built(t, "./receiver/stdlib"), "0",
		filepath.Join(dir, "webhook-secret"))
	var script string
	for _, block := range blocks(t, "../docs/webhooks.md", "sh") {
		if strings.Contains(block, "openssl dgst") {
			script = block
		}
	}
	const port = "port=9000"
	if strings.Count(script, port) != 1 {
		t.Fatalf("the page has no commands with %s", port)
	}
	script = strings.Replace(script, port, fmt.Sprintf("port=%s", p.url[strings.LastIndex(p.url, ":")+1:]), 1)
	again := "\nsed -i.bak s/Hi/Ho/ delivery.json\ncurl -i -H \"X-Service-Signature: t=$t,v1=$v1\" --data-binary " +
		"@delivery.json \"http://127.0.0.1:$port/\""
	cmd := exec.Command("bash", "-ec", script+again)
	cmd.Dir = dir
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	first, second := strings.Index(string(output), "204 No Content"), strings.Index(string(output), "400 Bad Request")
	if first < 0 || second < first {
		t.Errorf("the answers are\n%s", output)
	}
}
