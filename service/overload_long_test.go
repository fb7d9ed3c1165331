//go:build long

package service_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/service"
)

const (
	stressedDatabase = "TARMAC_TEST_STRESSED_DATABASE"
	stressedKey      = "TARMAC_TEST_STRESSED_KEY"
	stressedRequests = 1600
	stressedClients  = 240
	// requestTimeout is the service's time-out for a request.
	requestTimeout = 15 * time.Second
	// stressedMemory bounds the memory that the process may take from the system: half of the
	// machine that DefaultLimits are for.
	stressedMemory = 256 << 20
)

// The load is the most expensive requests from many clients, with bodies that are too large,
// wrong tokens and callers that hang up. Every response is documented or a 429, and every
// confirmed draft is stored.
func TestUnderLoadMemoryIsBoundedAndNothingIsLost(t *testing.T) {
	if testing.Short() {
		t.Skip("it counts memory, which the race detector multiplies")
	}
	f := start(t, 0)
	var secrets []string
	for i := range 6 {
		a := f.tenant("organization " + strconv.Itoa(i))
		f.fill(a, 3000)
		secrets = append(secrets, a.secret)
	}
	f.close()
	server := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestStressedServiceProcess$")
	server.Env = append(os.Environ(), stressedDatabase+"="+f.database, stressedKey+"="+f.keyFile)
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("the service did not start")
	}
	addr := lines.Text()
	told := make(chan []string, 1)
	go func() {
		var all []string
		for lines.Scan() {
			all = append(all, lines.Text())
		}
		told <- all
	}()
	load := &load{t: t, base: "http://" + addr + prefix, secrets: secrets, statuses: map[int]int{}}
	load.run()
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	var used usedMemory
	late := 0
	for _, line := range <-told {
		if rest, ok := strings.CutPrefix(line, "used "); ok {
			if err := json.Unmarshal([]byte(rest), &used); err != nil {
				t.Error(err)
			}
			continue
		}
		// On a busy machine a request may time out.
		var failed struct {
			Msg  string
			Took float64 `json:"took_ms"`
		}
		switch err := json.Unmarshal([]byte(line), &failed); {
		case err != nil || failed.Msg != "request":
		case failed.Took >= float64(requestTimeout.Milliseconds()):
			late++
		default:
			t.Errorf("a request failed: %s", line)
		}
	}
	if n := load.statuses[http.StatusInternalServerError]; n > late {
		t.Errorf("%d answers of 500, of which %d were late", n, late)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("the service ended with %v", err)
	}
	t.Logf(
		"answers %v; %d drafts confirmed; memory %d MiB, %d of it Go's", load.statuses, len(load.drafts), used.Most>>20,
		used.Go>>20,
	)
	if used.Most == 0 || used.Most > stressedMemory {
		t.Errorf("it took %d MiB, at most %d", used.Most>>20, stressedMemory>>20)
	}
	f.open() // what was confirmed is there after the process has ended
	for path, secret := range load.drafts {
		if got := f.get(secret, strings.TrimPrefix(path, f.server.URL)); got.status != http.StatusOK {
			t.Errorf("a draft that was confirmed: %d %s", got.status, got.body)
		}
	}
	if len(load.drafts) == 0 || load.statuses[http.StatusOK] == 0 {
		t.Error("nothing was answered under load")
	}
}

type usedMemory struct{ Most, Go uint64 }

// TestStressedServiceProcess is the server process of the test above. It serves until its input
// ends and then prints its memory use.
func TestStressedServiceProcess(t *testing.T) {
	database := os.Getenv(stressedDatabase)
	if database == "" {
		t.Skip("it is a part of TestUnderLoadMemoryIsBoundedAndNothingIsLost")
	}
	svc, err := service.Open(t.Context(), service.Config{
		Database: database, KeyFile: os.Getenv(stressedKey),
		Logger: slog.New(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{Level: slog.LevelError})),
		Now:    func() time.Time { return noon }, Entropy: rand.Reader, Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- svc.Serve(ctx, ln, nil) }()
	fmt.Println(ln.Addr())
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		t.Error(err)
	}
	cancel()
	if err := <-served; err != nil {
		t.Errorf("Serve = %v", err)
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	told, err := json.Marshal(usedMemory{Most: max(memory.Sys, residentPeak()), Go: memory.Sys})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("used %s\n", told)
	if err := svc.Close(); err != nil {
		t.Error(err)
	}
}

