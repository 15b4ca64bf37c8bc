#!/bin/sh
# Install the wheel of dist/ where the repository is not, and run tests of the source distribution on it.
#
#   scripts/try_package.sh PYTHON            with the newest libraries, the tests that see what a package lacks
#   scripts/try_package.sh PYTHON --lowest   with the lowest that pyproject.toml allows, all quick tests
#
# A package can lack a module, a data file, an entry point or a library: every module is imported and its examples are
# run, every command, source, page and panel is loaded, and the numbers of the papers come out. What else a formula may
# do is the same in the repository, where `make test` runs it.
set -eu
python=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
wheel=$(ls "$PWD"/dist/*.whl)
source=$(ls "$PWD"/dist/*.tar.gz)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$python" -m venv own
pip="own/bin/python -m pip --quiet --disable-pip-version-check"
$pip install 'pip>=25.1'
tar -xzf "$source" --strip-components=1
rm -r src # what the tests import must be the wheel
if [ "${2:-}" = --lowest ]; then
	"$python" scripts/lowest_versions.py pyproject.toml >lowest.txt
	$pip install --constraint lowest.txt "$wheel[all]" --group test
	$pip list
	# Old libraries use what those that they are built on will drop: that is theirs.
	set -- tests -W default::DeprecationWarning -W default::PendingDeprecationWarning
else
	$pip install "$wheel[all]" --group test
	set -- --pyargs karat tests/cli tests/golden tests/report tests/serve tests/source tests/test_*.py
fi
own/bin/karat score 42/100
HYPOTHESIS_PROFILE=quick own/bin/python -m pytest -n auto --dist loadgroup -q "$@" \
	-m "not slow and not spark and not browser and not shared" --ignore tests/docs --ignore tests/data
