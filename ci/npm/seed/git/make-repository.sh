#!/bin/sh
# Makes a repository of tide tables in the working directory, with a fixed
# history: names, times and so the hashes of its commits are always the same. A
# repository cannot be part of another one's files, so it is made when the server
# starts.
set -eu
git init -q -b main .
echo make-repository.sh >>.git/info/exclude

commit() { # commit TIME NAME MESSAGE
	git add -A
	GIT_AUTHOR_DATE=$1 GIT_COMMITTER_DATE=$1 \
	GIT_AUTHOR_NAME=$2 GIT_COMMITTER_NAME=$2 \
	GIT_AUTHOR_EMAIL=office@kestrelbay.example GIT_COMMITTER_EMAIL=office@kestrelbay.example \
	git -c commit.gpgsign=false commit -q -m "$3"
}

git config user.name "Kestrel Bay"
git config user.email office@kestrelbay.example

printf '# Tide tables\n\nHigh and low water for three ports, in metres.\n' >README.md
printf 'port,high_m,low_m\nKestrel Bay,3.1,0.4\n' >tides.csv
commit 2025-01-10T09:00:00Z "Ingrid Solheim" "Begin with Kestrel Bay"

printf 'Skarvik,2.6,0.5\n' >>tides.csv
commit 2025-02-03T10:30:00Z "Torvald Eng" "Add Skarvik"
git tag v1.0

printf 'Heron Isle,3.4,0.2\n' >>tides.csv
commit 2025-02-21T14:15:00Z "Maren Holt" "Add Heron Isle"

mkdir -p tools
printf 'def spring_range(high, low):\n    return round(1.3 * (high - low), 2)\n' >tools/ranges.py
commit 2025-03-05T08:45:00Z "Ingrid Solheim" "Compute spring ranges"

git checkout -q -b skarvik-datum
sed 's/^Skarvik,2.6,0.5$/Skarvik,2.8,0.7/' tides.csv >tides.new && mv tides.new tides.csv
commit 2025-03-12T16:20:00Z "Torvald Eng" "Move the datum of Skarvik by 0.2 m"
git checkout -q main
