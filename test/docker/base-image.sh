#!/bin/sh
# Builds debian:trixie-slim without an image registry: <cache>/base.tar, and in base.changes the changes for `docker import`.
#   base-image.sh <cache folder>     after packages.sh
set -eu
cache=$1 root=$1/rootfs
bundle=/etc/ssl/certs/ca-certificates.crt
own_certificates=/usr/local/share/ca-certificates

# The image needs the same settings as this machine to reach the mirrors. A plain machine has no such settings.
settings() {
  if ls "$own_certificates"/*.crt >/dev/null 2>&1; then
    echo "ENV NODE_EXTRA_CA_CERTS=$bundle"
    echo "ENV NPM_CONFIG_CAFILE=$bundle"
  fi
  # Servers that are built for the images need these.
  for name in GOPROXY PIP_INDEX_URL; do
    value=$(printenv $name) && echo "ENV $name=$value"
  done
  # Without --long, npm lists only the settings that differ from its defaults.
  npm config list 2>/dev/null | sed -n 's/^registry = "\(.*\)".*/ENV NPM_CONFIG_REGISTRY=\1/p'
}

bootstrap() {
  mirror=$(awk '$4 == "trixie" { print $3; exit }' "$cache/sources.list")
  rm -rf "$root"
  LD_LIBRARY_PATH="$ENGINE_LIBS" debootstrap --variant=minbase --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
    trixie "$root" "$mirror" >"$cache/debootstrap.log" 2>&1 ||
    { tail -n 5 "$cache/debootstrap.log" >&2; exit 1; }
}

# Like the published slim images: no documents, no translations, no package lists, no archives.
slim() {
  printf 'path-exclude /usr/share/%s/*\n' doc man locale info >"$root/etc/dpkg/dpkg.cfg.d/docker"
  echo 'path-include /usr/share/doc/*/copyright' >>"$root/etc/dpkg/dpkg.cfg.d/docker"
  printf '%s\n' 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb || true"; };' \
    'Acquire::Languages "none";' >"$root/etc/apt/apt.conf.d/docker"
  find "$root/usr/share/doc" -type f ! -name copyright -delete
  rm -rf "$root"/usr/share/man/* "$root"/usr/share/locale/* "$root"/usr/share/info/* "$root"/var/cache/apt/* \
    "$root"/var/lib/apt/lists/* "$root"/var/log/* "$root/etc/resolv.conf" "$root/etc/hostname"
}

adapt() {
  cp "$cache/sources.list" "$root/etc/apt/sources.list"
  if ! ls "$own_certificates"/*.crt >/dev/null 2>&1; then return; fi
  # The package ca-certificates rebuilds the bundle from the certificates. Until it is installed, the image needs the bundle itself.
  mkdir -p "$root$own_certificates" "$root/etc/ssl/certs"
  cp "$own_certificates"/*.crt "$root$own_certificates/"
  cp -L "$bundle" "$root$bundle"
}

stamp=$( (date +%G-W%V; settings; cat "$cache/sources.list" "$own_certificates"/*.crt "$0" 2>/dev/null) | sha256sum)
if [ "$(cat "$cache/base.stamp" 2>/dev/null)" = "$stamp" ]; then exit 0; fi
echo "making debian:trixie-slim" >&2
bootstrap
slim
adapt
tar -C "$root" --numeric-owner -cf "$cache/base.tar" .
rm -rf "$root"
{ settings; echo 'CMD ["bash"]'; echo "LABEL pageload-lab.base=${stamp%% *}"; } >"$cache/base.changes"
echo "$stamp" >"$cache/base.stamp"
