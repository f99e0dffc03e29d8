#!/bin/sh
# Builds caddy, unless it exists: .lab/programs/caddy. The folder program/ pins its version and all its modules.
#
# Debian's caddy (2.6.2, built with Go 1.19) does not repeat a run exactly on the virtual clock; this one does. It has the same
# bytes wherever it is built, because one toolchain builds it. The toolchain is a Go module, so any Go can fetch it.
toolchain=v0.0.1-go1.26.8
set -eu
cd "$(dirname "$(readlink -f "$0")")/../.."
program=$PWD/servers/caddy/program
programs=$PWD/.lab/programs
# The hash of its sources; a file next to the program keeps it.
hash=$(cat "$program"/main.go "$program"/go.mod "$program"/go.sum servers/caddy/build.sh | sha256sum | cut -d' ' -f1)
made_from=$(echo "$hash" | cut -c1-12)
# The program prints this version, and each run records it.
version="$(sed -n 's/.*caddy.v2 //p' "$program/go.mod" | head -n 1) made from $made_from"
is_built() { [ "$(cat "$programs/caddy.made-from" 2>/dev/null)" = "$made_from" ]; }
if is_built; then exit; fi

say() { echo "caddy: $*" >&2; }
# cannot ACTION CAUSE ADVICE: prints why an action failed and what to do, and exits
cannot() { printf 'caddy: cannot %s: %s\n       %s\n' "$1" "$2" "$3" >&2; exit 3; }

# Runs Go without the user's settings, except where Go modules come from.
clean_go() {
    env -u GOROOT -u GOOS -u GOARCH -u GOEXPERIMENT -u GODEBUG -u GOAMD64 -u GOARM64 CGO_ENABLED=0 GOTOOLCHAIN=local GOWORK=off \
        GOFLAGS=-modcacherw GOPATH="$work/path" GOCACHE="$work/cache" "$@" 2>>"$log"
}

mkdir -p "$programs"
work=$programs/work log=$programs/build.log
# One build at a time. A process that waited finds the program built.
exec 9>"$programs/lock"
flock -n 9 || { say "waiting for another build" && flock 9; }
if is_built; then exit; fi
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
rm -rf "$work"
mkdir "$work"
: >"$log"
if ! hosts/kept.sh take caddy "$(uname -m)-$hash" "$work/made"; then
    command -v go >/dev/null || echo golang-go | hosts/packages.sh install ||
        cannot "build it" "Go is not installed" "install golang-go, or start a run with caddy once as root"
    free=$(df -Pm "$programs" | awk 'NR == 2 { print $4 }')
    [ "$free" -ge 1500 ] || cannot "build it" "$free MiB are free in .lab; building needs 1500 for some minutes" "free some space"
    say "fetching Go's toolchain and caddy's modules (150 MB)"
    clean_go go mod download "golang.org/toolchain@$toolchain.linux-$(dpkg --print-architecture)" ||
        cannot "fetch Go's toolchain" "$(tail -n 1 "$log")" "can this machine reach a Go module proxy (go env GOPROXY)? The full log is $log"
    go=$(echo "$work"/path/pkg/mod/golang.org/toolchain@*)
    chmod -R +x "$go/bin" "$go/pkg/tool" # files of a Go module are not executable
    (cd "$program" && clean_go "$go/bin/go" mod download) ||
        cannot "fetch caddy's modules" "$(tail -n 1 "$log")" "can this machine reach a Go module proxy (go env GOPROXY)? The full log is $log"
    say "compiling (1 to 3 minutes on 2 cores)"
    (cd "$program" && clean_go "$go/bin/go" build -mod=readonly -trimpath -buildvcs=false -ldflags="-s -w -buildid= -X 'github.com/caddyserver/caddy/v2.CustomVersion=$version'" -o "$work/made/caddy" .) ||
        cannot "build it" "$(tail -n 1 "$log")" "the full log is $log"
    hosts/kept.sh keep caddy "$(uname -m)-$hash" "$work/made"
    say "done"
fi
mv "$work/made/caddy" "$programs/caddy" # a rename, so the program never exists in part
echo "$made_from" >"$programs/caddy.made-from"
rm "$log"
