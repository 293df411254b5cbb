#!/bin/sh
# python.sh REQUIREMENTS: prints the Python of a virtual environment with the packages of a file. It
# is made once and kept. Without Python 3.10, or without a package index, it says why and fails.
file=$1
why() { echo "$1" >&2 && exit 1; }
version=$(python3 -c 'import sys; print(sys.version); sys.exit(sys.version_info < (3, 10))' 2>/dev/null) ||
	why "Python 3.10 or later is missing"
python3 -c 'import ensurepip' 2>/dev/null || why "Python cannot make environments (Debian package python3-venv)"

cache=${XDG_CACHE_HOME:-$HOME/.cache}/duel
mkdir -p "$cache" || exit
sum=$({ echo "$version" && cat "$file"; } | sha256sum | cut -c1-16)
made=$cache/python-$sum
exec 9>"$made.lock" && flock 9 # one run at a time
if [ ! -e "$made/ready" ]; then
	rm -rf "$made"
	python3 -m venv "$made" >&2 &&
		"$made/bin/python" -m pip install --quiet --disable-pip-version-check -r "$file" >&2 &&
		touch "$made/ready" ||
		why "the packages of $file cannot be had"
fi
echo "$made/bin/python"
