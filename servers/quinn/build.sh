#!/bin/sh
# Builds the server, unless it exists: .lab/programs/quinn. program/Cargo.lock pins all its crates.
#
# Debian 13's Rust builds it, and links Debian 13's C library statically, so it is the same on every machine and runs on any Debian.
set -eu
cd "$(dirname "$(readlink -f "$0")")/../.."
source=$PWD/servers/quinn
programs=$PWD/.lab/programs
program=$programs/quinn
target=x86_64-unknown-linux-gnu
# The hash of its sources; a file next to the program keeps it.
hash=$(cat "$source"/program/Cargo.* "$source"/program/src/* "$source/build.sh" hosts/compiler.sh | sha256sum | cut -d' ' -f1)
made_from=$(echo "$hash" | cut -c1-12)
is_built() { [ -e "$program" ] && [ "$(cat "$programs/quinn.made-from" 2>/dev/null)" = "$made_from" ]; }
if is_built; then exit; fi

say() { echo "quinn: $*" >&2; }
# cannot ACTION CAUSE ADVICE: prints why an action failed and what to do, and exits
cannot() { printf 'quinn: cannot %s: %s\n       %s\n' "$1" "$2" "$3" >&2; exit 3; }

mkdir -p "$programs"
work=$programs/quinn.work log=$programs/quinn.log
# One build at a time. A process that waited finds the program built.
exec 9>"$programs/quinn.lock"
flock -n 9 || { say "waiting for another build" && flock 9; }
if is_built; then exit; fi
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
rm -rf "$work"
mkdir "$work"

# Makes Rust's linker. Programs that the build itself runs need Debian 13's libraries, which this machine may lack, so the linker adds their paths.
make_linker() {
    cat >"$work/bin/cc" <<END
#!/bin/sh
case " \$* " in
*" -static-pie "* | *" -static "* | *" -shared "*) ;;
*) set -- "\$@" -Wl,--dynamic-linker='$work/tree/usr/lib64/ld-linux-x86-64.so.2' -Wl,-rpath='$work/tree/usr/lib/x86_64-linux-gnu' ;;
esac
exec gcc "\$@"
END
    chmod +x "$work/bin/cc"
}

# Runs cargo without the user's settings, except where crates come from, and without paths of this machine in the program.
cargo_here() {
    from=${CARGO_HOME:-${HOME:-/dev/null}/.cargo}/config.toml
    crates=$work/crates
    mkdir -p "$crates"
    [ ! -e "$from" ] || cp "$from" "$crates"
    (cd "$work/program" && env -u RUSTC_WRAPPER -u RUSTC_WORKSPACE_WRAPPER -u CARGO_ENCODED_RUSTFLAGS -u CARGO_BUILD_TARGET -u RUSTUP_TOOLCHAIN \
        PATH="$work/bin:$PATH" CARGO_HOME="$crates" CARGO_TARGET_DIR="$work/target" RUSTC="$work/bin/rustc" CC="$work/bin/gcc" AR="$work/bin/ar" \
        CFLAGS="-ffile-prefix-map=$work=/build" MADE_FROM="$made_from" \
        CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER="$work/bin/cc" \
        CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS="-C target-feature=+crt-static --remap-path-prefix=$work=/build" \
        "$work/bin/cargo" "$@" >>"$log" 2>&1)
}

if ! hosts/kept.sh take quinn "$(uname -m)-$hash" "$work/made"; then
    [ "$(uname -m)" = x86_64 ] || cannot "build it" "this machine is $(uname -m), and the compiler is fetched only for x86-64" "use another server"
    free=$(df -Pm "$programs" | awk 'NR == 2 { print $4 }')
    [ "$free" -ge 2000 ] || cannot "build it" "$free MiB are free in .lab; building needs 2000 for some minutes" "free some space"
    say "fetching Debian 13's Rust (180 MB)"
    hosts/compiler.sh "$work" rustc cargo gcc libc6-dev >"$log" 2>&1 || cannot "fetch its compiler" "$(tail -n 1 "$log")" "the full log is $log"
    make_linker
    cp -r "$source/program" "$work/program"
    say "fetching its crates (20 MB)"
    cargo_here fetch --locked --target $target || cannot "fetch its crates" "$(grep -m 1 '^error' "$log" || tail -n 1 "$log")" "can this machine reach a crates registry? The full log is $log"
    say "compiling (1 to 3 minutes on 2 cores)"
    cargo_here build --release --locked --offline --target $target || cannot "build it" "$(grep -m 1 '^error' "$log" || tail -n 1 "$log")" "the full log is $log"
    mkdir "$work/made"
    mv "$work/target/$target/release/quinn-server" "$work/made/quinn"
    hosts/kept.sh keep quinn "$(uname -m)-$hash" "$work/made"
    say "done"
fi
mv "$work/made/quinn" "$program" # a rename, so the program never exists in part
echo "$made_from" >"$programs/quinn.made-from"
rm -f "$log"
