#!/bin/sh
# Install the wheel where the repository is not, and run the quick tests of the source distribution on it.
set -eu
python=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
wheel=$(ls "$PWD"/dist/*.whl)
source=$(ls "$PWD"/dist/*.tar.gz)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$python" -m venv own
own/bin/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
tar -xzf "$source" --strip-components=1
own/bin/python -m pip install --quiet --disable-pip-version-check "$wheel[all]" --group test
own/bin/karat score 42/100
# What the tests import must be the wheel, not the sources beside them.
HYPOTHESIS_PROFILE=quick own/bin/python -m pytest -n auto --dist loadgroup -q tests \
	-m "not slow and not spark and not browser" --ignore tests/docs --ignore tests/data
