#!/bin/sh
# The register: sh count.sh e7n3 prints observed/expected deaths of that region.
cd "$(dirname "$0")" || exit 1
awk -F, -v region="$1" '$1 == region { print $2 "/" $3; found = 1 }
  END { if (!found) { print "no region " region > "/dev/stderr"; exit 1 } }' deaths.csv
