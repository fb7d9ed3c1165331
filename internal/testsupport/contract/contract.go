// Package contract referees tests by openapi.yaml: what the service answers and
// what the client sends must be what the document says. Only tests import it.
package contract

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

// Prefix is the path that every operation of the contract is under
// (docs/api.md, Versioning).
const Prefix = "/api/ext/v1/"

// Contract is the loaded document and what has been seen of it. It is safe for
// concurrent use; one Contract may serve any number of tests.
type Contract struct {
	doc    *openapi3.T
	router routers.Router

	mu   sync.Mutex
	seen map[string]map[int]int
}

// Operation is one operation as the contract declares it.
type Operation struct {
	ID       string // operationId, "listInvoices"
	Method   string // "GET"
	Path     string // template, "/api/ext/v1/invoices/{invoiceId}"
	Statuses []int  // declared, ascending
	Scope    string // scope the token must carry; "" when any token will do
}

// Load returns the contract in the module's openapi.yaml, and ends the test
// when there is none or it is not valid.
func Load(t testing.TB) *Contract {
	t.Helper()
	c, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Open is Load for places without a test at hand, such as TestMain.
func Open() (*Contract, error) {
	path, err := find()
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	return parse(data)
}

func parse(data []byte) (*Contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		return nil, fmt.Errorf("load the contract: %w", err)
	}
	// The router validates the whole document first, examples included.
	router, err := legacy.NewRouter(doc)
	if err != nil {
		return nil, fmt.Errorf("the contract: %w", err)
	}
	return &Contract{doc: doc, router: router, seen: map[string]map[int]int{}}, nil
}

// find returns the path of openapi.yaml. A binary built with -trimpath does not
// know where its source is, so the working directory, which go test sets to the
// package under test, is the second place to start from.
func find() (string, error) {
	var starts []string
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		starts = append(starts, filepath.Dir(file))
	}
	if dir, err := os.Getwd(); err == nil {
		starts = append(starts, dir)
	}
	for _, dir := range starts {
		for {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				return filepath.Join(dir, "openapi.yaml"), nil
			}
			parent := filepath.Dir(dir)
			if parent == dir {
				break
			}
			dir = parent
		}
	}
	return "", errors.New("openapi.yaml: no go.mod above this package; run the tests inside the module")
}

// Operations returns every operation of the contract, ordered by path and
// method.
func (c *Contract) Operations() []Operation {
	var all []Operation
	for path, item := range c.doc.Paths.Map() {
		for method, op := range item.Operations() {
			all = append(all, Operation{
				ID: op.OperationID, Method: method, Path: path,
				Statuses: statuses(op), Scope: scope(op),
			})
		}
	}
	slices.SortFunc(all, func(a, b Operation) int {
		return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
	})
	return all
}

func statuses(op *openapi3.Operation) []int {
	var codes []int
	for key := range op.Responses.Map() {
		// "default" and ranges are no single status; the contract's own test
		// refuses them.
		if code, err := strconv.Atoi(key); err == nil {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

func scope(op *openapi3.Operation) string {
	s, _ := op.Extensions["x-required-scope"].(string)
	return s
}

// Seen returns how often each status of each operation has passed through the
// referee, by operationId. Only answers that conformed count.
func (c *Contract) Seen() map[string]map[int]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := make(map[string]map[int]int, len(c.seen))
	for id, counts := range c.seen {
		seen[id] = maps.Clone(counts)
	}
	return seen
}

func (c *Contract) record(id string, status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen[id] == nil {
		c.seen[id] = map[int]int{}
	}
	c.seen[id][status]++
}
