#!/usr/bin/env bash
# tests/install/try_debian_package.sh <package.deb> <folder>: installs the package in a fresh chroot of Debian 12 and uses all of it.
set -euo pipefail

package=$(realpath "$1")
root=$2
tree=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
[[ $(id -u) == 0 ]] || { echo "try_debian_package.sh: a chroot needs root" >&2; exit 1; }

rm -rf "$root"
# From where this machine gets its own packages.
# shellcheck disable=SC2016 # apt-get expands it
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | head -n 1)
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 || { tail -n 5 "$root.log" >&2; exit 1; }
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT
cp "$package" "$root/tmp/iqbo.deb"
cp "$tree/examples/quickstart.cpp" "$root/tmp/quickstart.cpp"
chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /tmp/iqbo.deb >>"$root.log" 2>&1 ||
  { tail -n 5 "$root.log" >&2; exit 1; }

chroot "$root" sh -euc '
  cd /tmp
  iqbo --version
  iqbo new --template districts --folder campaign --study campaign.db
  iqbo ask --study campaign.db
  iqbo tell --study campaign.db 0 3.5
  iqbo best --study campaign.db
  iqbo report --study campaign.db --out report.html
  test -s report.html
  test -s /usr/share/man/man1/iqbo.1.gz
  test -s /usr/share/bash-completion/completions/iqbo
  test -s /usr/share/doc/iqbo/sbom.spdx.json
  python3 -c "
import iqbo
post = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1)).condition([0.2, 0.5, 0.8], [0.1, 0.9, 0.1], noise_var=1e-4)
print(\"posterior mean\", post.f([0.5]).mean[0])"
'
chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends g++ cmake make libeigen3-dev libnlopt-dev \
  libnlopt-cxx-dev libsoci-dev libsqlite3-dev libpq-dev >>"$root.log" 2>&1 || { tail -n 5 "$root.log" >&2; exit 1; }
chroot "$root" sh -euc '
  mkdir /tmp/project && cd /tmp/project
  mv /tmp/quickstart.cpp .
  printf "cmake_minimum_required(VERSION 3.25)\nproject(p CXX)\nfind_package(iqbo REQUIRED)\nadd_executable(p quickstart.cpp)\ntarget_link_libraries(p PRIVATE iqbo::iqbo)\n" >CMakeLists.txt
  cmake -B build . >/dev/null && cmake --build build >/dev/null && ./build/p
'
echo "the package works in a fresh chroot"
