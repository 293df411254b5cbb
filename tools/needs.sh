#!/bin/sh
# Gets what the tests use beside Go, where it may: Debian packages, as root, and packages of the npm registry. Where it may not, it says
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
need python3 python3 "the tests of the examples"
need npm npm "getting what is written in JavaScript"

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

# What comes from the npm registry has a version and a checksum, and is kept for the next time.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/duel
mkdir -p "$cache" 2>/dev/null
temp=$(mktemp -d "$cache/new.XXXXXX" 2>/dev/null || mktemp -d)
trap 'rm -rf "$temp" ${clusters:+"$clusters/none.conf"}' EXIT

sum=$PWD/ui/web/browsertest/testdata/axe-core.sha256
named() { (cd "$1" 2>/dev/null && sha256sum -c "$sum" >/dev/null 2>&1); }
if ! named "$cache"; then
	name=$(cut -c67- "$sum")
	package=${name%.js} # such as axe-core-4.14.0
	echo "fetching $package"
	(
		cd "$temp" || exit
		npm pack --silent "axe-core@${package#axe-core-}" >/dev/null 2>&1
		tar -xzOf "$package.tgz" package/axe.min.js >"$name"
	) 2>/dev/null
	named "$temp" && mv "$temp/$name" "$cache"
fi
named "$cache" || echo "skipped: the accessibility of the pages, because axe-core cannot be had (npm package axe-core)"

# Of the inspector what its pages are made with is left out: only its command line is used.
clients=$PWD/ui/mcp/clienttest/testdata
have_clients() { cmp -s "$clients/package-lock.json" "$cache/mcp-clients/package-lock.json"; }
if ! have_clients; then
	echo "fetching the official clients of the Model Context Protocol"
	mkdir "$temp/mcp-clients"
	cp "$clients/package.json" "$clients/package-lock.json" "$temp/mcp-clients"
	(cd "$temp/mcp-clients" && npm ci --ignore-scripts --no-audit --no-fund) >/dev/null 2>&1 &&
		rm -rf "$cache/mcp-clients" && mv "$temp/mcp-clients" "$cache"
fi
have_clients || echo "skipped: the official clients of the Model Context Protocol, because they cannot be had (npm packages @modelcontextprotocol/…)"
exit 0
