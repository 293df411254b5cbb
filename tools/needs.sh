#!/bin/sh
# Gets what the tests use beside Go, where it may: Debian packages, as root, and a file of the npm registry. Where it may not, it says
# what will be skipped.

may_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

have() { # have COMMAND: on the path, or where Debian keeps the servers of PostgreSQL
	command -v "$1" >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/"$1" >/dev/null 2>&1
}

apt() { DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >/dev/null 2>&1; }

updated=
need() { # need COMMAND PACKAGE WHAT-IS-SKIPPED
	if ! have "$1" && may_install; then
		echo "installing $2"
		[ "$updated" ] || apt update
		updated=yes
		apt install -y --no-install-recommends "$2"
	fi
	have "$1" || echo "skipped: $3, because $1 is missing (Debian package $2)"
}

need tmux tmux "the tests in a real terminal"
need chromium chromium "the tests in a real browser"
need python3 python3 "the test of the example engine"

# The tests start a server of their own, so installing PostgreSQL is not to make and start one as well.
if ! have postgres && may_install; then
	clusters=/etc/postgresql-common/createcluster.d
	mkdir -p $clusters
	trap 'rm -f "$clusters/none.conf"' EXIT
	echo "create_main_cluster = false" >$clusters/none.conf
fi
need postgres postgresql "the tests on PostgreSQL"

# The package of nginx starts a server, so it is left to whoever wants that.
have nginx || echo "skipped: the tests behind a proxy, because nginx is missing (Debian package nginx)"

# axe-core, by its version and checksum, is kept for the next time.
sum=$PWD/web/browsertest/testdata/axe-core.sha256
cache=${XDG_CACHE_HOME:-$HOME/.cache}/duel
named() { (cd "$1" 2>/dev/null && sha256sum -c "$sum" >/dev/null 2>&1); }
if ! named "$cache"; then
	name=$(cut -c67- "$sum")
	package=${name%.js} # such as axe-core-4.14.0
	temp=$(mktemp -d)
	trap 'rm -rf "$temp" ${clusters:+"$clusters/none.conf"}' EXIT
	echo "fetching $package"
	(
		cd "$temp" || exit
		npm pack --silent "axe-core@${package#axe-core-}" >/dev/null 2>&1
		tar -xzOf "$package.tgz" package/axe.min.js >"$name"
	) 2>/dev/null
	named "$temp" && mkdir -p "$cache" && mv "$temp/$name" "$cache"
fi
named "$cache" || echo "skipped: the accessibility of the pages, because axe-core cannot be had (npm package axe-core)"
exit 0
