# Runs a temporary PostgreSQL in a folder of its own. It prints its port and then obeys lines of
# input: create NAME, drop NAME, stop, kill and start. It answers each with ok or a reason. When the
# input ends, also by the end of a test binary, it removes everything.
set -u
PATH=$(printf '%s\n' /usr/lib/postgresql/[1-9][0-9]/bin | tail -n 1):$PATH # not Debian's wrappers
command -v initdb >/dev/null || { echo missing; exit; }
for place in "${TMPDIR:-/tmp}" /tmp /var/tmp; do # that of root may be private
	dir=$(mktemp -d "$place/pgXXXXXX" 2>/dev/null) && break
done
cd "$dir" || exit
trap 'pg_ctl -s -D data -m immediate stop 2>/dev/null; cd / && rm -rf "$dir"' EXIT
trap '' INT
export PGHOST=127.0.0.1 PGUSER=postgres
start() {
	pg_ctl -s -w -D data -l log -o "-k $dir -h $PGHOST -p $PGPORT -c fsync=$FSYNC" start ||
		{ cat log; return 1; }
}
initdb -D data -U postgres -A trust -E UTF8 --locale=C --no-sync >out 2>&1
for _ in 1 2 3; do # outside the range of ephemeral ports, so that a stopped server can have it back
	export PGPORT=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 10000))
	start >>out 2>&1 && break
done
[ -f data/postmaster.pid ] && echo "$PGPORT" || { tr '\n' ' ' <out; exit; }
while read -r verb name; do
	case $verb in
	create) createdb "$name" ;;
	drop) dropdb -f "$name" ;;
	stop) pg_ctl -s -D data -m fast stop ;;
	kill) pg_ctl -s -D data -m immediate stop ;; # like a crash, for all its processes
	start) start ;;
	esac >out 2>&1 && echo ok || { tr '\n' ' ' <out; echo; }
done
