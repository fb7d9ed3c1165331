package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// exchange is a request and its response, with both bodies read.
type exchange struct {
	req     *http.Request
	reqBody []byte
	status  int
	header  http.Header
	body    []byte
}

// check returns an error if the exchange does not conform to the contract. If it does, check counts
// the operation and the status.
func (c *Contract) check(x exchange) error {
	if x.req.Method == http.MethodHead {
		return checkHead(x)
	}
	route, params, err := c.router.FindRoute(withoutHost(x.req))
	if err != nil {
		return checkForeign(x)
	}
	if err := c.checkResponse(x, route, params); err != nil {
		return err
	}
	if x.status < 300 {
		if err := c.checkRequest(x, route, params); err != nil {
			return fmt.Errorf("answered %d to a request that the contract refuses: %w", x.status, err)
		}
	}
	c.record(route.Operation.OperationID, x.status)
	second, err := startPrism()
	if second == nil || err != nil {
		return err
	}
	return second.check(x)
}

// withoutHost returns a copy of the request without a host. In the contract, the server is "/" on
// any host, but the router compares hosts.
func withoutHost(req *http.Request) *http.Request {
	bare := *req
	bare.URL = &url.URL{Path: req.URL.Path, RawPath: req.URL.RawPath, RawQuery: req.URL.RawQuery}
	return &bare
}

func (c *Contract) checkResponse(x exchange, route *routers.Route, params map[string]string) error {
	in := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: requestInput(x, route, params),
		Status:                 x.status,
		Header:                 x.header,
		Options:                options(),
	}
	in.SetBodyBytes(x.body)

	declared := route.Operation.Responses.Status(x.status)
	if declared == nil {
		return fmt.Errorf("%s does not declare status %d", route.Operation.OperationID, x.status)
	}
	if len(declared.Value.Content) == 0 {
		// If no body is declared, the OpenAPI validator accepts any body.
		if len(x.body) > 0 {
			return fmt.Errorf("%s declares no body for status %d", route.Operation.OperationID, x.status)
		}
	} else if media := declared.Value.Content.Get("application/json"); media != nil {
		if err := checkMediaType(x.header); err != nil {
			return err
		}
		if err := checkJSON(x.body); err != nil {
			return err
		}
		if err := c.bodies.check(media.Schema, x.body); err != nil {
			return err
		}
		in.Options.ExcludeResponseBody = true
	}
	return openapi3filter.ValidateResponse(context.Background(), in)
}

func (c *Contract) checkRequest(x exchange, route *routers.Route, params map[string]string) error {
	if err := checkQuery(x.req, route); err != nil {
		return err
	}
	return openapi3filter.ValidateRequest(context.Background(), requestInput(x, route, params))
}

func requestInput(x exchange, route *routers.Route, params map[string]string) *openapi3filter.RequestValidationInput {
	req := x.req.Clone(context.Background())
	req.Body = http.NoBody
	if len(x.reqBody) > 0 {
		req.Body = io.NopCloser(bytes.NewReader(x.reqBody))
	}
	return &openapi3filter.RequestValidationInput{
		Request: req, PathParams: params, Route: route, Options: options(),
	}
}

// checkQuery returns an error for queries that the OpenAPI validator accepts although it should
// not: those that cannot be parsed, and undeclared, empty or repeated parameters.
func checkQuery(req *http.Request, route *routers.Route) error {
	query, err := url.ParseQuery(req.URL.RawQuery)
	if err != nil {
		return fmt.Errorf("query: %w", err)
	}
	for name, values := range query {
		if route.Operation.Parameters.GetByInAndName(openapi3.ParameterInQuery, name) == nil {
			return fmt.Errorf("query parameter %q is not declared", name)
		}
		if len(values) > 1 {
			return fmt.Errorf("query parameter %q is given %d times", name, len(values))
		}
		if values[0] == "" {
			return fmt.Errorf("query parameter %q is empty", name)
		}
	}
	return nil
}

// checkHead checks that the response to a HEAD request has no body. The contract does not declare
// HEAD, but the service responds to it as to GET.
func checkHead(x exchange) error {
	if len(x.body) > 0 {
		return errors.New("a body in answer to HEAD")
	}
	return nil
}

// checkForeign checks a response to a request outside of the contract. Below Prefix, only the
// statuses 404 and 405 are allowed. All failures must have the error body (docs/api.md, Errors).
func checkForeign(x exchange) error {
	inside := strings.HasPrefix(x.req.URL.Path, Prefix)
	if inside && x.status != http.StatusNotFound && x.status != http.StatusMethodNotAllowed {
		return fmt.Errorf("status %d on a route that the contract does not have; want 404 or 405", x.status)
	}
	if x.status < 300 {
		return nil
	}
	if x.status == http.StatusMethodNotAllowed && x.header.Get("Allow") == "" {
		return errors.New("405 without an Allow header")
	}
	if err := checkMediaType(x.header); err != nil {
		return err
	}
	return checkErrorBody(x.body)
}

func checkErrorBody(body []byte) error {
	if err := checkJSON(body); err != nil {
		return err
	}
	var fields map[string]any
	if err := json.Unmarshal(body, &fields); err != nil {
		return fmt.Errorf("error body: %w", err)
	}
	text, ok := fields["error"].(string)
	if !ok || text == "" || len(fields) != 1 {
		return errors.New(`error body is not exactly {"error": "<sentence>"}`)
	}
	return nil
}

func checkMediaType(h http.Header) error {
	got := h.Get("Content-Type")
	if kind, _, err := mime.ParseMediaType(got); err != nil || kind != "application/json" {
		return fmt.Errorf("content type is %q, want application/json", got)
	}
	return nil
}

// checkJSON returns an error for JSON whose faults a schema cannot express: repeated keys, text
// after the value, and whole numbers written as 1.0 or 1e3, which clients cannot decode into an
// int64.
func checkJSON(body []byte) error {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if err := checkValue(dec); err != nil {
		return fmt.Errorf("body is not one JSON value: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("body goes on after its JSON value")
	}
	return nil
}

func checkValue(dec *json.Decoder) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	if number, ok := token.(json.Number); ok {
		return checkNumber(number.String())
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	keys := map[string]bool{}
	for dec.More() {
		if open == '{' {
			key, err := dec.Token()
			if err != nil {
				return err
			}
			name, _ := key.(string)
			if keys[name] {
				return fmt.Errorf("key %q is given twice", name)
			}
			keys[name] = true
		}
		if err := checkValue(dec); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

func checkNumber(s string) error {
	_, fraction, _ := strings.Cut(s, ".")
	if strings.ContainsAny(s, "eE") || fraction != "" && strings.Trim(fraction, "0") == "" {
		return fmt.Errorf("number %s is not written plainly", s)
	}
	return nil
}

// options returns the options of the validator, including the formats of strings. Registering these
// formats globally would change the validator for the whole process.
func options() *openapi3filter.Options {
	return &openapi3filter.Options{
		IncludeResponseStatus: true,
		AuthenticationFunc:    openapi3filter.NoopAuthenticationFunc,
		SkipSettingDefaults:   true,
		SchemaValidationOptions: []openapi3.SchemaValidationOption{
			openapi3.WithStringFormatValidators(map[string]openapi3.StringFormatValidator{
				"date":      openapi3.NewCallbackValidator(isDate),
				"date-time": openapi3.NewCallbackValidator(isTimestamp),
			}),
		},
	}
}

func isDate(s string) error {
	_, err := time.Parse(time.DateOnly, s)
	return err
}

func isTimestamp(s string) error {
	_, err := time.Parse(time.RFC3339Nano, s)
	return err
}
