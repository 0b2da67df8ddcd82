# Functions of .ci/run that install what the tests of foreign programs need.

# install_staticcheck VERSION BIN prints the path of a staticcheck of exactly
# that version: the one that is there, or one built into BIN.
install_staticcheck() {
	local there
	for there in "$(command -v staticcheck || true)" "$(go env GOPATH)/bin/staticcheck"; do
		if [ -x "$there" ] && go version -m "$there" | grep -q "honnef.co/go/tools[[:space:]]*$1[[:space:]]" &&
			[ "$(go version "$there" | sed 's/.*: //')" = "$(go env GOVERSION)" ]; then
			printf '%s\n' "$there"
			return
		fi
	done
	GOBIN=$2 GOFLAGS='' go install "honnef.co/go/tools/cmd/staticcheck@$1" >&2
	printf '%s\n' "$2/staticcheck"
}

# install_node FOLDER installs the folder's pinned packages, once for a lock
# file. Scripts of packages never run.
install_node() {
	local mark=$1/node_modules/.installed
	if cmp -s "$1/package-lock.json" "$mark"; then
		echo "$1: already installed"
		return
	fi
	npm ci --ignore-scripts --no-audit --no-fund --prefix "$1"
	cp "$1/package-lock.json" "$mark"
}

# install_python FOLDER makes the folder's virtual environment, once for a list
# of requirements.
install_python() {
	local venv=$1/.venv
	if cmp -s "$1/requirements.txt" "$venv/.installed"; then
		echo "$1: already installed"
		return
	fi
	rm -rf "$venv"
	python3 -m venv "$venv"
	"$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$1/requirements.txt"
	cp "$1/requirements.txt" "$venv/.installed"
}

# install_browser installs Chromium from Debian where there is none.
install_browser() {
	if command -v chromium >/dev/null; then
		chromium --version
		return
	fi
	export DEBIAN_FRONTEND=noninteractive
	apt-get -q update
	apt-get -q install -y --no-install-recommends chromium
}

install_first_lane() {
	set -e
	install_node ci/npm
	install_node ci/tsclient
	install_browser
}

install_second_lane() {
	set -e
	install_node ci/interop
	install_python ci/interop
}

# install_all TEMP installs everything, two things at a time, and shows what
# the installers said.
install_all() {
	local first second status=0
	(install_first_lane) >"$1/first.log" 2>&1 &
	first=$!
	(install_second_lane) >"$1/second.log" 2>&1 &
	second=$!
	wait "$first" || status=1
	wait "$second" || status=1
	tail -n 40 "$1/first.log" "$1/second.log"
	if [ "$status" != 0 ]; then
		echo "the tests' foreign programs could not be installed" >&2
		return 1
	fi
}
