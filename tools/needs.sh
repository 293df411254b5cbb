#!/bin/sh
# Installs the programs that the tests use in addition to Go, where it may: Debian packages, as root,
# and packages of the npm registry and of the Python package index. Where it may not, it prints what will be skipped. With CI=true it
# fails if one of those that CI demands is missing.

demanded="chromium postgres nginx node"
root=${NEEDS_ROOT:-} # another root folder, for a test of this script

may_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

have() { # have COMMAND: on the path, or where Debian keeps the servers of PostgreSQL
	command -v "$1" >/dev/null 2>&1 || ls "$root"/usr/lib/postgresql/*/bin/"$1" >/dev/null 2>&1
}

failed=
skip() { # skip COMMAND WHAT WHY
	echo "skipped: $2, because $3"
	case "${CI:-}: $demanded " in "true:"*" $1 "*) failed="$failed $1" ;; esac
}

# Installing a package starts no service: its scripts ask this file first. A file that was there comes
# back afterwards, and so it does if an earlier run was killed.
policy=$root/usr/sbin/policy-rc.d
forbid_services() {
	[ ! -e "$policy" ] || mv "$policy" "$policy.kept"
	printf '#!/bin/sh\n# tools/needs.sh\nexit 101\n' >"$policy"
	chmod +x "$policy"
}
restore_policy() {
	! grep -qs '^# tools/needs.sh$' "$policy" || rm -f "$policy"
	[ ! -e "$policy.kept" ] || mv "$policy.kept" "$policy"
}

clusters=$root/etc/postgresql-common/createcluster.d
temp=
clean_up() {
	[ -z "$temp" ] || rm -rf "$temp"
	! may_install || { rm -f "$clusters/none.conf" && restore_policy; }
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM
if may_install; then
	exec 9<"$root/usr/sbin" && flock 9 # one run at a time
	restore_policy
fi

apt() { DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >/dev/null 2>&1; }

updated=
need() { # need COMMAND PACKAGE WHAT-IS-SKIPPED
	if ! have "$1" && may_install; then
		echo "installing $2"
		[ "$updated" ] || apt update
		updated=yes
		forbid_services
		apt install -y --no-install-recommends "$2"
		restore_policy
	fi
	have "$1" || skip "$1" "$3" "$1 is missing (Debian package $2)"
}

need tmux tmux "the tests in a real terminal"
need chromium chromium "the tests in a real browser"
need chromium-headless-shell chromium-headless-shell "the quicker browser (tests use chromium instead)"
need python3 python3 "the tests of the examples"
python3 -c 'import ensurepip' 2>/dev/null || ! may_install || ! have python3 || {
	echo "installing python3-venv"
	[ "$updated" ] || apt update
	updated=yes
	apt install -y --no-install-recommends python3-venv
}
need npm npm "getting what is written in JavaScript"

major=$(node --version 2>/dev/null | cut -d. -f1)
[ "${major#v}" ] && [ "${major#v}" -ge 20 ] ||
	skip node "the official clients of the Model Context Protocol" "Node 20 or later is missing (it is ${major:-not there})"

# The tests start a server of their own, so installing PostgreSQL is not to make one as well.
if ! have postgres && may_install; then
	mkdir -p "$clusters"
	echo "create_main_cluster = false" >"$clusters/none.conf"
fi
need postgres postgresql "the tests on PostgreSQL"

# Nor is the nginx that is installed here to start with the machine.
there=$(have nginx && echo yes)
need nginx nginx "the tests behind a proxy"
[ "$there" ] || ! may_install || update-rc.d nginx disable >/dev/null 2>&1

# What comes from the npm registry has a version and a checksum, and is kept for the next time.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/duel
mkdir -p "$cache" 2>/dev/null
temp=$(mktemp -d "$cache/new.XXXXXX" 2>/dev/null || mktemp -d)

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

# The same for the libraries that the Python package has adapters for.
for file in python/requirements.txt python/tests/requirements.txt; do
	tools/python.sh "$file" >/dev/null 2>"$temp/why" ||
		echo "skipped: tests of the Python package with $file, because $(tail -n 1 "$temp/why")"
done

[ -z "$failed" ] || {
	echo "with CI=true no tests may be skipped for want of:$failed" >&2
	exit 1
}
