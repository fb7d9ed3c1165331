package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// route is a method and a path whose segments in braces stand for any one
// segment. The library's multiplexer is not used because it answers unclean
// paths with redirects and wrong methods with text, where the contract has JSON.
type route struct {
	operation string // "" for what is not an operation of the contract
	method    string
	pattern   string
	segments  []string
	serve     func(*exchange)
}

func newRoute(operation, method, pattern string, serve func(*exchange)) route {
	return route{operation: operation, method: method, pattern: pattern, segments: strings.Split(pattern, "/"), serve: serve}
}

// match reports whether the path is the route's, and which segment stood for
// its variable. Segments are compared after splitting, so an encoded slash is a
// part of a segment.
func (r *route) match(segments []string) (variable string, ok bool) {
	if len(segments) != len(r.segments) {
		return "", false
	}
	for i, want := range r.segments {
		switch {
		case strings.HasPrefix(want, "{"):
			if segments[i] == "" {
				return "", false
			}
			variable = segments[i]
		case segments[i] != want:
			return "", false
		}
	}
	return variable, true
}

// find returns the route of a request, or the problem of there being none.
func (api *API) find(r *http.Request) (*route, string, *problem) {
	segments := strings.Split(r.URL.EscapedPath(), "/")
	for i, s := range segments {
		unescaped, err := url.PathUnescape(s)
		if err != nil {
			return nil, "", noSuch("route")
		}
		segments[i] = unescaped
	}
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	var allowed []string
	for i := range api.routes {
		variable, ok := api.routes[i].match(segments)
		if !ok {
			continue
		}
		if api.routes[i].method == method {
			return &api.routes[i], variable, nil
		}
		allowed = append(allowed, api.routes[i].method)
	}
	if len(allowed) == 0 {
		return nil, "", noSuch("route")
	}
	if slices.Contains(allowed, http.MethodGet) {
		allowed = append(allowed, http.MethodHead)
	}
	return nil, "", methodNotAllowed(strings.Join(allowed, ", "))
}
