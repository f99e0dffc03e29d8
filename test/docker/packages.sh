#!/bin/sh
# Unpacks the packages that an engine needs and this Debian lacks. Nothing is installed: no service starts, and apt's state does not change.
#   packages.sh <cache folder>     writes <cache>/root, <cache>/paths.sh and <cache>/sources.list (Debian 13)
set -eu
cache=$1 root=$1/root
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# shellcheck source=/dev/null
. /etc/os-release

quiet_apt() {
  apt-get -qq -o APT::Sandbox::User=root -o Dir::State::Lists="$cache/lists" \
    -o Dir::Cache::Archives="$cache/debs" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= "$@"
}

# The machine's mirrors, with Debian 13 instead of the machine's suite: "<uri> <suite> main" for each part.
write_trixie_sources() {
  # apt expands the $(...), not the shell
  # shellcheck disable=SC2016
  quiet_apt indextargets --format '$(ORIGIN) $(COMPONENT) $(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
    awk -v own="$VERSION_CODENAME" -v key="$keyring" '
      $1 == "Debian" && $2 == "main" && sub("^(" own "|stable)", "trixie", $4) && !seen[$3 $4]++ {
        print "deb [signed-by=" key "] " $3 " " $4 " main" }' >"$cache/sources.list"
  [ -s "$cache/sources.list" ] || { echo "apt lists no Debian mirror for $VERSION_CODENAME" >&2; exit 1; }
}

# Debian 12's docker-compose is version 1; Debian 13's is the plugin, which runs on both.
fetch_compose_of_trixie() {
  (cd "$cache/debs" &&
    trixie() {
      quiet_apt -o Dir::Etc::SourceList="$cache/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$cache/trixie" "$@"
    } && mkdir -p "$cache/trixie/partial" && trixie update && trixie download docker-compose)
}

fetch() {
  rm -rf "$root" "$cache/debs"
  mkdir -p "$root/usr/lib" "$cache/debs/partial" "$cache/lists/partial"
  quiet_apt update
  write_trixie_sources
  wanted="docker.io containerd iptables iproute2 slirp4netns debootstrap"
  # A Debian with a separate client package has Compose version 2 as well.
  if apt-cache -o Dir::State::Lists="$cache/lists" -o Dir::Cache::pkgcache= show docker-cli >/dev/null 2>&1; then
    wanted="$wanted docker-cli docker-compose"
  else
    fetch_compose_of_trixie
  fi
  # Downloads only packages that are not installed yet, with their dependencies.
  # shellcheck disable=SC2086
  quiet_apt install --yes --no-install-recommends --download-only $wanted
  find "$cache/debs" -name '*.deb' -exec dpkg-deb -x {} "$root" \;
  rm -rf "$cache/debs" "$cache/lists" "$cache/trixie" "$root/usr/share/doc" "$root/usr/share/man"
}

write_paths() {
  libs=$(find "$root/usr/lib" -maxdepth 1 -name '*-linux-gnu*' | head -n 1)
  own=$(find /usr/lib -maxdepth 2 -name xtables | head -n 1)
  xtables=$libs/xtables
  if [ ! -d "$xtables" ]; then xtables=$own; fi
  cat >"$cache/paths.sh" <<EOF
export PATH="$root/usr/sbin:$root/usr/bin:$root/sbin:\$PATH:/usr/sbin:/sbin"
export ENGINE_LIBS="$libs" ENGINE_XTABLES="$xtables"
if [ -d "$root/usr/share/debootstrap" ]; then export DEBOOTSTRAP_DIR="$root/usr/share/debootstrap"; fi
EOF
  mkdir -p "$cache/config/cli-plugins"
  plugin=$(find "$root/usr/libexec/docker" "$root/usr/lib/docker" /usr/libexec/docker /usr/lib/docker \
    -name docker-compose 2>/dev/null | head -n 1)
  ln -sfn "$plugin" "$cache/config/cli-plugins/docker-compose"
}

# The cache is valid for a week, so that security updates arrive.
stamp="$VERSION_CODENAME $(date +%G-W%V) $(sha256sum <"$0")"
if [ "$(cat "$cache/packages.stamp" 2>/dev/null)" = "$stamp" ]; then exit 0; fi
echo "fetching the engine's packages" >&2
fetch
write_paths
echo "$stamp" >"$cache/packages.stamp"
