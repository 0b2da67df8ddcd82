# Functions of .ci/run that look at the project's own files. Each prints what
# it found and fails if that is anything bad.

# project_files PATTERN... lists the files that are, or could be, committed.
project_files() {
	git ls-files --cached --others --exclude-standard -- "$@" | while IFS= read -r file; do
		[ ! -f "$file" ] || printf '%s\n' "$file"
	done
}

# forbid WHY PATTERN FILES... fails if a line of a file matches the extended
# regular expression. The patterns below are written so that they do not match
# themselves.
forbid() {
	local why=$1 pattern=$2 found
	shift 2
	[ $# -gt 0 ] || return 0
	if found=$(grep -InE -e "$pattern" -- "$@"); then
		printf '%s\n' "$found" | cut -c1-200
		echo "not allowed: $why" >&2
		return 1
	fi
}

check_text() {
	local all code locks bad=0
	mapfile -t all < <(project_files)
	mapfile -t code < <(project_files '*.go' '*.sh' '*.js' '*.mjs' '*.py' '*.tmpl' '.ci/run')
	mapfile -t locks < <(project_files '*package-lock.json' '*requirements.txt')
	forbid "a mark for unfinished work" '\b(TO[D]O|FIX[M]E|XX[X])\b' "${code[@]}" || bad=1
	forbid "a path of one machine" '(^|[^[:alnum:]_.}/-])/((ro[o]t|wor[k]|Use[r]s)/|home/([^u/]|u[^s])[^/]*/)' "${all[@]}" || bad=1
	forbid "a registry's address in a lock file" '"resolve[d]"|inde[x]-url|@ *http' "${locks[@]}" || bad=1
	check_length 450 || bad=1
	[ "$bad" = 0 ] || return 1
	echo "${#all[@]} files"
}

# check_length MAX fails if a Go file has more lines.
check_length() {
	local file lines bad=0
	while IFS= read -r file; do
		lines=$(wc -l <"$file")
		if [ "$lines" -gt "$1" ]; then
			echo "$file has $lines lines, more than $1" >&2
			bad=1
		fi
	done < <(project_files '*.go')
	return "$bad"
}

check_format() {
	local wrong
	wrong=$(project_files '*.go' | xargs gofmt -l)
	if [ -n "$wrong" ]; then
		printf 'run gofmt -w on:\n%s\n' "$wrong" >&2
		return 1
	fi
}

# test_command prints the command that the README gives for the tests: its
# first line of code that starts with "go test".
test_command() {
	local line
	if [ ! -f README.md ]; then
		echo "go test ./..."
		return
	fi
	line=$(grep -m1 -oE '^[[:space:]]*(\$ )?go test [^#]*' README.md | sed -E 's/^[[:space:]]*(\$ )?//; s/[[:space:]]+$//') || true
	if [ -z "$line" ]; then
		echo "README.md does not give the command that runs the tests" >&2
		return 1
	fi
	printf '%s\n' "$line"
}

# fuzz_all SECONDS runs every fuzz target of every package for that long.
fuzz_all() {
	local package target targets
	go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}' ./... | while IFS= read -r package; do
		grep -qs '^func Fuzz' "$package"/*_test.go || continue
		targets=$(go test -list '^Fuzz' "$package" | grep '^Fuzz')
		for target in $targets; do
			go test -run '^$' -fuzz "^$target\$" -fuzztime "${1}s" "$package"
		done
	done
}
