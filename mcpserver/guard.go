package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tarmac/client/assistant"
	"tarmac/internal/panics"
)

// Maximum sizes: of a tool's result, in bytes of JSON, and of the text of an error, in characters.
const (
	maxResult = 256 << 10
	maxError  = 1500
)

// failure is the error of a tool, whose text is JSON.
type failure struct{ assistant.Failure }

func (f failure) Error() string {
	text, err := json.Marshal(f.Failure)
	if err != nil {
		panic(err) // a bug: the type has no JSON form
	}
	return string(text)
}

// guard answers a request whose handler panics with an error, bounds the size of results, and masks
// secrets in errors.
func (s *server) guard(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if r := recover(); r != nil {
				res, err = nil, s.protocolError(jsonrpc.CodeInternalError, panics.Describe(r))
			}
		}()
		res, err = next(ctx, method, req)
		if err != nil && strings.HasPrefix(err.Error(), askingFailed) {
			return s.bounded(s.notAsked(err)), nil
		}
		if wire := new(jsonrpc.Error); errors.As(err, &wire) {
			return nil, s.protocolError(wire.Code, errors.New(wire.Message))
		}
		if err != nil {
			return nil, s.protocolError(jsonrpc.CodeInternalError, err)
		}
		if result, ok := res.(*mcp.CallToolResult); ok {
			return s.bounded(result), nil
		}
		return res, nil
	}
}

// bounded returns a tool's result, or an error if the result is too large.
func (s *server) bounded(result *mcp.CallToolResult) *mcp.CallToolResult {
	if content, ok := result.StructuredContent.(json.RawMessage); ok && len(content) > maxResult {
		result = &mcp.CallToolResult{}
		result.SetError(failure{assistant.Failure{
			Error: fmt.Sprintf("The answer is larger than %d KiB. Ask for fewer rows with limit.", maxResult>>10),
		}})
	}
	if result.IsError {
		for _, content := range result.Content {
			if text, ok := content.(*mcp.TextContent); ok {
				text.Text = s.errorText(text.Text)
			}
		}
	}
	return result
}

func (s *server) protocolError(code int64, err error) *jsonrpc.Error {
	return &jsonrpc.Error{Code: code, Message: s.errorText(err.Error())}
}

// errorText masks secrets in the text of an error and cuts it to a readable length. Errors of
// wrong arguments repeat them, whatever their size.
func (s *server) errorText(text string) string {
	text = s.Redact(text)
	if runes := []rune(text); len(runes) > maxError {
		return string(runes[:maxError]) + "…"
	}
	return text
}
