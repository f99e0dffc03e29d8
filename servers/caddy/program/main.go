// Caddy with only the modules that serve files.
package main

import (
	"io/fs"
	"os"

	"github.com/caddyserver/caddy/v2"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"

	_ "github.com/caddyserver/caddy/v2/modules/caddyfs"
	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp"
	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/encode/brotli"
	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/encode/gzip"
	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/fileserver"
	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/headers"
	_ "github.com/caddyserver/caddy/v2/modules/caddytls"
	_ "github.com/caddyserver/caddy/v2/modules/caddytls/standardstek"
)

// Below is a file system that follows no symbolic link out of its folder. Caddy's own file system follows every link.
type Below struct {
	Folder string `json:"folder"`
	below  fs.FS
}

func (*Below) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "caddy.fs.below", New: func() caddy.Module { return new(Below) }}
}

func (b *Below) Provision(caddy.Context) error {
	root, err := os.OpenRoot(b.Folder)
	if err != nil {
		return err
	}
	b.below = root.FS()
	return nil
}

// Open reports every failure as a file that does not exist.
func (b *Below) Open(name string) (fs.File, error) {
	file, err := b.below.Open(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return file, nil
}

func main() {
	caddy.RegisterModule(new(Below))
	caddycmd.Main()
}
