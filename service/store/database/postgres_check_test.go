package database_test

import (
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"tarmac/service/store/database"
)

// A server of a version that is not tested is refused by name, and nothing is done in it.
func TestAServerThatIsTooOldIsRefused(t *testing.T) {
	for version, want := range map[string]string{
		"120022": "the server is PostgreSQL 12; tarmac needs 15 or newer",
		"140019": "the server is PostgreSQL 14; tarmac needs 15 or newer",
	} {
		address, asked := serveVersion(t, version)

		db, err := database.Open(t.Context(), "postgres://u@"+address+
			"/d?sslmode=disable&default_query_exec_mode=simple_protocol", database.Schema{}, database.Options{})

		if db != nil || err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", version, err, want)
		}
		if all := <-asked; len(all) != 1 || !strings.Contains(all[0], "server_version_num") {
			t.Errorf("%s: the server was asked %q", version, all)
		}
	}
}

// serveVersion takes one connection as PostgreSQL does, and answers each query with a version. It
// returns what was asked when the connection has ended.
func serveVersion(t *testing.T, version string) (address string, asked <-chan []string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	queries := make(chan []string, 1)
	go func() {
		var all []string
		defer func() { queries <- all }()
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		server := pgproto3.NewBackend(conn, conn)
		if _, err := server.ReceiveStartupMessage(); err != nil {
			return
		}
		server.Send(&pgproto3.AuthenticationOk{})
		for name, value := range map[string]string{"standard_conforming_strings": "on", "client_encoding": "UTF8"} {
			server.Send(&pgproto3.ParameterStatus{Name: name, Value: value})
		}
		for {
			server.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
			if err := server.Flush(); err != nil {
				return
			}
			message, err := server.Receive()
			if err != nil {
				return
			}
			query, ok := message.(*pgproto3.Query)
			if !ok {
				return // the client says goodbye
			}
			all = append(all, query.String)
			const text = 25
			server.Send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{
				{Name: []byte("version"), DataTypeOID: text, DataTypeSize: -1, TypeModifier: -1},
			}})
			server.Send(&pgproto3.DataRow{Values: [][]byte{[]byte(version)}})
			server.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
		}
	}()
	return listener.Addr().String(), queries
}
