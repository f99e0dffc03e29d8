#!/bin/sh
# Gets packages of any Debian release from this machine's mirrors, without root privileges. It ignores this machine's
# installed packages and settings for apt. All files are in FOLDER.
#   debian.sh sources FOLDER SUITE...       choose suites ("trixie", "trixie-backports"); prints nothing; fails if apt here lists no Debian mirror
#   debian.sh apt FOLDER PROGRAM WORD...    run apt-get or apt-cache on these suites
set -eu
verb=$1 folder=$2
shift 2

# A mirror that has a suite of one release also has this suite of other releases: trixie-security next to bookworm-security.
sources() {
    # shellcheck source=/dev/null
    . /etc/os-release
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
    : >"$folder/nothing-installed"
    # apt expands the $(...), not the shell
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
        awk -v own="${VERSION_CODENAME:-stable}" -v suites="$*" '
            BEGIN { count = split(suites, wanted, " ") }
            $1 == "Debian" && $2 == "main" {
                part = $4; sub("^(" own "|stable)", "", part)
                for (i = 1; i <= count; i++) {
                    suite = wanted[i]; ending = suite; sub(/^[^-]*/, "", ending)
                    # Backports are on the mirror of the release.
                    if ((part == ending || (part == "" && ending == "-backports")) && !seen[$3, suite]++)
                        print "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] " $3 " " suite " main"
                }
            }' >"$folder/sources.list"
    [ -s "$folder/sources.list" ]
}

apt() {
    program=$1
    shift
    "$program" -qq -o APT::Sandbox::User=root -o APT::Install-Recommends=false -o Acquire::Languages=none -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
        -o Dir::State="$folder" -o Dir::State::Lists="$folder/lists" -o Dir::State::status="$folder/nothing-installed" -o Dir::Cache="$folder/cache" "$@"
}

"$verb" "$@"
