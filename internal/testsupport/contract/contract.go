// Package contract checks in tests that requests and responses conform to openapi.yaml.
// Only tests import it.
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
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Prefix is the path prefix of all operations (docs/api.md, Versioning).
const Prefix = "/api/ext/v1/"

// Contract is the parsed openapi.yaml. It also counts the responses that conformed to it. It is
// safe for concurrent use.
type Contract struct {
	doc    *openapi3.T
	router routers.Router
	bodies *bodies

	mu   sync.Mutex
	seen map[string]map[int]int
}

// Operation is an operation that the contract declares.
type Operation struct {
	ID       string // value of operationId, such as "listInvoices"
	Method   string // such as "GET"
	Path     string // path template, such as "/api/ext/v1/invoices/{invoiceId}"
	Statuses []int  // declared statuses, ascending
	Scope    string // scope that the token needs; "" if any token suffices
}

// Load returns the contract in the module's openapi.yaml. It fails the test if the file is
// missing or invalid.
func Load(t testing.TB) *Contract {
	t.Helper()
	c, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Open returns the contract like Load. It is meant for callers without a test, such as TestMain.
func Open() (*Contract, error) {
	parsed, err := openOnce()
	if err != nil {
		return nil, err
	}
	return &Contract{doc: parsed.doc, router: parsed.router, bodies: parsed.bodies, seen: map[string]map[int]int{}}, nil
}

// openOnce parses the file once in a process, since validating it takes a tenth of a second.
var openOnce = sync.OnceValues(func() (*Contract, error) {
	path, err := find()
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	return parse(data)
})

func parse(data []byte) (*Contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		return nil, fmt.Errorf("load the contract: %w", err)
	}
	// The router also validates the document and its examples.
	router, err := legacy.NewRouter(doc)
	if err != nil {
		return nil, fmt.Errorf("the contract: %w", err)
	}
	return &Contract{
		doc: doc, router: router, bodies: &bodies{doc: doc, compiled: map[*openapi3.SchemaRef]*jsonschema.Schema{}},
		seen: map[string]map[int]int{},
	}, nil
}

// find returns the path of openapi.yaml. It searches the parent directories of this source file. If
// -trimpath has removed the file's path, it searches those of the working directory.
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

// Operations returns all operations of the contract, ordered by path and method.
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
		// Another test ensures that the contract uses neither "default" nor ranges of statuses.
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

// Seen returns, by operationId and status, how many responses there were. It counts only responses
// that conformed to the contract.
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
