package testprogram

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"tarmac/service/access"
)

// Server is a `tarmac serve` process.
type Server struct {
	Addr string
	cmd  *exec.Cmd
}

// Serve starts the service in its own process and returns once it listens.
func Serve(t testing.TB, database, addr string, flags ...string) *Server {
	t.Helper()
	cmd := Command(t, nil, append([]string{"serve", "--db", database, "--addr", addr, "--rate", "0"}, flags...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &Server{cmd: cmd}
	t.Cleanup(s.Kill)
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		var entry struct{ Msg, Addr string }
		if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "serving" {
			s.Addr = entry.Addr
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			return s
		}
	}
	t.Fatalf("the service did not come up: %v", cmd.Wait())
	return nil
}

// Kill ends the process without a shutdown, like a crash.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// Host starts the service for a new organization with the given number of transactions, or none
// for "". It returns the environment of its clients.
func Host(t testing.TB, transactions string, flags ...string) (environ []string) {
	t.Helper()
	database, org, tokenFile := Organization(t, transactions, AllScopes)
	Must(t, "admin", "--db", database, "owner", "set", "--org", org, "--name", "Ada", "--email", "ada@example.com")
	s := Serve(t, database, "127.0.0.1:0", flags...)
	return []string{"TARMAC_BASE_URL=http://" + s.Addr, "TARMAC_TOKEN_FILE=" + tokenFile}
}

// ScopedTokens returns a ping handler that accepts the given tokens with their scopes.
func ScopedTokens(scopes map[string][]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		w.Header().Set("Content-Type", "application/json")
		granted, known := scopes[token]
		if !known || r.URL.Path != "/api/ext/v1/ping" {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":"the token `+token+` is not known"}`)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"org_id": "org_01", "scopes": granted, "token_expires_at": nil})
	})
}

// EveryScope returns the names of all scopes.
func EveryScope() []string {
	var names []string
	for _, scope := range access.Scopes {
		names = append(names, string(scope))
	}
	return names
}
