#!/bin/sh
# Builds the library that adds headers to gtlsserver's responses (program/headers.c), unless it exists: .lab/programs/gtlsserver.so.
# The compiler is Debian 13's, so the library is the same wherever it is built. The server itself is a Debian package.
set -eu
cd "$(dirname "$(readlink -f "$0")")/../.."
source=$PWD/servers/gtlsserver
programs=$PWD/.lab/programs
library=$programs/gtlsserver.so
hash=$(cat "$source/program/headers.c" "$source/build.sh" hosts/compiler.sh | sha256sum | cut -d' ' -f1)
made_from=$(echo "$hash" | cut -c1-12)
is_built() { [ -e "$library" ] && [ "$(cat "$programs/gtlsserver.made-from" 2>/dev/null)" = "$made_from" ]; }
if is_built; then exit; fi

# cannot ACTION CAUSE ADVICE: prints why an action failed and what to do, and exits
cannot() { printf 'gtlsserver: cannot %s: %s\n            %s\n' "$1" "$2" "$3" >&2; exit 3; }

mkdir -p "$programs"
work=$programs/gtlsserver.work log=$programs/gtlsserver.log
# One build at a time. A process that waited finds the library built.
exec 9>"$programs/gtlsserver.lock"
flock 9
if is_built; then exit; fi
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
rm -rf "$work"
mkdir "$work"
if ! hosts/kept.sh take gtlsserver "$(uname -m)-$hash" "$work/made"; then
    [ "$(uname -m)" = x86_64 ] || cannot "build it" "this machine is $(uname -m), and the compiler is fetched only for x86-64" "use another server"
    echo "gtlsserver: fetching Debian 13's compiler (60 MB)" >&2
    hosts/compiler.sh "$work" gcc libc6-dev libnghttp3-dev libngtcp2-dev >"$log" 2>&1 || cannot "fetch its compiler" "$(tail -n 1 "$log")" "the full log is $log"
    mkdir "$work/made"
    (cd "$source/program" && "$work/bin/gcc" -O2 -shared -fPIC -Wall -Wextra -Werror -Wl,--build-id=none -s -o "$work/made/gtlsserver.so" headers.c) >>"$log" 2>&1 ||
        cannot "compile it" "$(grep -m 1 error "$log" || tail -n 1 "$log")" "the full log is $log"
    hosts/kept.sh keep gtlsserver "$(uname -m)-$hash" "$work/made"
fi
mv "$work/made/gtlsserver.so" "$library" # a rename, so the library never exists in part
echo "$made_from" >"$programs/gtlsserver.made-from"
rm -f "$log"
