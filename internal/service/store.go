package service

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/bolt"
	"github.com/rdfproto/rdfproto/replay/redis"
)

// openStore opens the store of messages. create makes its file.
func openStore(ctx context.Context, c *Config, create bool) (replay.Store, error) {
	if create && c.Replay.Store != "bolt" {
		return nil, errors.New("expected a store that is a file")
	}
	switch c.Replay.Store {
	case "bolt":
		open := bolt.Open
		if create {
			open = bolt.Create
		}
		store, err := open(c.path(c.Replay.Path), bolt.Options{})
		if err != nil {
			return nil, err // and no Store that holds a nil
		}
		return store, nil
	case "redis":
		o, err := redisOptions(c.Replay.URL)
		if err != nil {
			return nil, err
		}
		o.Prefix = c.Replay.Prefix
		store, err := redis.Open(ctx, o)
		if err != nil {
			return nil, err
		}
		return store, nil
	}
	return replay.NewMemory(replay.Limits{}), nil
}

// redisOptions reads redis://[user[:password]@]host[:port][/database], and the same
// with rediss for TLS. Its errors hold nothing of it: where the password stands in a URL
// that is wrong, nobody knows.
func redisOptions(text string) (o redis.Options, err error) {
	u, err := url.Parse(text)
	if err != nil {
		return o, errors.New("expected a URL such as redis://127.0.0.1:6379/0")
	}
	if u.Scheme != "redis" && u.Scheme != "rediss" || u.Host == "" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" {
		return o, errors.New("expected a URL such as redis://127.0.0.1:6379/0, with nothing after the number of the database")
	}
	port := u.Port()
	if port == "" {
		port = "6379"
	}
	o.Addrs = []string{net.JoinHostPort(u.Hostname(), port)}
	o.Username = u.User.Username()
	o.Password, _ = u.User.Password()
	if u.Scheme == "rediss" {
		o.TLS = &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	}
	if db := strings.TrimPrefix(u.Path, "/"); db != "" {
		if o.DB, err = strconv.Atoi(db); err != nil || o.DB < 0 {
			return o, errors.New("expected a URL such as redis://127.0.0.1:6379/0, with the number of a database at its end")
		}
	}
	return o, nil
}
