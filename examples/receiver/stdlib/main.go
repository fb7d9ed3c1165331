// Command stdlib is a receiver of webhooks that uses only Go's standard library, for
// programs that do not import tarmac's packages.
//
//	go run ./examples/receiver/stdlib 9000 webhook-secret
//
// It listens on 127.0.0.1 behind a proxy that ends TLS. The second argument is a file with
// the signing secrets, one per line: two during a rotation.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance = 5 * time.Minute
	maxBody   = 1 << 20
)

// verify reports whether body was signed with one of the secrets, at most tolerance before or
// after now.
func verify(body []byte, header string, secrets []string, now time.Time) bool {
	var times, signatures []string
	for entry := range strings.SplitSeq(header, ",") {
		switch name, value, _ := strings.Cut(entry, "="); name {
		case "t":
			times = append(times, value)
		case "v1":
			signatures = append(signatures, value)
		}
	}
	if len(times) != 1 || len(times[0]) > 11 {
		return false
	}
	seconds, err := strconv.ParseUint(times[0], 10, 63)
	if err != nil || now.Sub(time.Unix(int64(seconds), 0)).Abs() > tolerance {
		return false
	}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		fmt.Fprintf(mac, "%s.%s", times[0], body)
		want := hex.EncodeToString(mac.Sum(nil))
		for _, got := range signatures {
			if hmac.Equal([]byte(got), []byte(want)) {
				return true
			}
		}
	}
	return false
}

// receiver accepts deliveries and remembers their events.
type receiver struct {
	secretFile string
	seen       sync.Map // in production: a table with the event id as primary key
}

func (re *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Verify the bytes as received, before parsing them.
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		return
	}
	secrets, err := os.ReadFile(re.secretFile)
	if err != nil {
		http.Error(w, "not ready", http.StatusServiceUnavailable)
		return
	}
	if !verify(body, r.Header.Get("X-Service-Signature"), strings.Fields(string(secrets)), time.Now()) {
		http.Error(w, "not accepted", http.StatusBadRequest)
		return
	}
	var event struct{ ID, Type string }
	if err := json.Unmarshal(body, &event); err != nil {
		http.Error(w, "not an event", http.StatusBadRequest)
		return
	}
	if _, known := re.seen.LoadOrStore(event.ID, true); !known {
		fmt.Println("verified", event.Type, event.ID) // in production: queue the work
	}
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: stdlib PORT SECRET_FILE")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	server := &http.Server{
		Handler:      &receiver{secretFile: os.Args[2]},
		ReadTimeout:  10 * time.Second,
		WriteTimeout: 10 * time.Second,
	}
	log.Fatal(server.Serve(listener))
}
