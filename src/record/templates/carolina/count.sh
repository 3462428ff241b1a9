#!/bin/sh
# The register: sh count.sh Ashe prints deaths/births of that county, 1979 to 1984.
cd "$(dirname "$0")" || exit 1
awk -F, -v county="$*" '$1 == county { print $2 "/" $3; found = 1 }
  END { if (!found) { print "no county " county > "/dev/stderr"; exit 1 } }' deaths_1979_1984.csv