// residentPeak returns the peak resident memory of the process, which includes that of the
// database, or 0 if the system does not report it.
func residentPeak() uint64 {
	status, err := os.ReadFile(filepath.Join("/proc", "self", "status"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if size, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(size), "kB")), 10, 64)
			if err == nil {
				return kib << 10
			}
		}
	}
	return 0
}

// load is a group of clients and counts of their responses.
type load struct {
	t       *testing.T
	base    string
	secrets []string

	mu       sync.Mutex
	statuses map[int]int
	drafts   map[string]string // location to the token that it was made with
}

func (l *load) run() {
	l.drafts = map[string]string{}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: stressedClients}, Timeout: 2 * time.Minute}
	numbers := make(chan int)
	var wg sync.WaitGroup
	for range stressedClients {
		wg.Go(func() {
			for i := range numbers {
				l.ask(client, i)
			}
		})
	}
	for i := range stressedRequests {
		numbers <- i
	}
	close(numbers)
	wg.Wait()
}

// ask makes the request with that number. All kinds are equally frequent.
func (l *load) ask(client *http.Client, i int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	secret := l.secrets[i%len(l.secrets)]
	method, path, body := http.MethodGet, "/transactions?limit=200&keyword=plier+"+strconv.Itoa(i), ""
	switch i / len(l.secrets) % 6 {
	case 1: // too short for the index: every row is looked at
		path = "/transactions?limit=200&keyword=" + strconv.Itoa(i%100)
	case 2:
		method, path, body = http.MethodPost, "/invoices", goodProposal
	case 3: // as large as may be, and refused at its end
		method, path, body = http.MethodPost, "/invoices", goodProposal+strings.Repeat(" ", 1<<20-len(goodProposal)-1)+"x"
	case 4:
		method, path, body = http.MethodPost, "/invoices", strings.Repeat(" ", 5<<20)
	case 5:
		if path = l.document(secret); path == "" {
			path = "/insights/cash-position"
		}
	}
	if i%41 == 0 {
		secret = "svc_org_" + strconv.Itoa(i)
	}
	req, err := http.NewRequestWithContext(ctx, method, l.base+path, bytes.NewReader([]byte(body)))
	if err != nil {
		l.t.Error(err)
		return
	}
	req.Header.Set("Authorization", "Bearer "+secret)
	req.Header.Set("Content-Type", "application/json")
	if i%53 == 0 && method == http.MethodGet {
		time.AfterFunc(time.Duration(i%7)*time.Millisecond, cancel)
	}
	res, err := client.Do(req)
	if err != nil {
		// The body was refused before it was read, or the caller hung up.
		l.count(0, "", "")
		return
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
	l.count(res.StatusCode, res.Header.Get("Location"), secret)
}

// document returns the path of a PDF of the token's organization, or "".
func (l *load) document(secret string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for location, of := range l.drafts {
		if of == secret {
			return strings.TrimPrefix(location, prefix) + "/pdf"
		}
	}
	return ""
}

func (l *load) count(status int, location, secret string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.statuses[status]++
	switch status {
	case http.StatusCreated:
		l.drafts[location] = secret
	case 0, http.StatusOK, http.StatusBadRequest, http.StatusUnauthorized,
		http.StatusRequestEntityTooLarge, http.StatusTooManyRequests,
		http.StatusInternalServerError: // the service tells why
	default:
		l.t.Errorf("an answer of %d", status)
	}
}
