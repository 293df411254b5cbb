#!/bin/sh
# Installs what the tests use beside Go, where it may: Debian packages, as root. Where it may not, it says what will be skipped.
need() { # need COMMAND PACKAGE WHAT-IS-SKIPPED
	command -v "$1" >/dev/null 2>&1 && return
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
		echo "installing $2"
		{ apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$2"; } >/dev/null 2>&1
	fi
	command -v "$1" >/dev/null 2>&1 || echo "skipped: $3, because $1 is missing (Debian package $2)"
}
need tmux tmux "the tests in a real terminal"
exit 0
