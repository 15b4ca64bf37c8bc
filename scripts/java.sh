#!/bin/sh
# The Spark tests need a Java runtime. As root it is installed from Debian's packages, unless KARAT_NO_APT is set.
command -v java >/dev/null 2>&1 && exit 0
if [ -z "$KARAT_NO_APT" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "installing a Java runtime (default-jre-headless) for the Spark tests; KARAT_NO_APT=1 forbids it"
	{ apt-get -qq update && apt-get -qq install -y --no-install-recommends default-jre-headless; } >/dev/null 2>&1 && exit 0
fi
echo "no Java runtime: the Spark tests are skipped (install one, for example default-jre-headless, to run them)"
