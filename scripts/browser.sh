#!/bin/sh
# The tests of the report page need Chromium. As root it is installed from Debian's packages, unless KARAT_NO_APT is set.
for name in chromium chromium-browser google-chrome; do
	command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ -z "$KARAT_NO_APT" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "installing Chromium (chromium) for the tests of the report page; KARAT_NO_APT=1 forbids it"
	find /usr/share/fonts -name '*.[ot]tf' 2>/dev/null | grep -q . || font=fonts-dejavu-core
	{ apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium $font; } >/dev/null 2>&1 && exit 0
fi
echo "no Chromium: the browser tests are skipped (install one, for example chromium, to run them)"
