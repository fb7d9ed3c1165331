// Package mcpserver serves the answers of package assistant over the Model Context Protocol, on
// standard input and output.
package mcpserver

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// New returns a server without tools.
func New(version string) *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "tarmac", Version: version},
		&mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{}})
}
