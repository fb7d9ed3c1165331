package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// route is an HTTP method and a path pattern. A segment in braces is a variable that matches any
// one segment. http.ServeMux is not used: it redirects paths such as "//" and answers wrong methods
// with plain text, where the API has JSON.
type route struct {
	operation string // operation's name; "" if the route is not an API operation
	method    string
	pattern   string
	segments  []string
	serve     func(*exchange)
}

func newRoute(operation, method, pattern string, serve func(*exchange)) route {
	return route{
		operation: operation,
		method:    method,
		pattern:   pattern,
		segments:  strings.Split(pattern, "/"),
		serve:     serve,
	}
}

// match reports whether the route matches a path, given as unescaped segments. pathParam is the
// segment that the route's variable matches, or "" if the route has no variable.
func (r *route) match(segments []string) (pathParam string, ok bool) {
	if len(segments) != len(r.segments) {
		return "", false
	}
	for i, want := range r.segments {
		switch {
		case strings.HasPrefix(want, "{"):
			if segments[i] == "" {
				return "", false
			}
			pathParam = segments[i]
		case segments[i] != want:
			return "", false
		}
	}
	return pathParam, true
}

// findRoute returns the route of a request and the value of the variable in its path. If there is
// none, the problem has status 404 or 405. The path is split before it is unescaped, so that an
// encoded slash stays part of its segment.
func (api *API) findRoute(r *http.Request) (*route, string, *problem) {
	segments := strings.Split(r.URL.EscapedPath(), "/")
	for i, s := range segments {
		unescaped, err := url.PathUnescape(s)
		if err != nil {
			return nil, "", notFound("route")
		}
		segments[i] = unescaped
	}
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	var allowed []string
	for i := range api.routes {
		pathParam, ok := api.routes[i].match(segments)
		if !ok {
			continue
		}
		if api.routes[i].method == method {
			return &api.routes[i], pathParam, nil
		}
		allowed = append(allowed, api.routes[i].method)
	}
	if len(allowed) == 0 {
		return nil, "", notFound("route")
	}
	if slices.Contains(allowed, http.MethodGet) {
		allowed = append(allowed, http.MethodHead)
	}
	return nil, "", methodNotAllowed(strings.Join(allowed, ", "))
}
