#!/usr/bin/env bash
# tools/debian_package.sh <build folder> <out folder>: a Debian package of what was built there.
#
# One package: the program with its manual page and completion, the Python module for Debian's python3, the library's headers, archives
# and CMake files. It needs a processor with AVX2 where the build did (-march=x86-64-v3), and refuses to be installed elsewhere.
set -euo pipefail

build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
tree=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
root=$out/root
rm -rf "$root"

DESTDIR=$root cmake --install "$build" --prefix /usr >"$out/install.log"
version=$("$root/usr/bin/iqbo" --version)
version=${version##* }

modules=$root/usr/lib/python3/dist-packages/iqbo
mkdir -p "$modules"
cp -L "$build"/python/iqbo/*.py "$build"/python/iqbo/*.pyi "$build"/python/iqbo/py.typed "$build"/python/iqbo/_iqbo*.so "$modules"
binaries=("$root/usr/bin/iqbo" "$modules"/_iqbo*.so "$root"/usr/lib/iqbo/*.so)
strip --strip-unneeded "${binaries[@]}"
strip --strip-debug "$root"/usr/lib/*.a

gzip -9n "$root/usr/share/man/man1/iqbo.1"
mkdir -p "$root/usr/share/bash-completion/completions" "$root/usr/share/doc/iqbo"
"$root/usr/bin/iqbo" completion >"$root/usr/share/bash-completion/completions/iqbo"
gzip -9nc "$tree/CHANGELOG.md" >"$root/usr/share/doc/iqbo/changelog.gz"
rm -f "$root/usr/share/doc/iqbo/LICENSE"
cat >"$root/usr/share/doc/iqbo/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: iqbo

Files: *
Copyright: the authors of iqbo
License: Apache-2.0
 On Debian systems the text of this licence is in /usr/share/common-licenses/Apache-2.0.
END
/usr/bin/python3 "$tree/tools/sbom.py" --name iqbo --version "$version" --out "$root/usr/share/doc/iqbo/sbom.spdx.json" "${binaries[@]}"

mkdir -p "$root/DEBIAN" "$out/debian"
printf 'Source: iqbo\n\nPackage: iqbo\nArchitecture: any\n' >"$out/debian/control" # dpkg-shlibdeps wants one
libraries=$(cd "$out" && dpkg-shlibdeps -O "${binaries[@]}" 2>"$out/shlibdeps.log")
python_version=$(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
cat >"$root/DEBIAN/control" <<END
Package: iqbo
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: the authors of iqbo
Section: math
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: ${libraries#shlibs:Depends=}, python3 (>= $python_version), python3-numpy
Recommends: libeigen3-dev, libnlopt-dev, libsoci-dev, python3-matplotlib
Description: optimise what you can only measure as averages
 Finds the point where a function is largest when only averages of it can be
 measured: surveys of districts, satellite tiles, clinics, campaigns. With the
 program iqbo, a module for Python and a library for C++ (iqbo::iqbo in CMake).
END
if grep -q '^IQBO_ARCH:.*=x86-64-v3$' "$build/CMakeCache.txt"; then
  cat >"$root/DEBIAN/preinst" <<'END'
#!/bin/sh
set -e
if [ -r /proc/cpuinfo ] && ! grep -q -m1 'fma.*avx2.*bmi2' /proc/cpuinfo; then # a chroot may lack /proc
  echo "iqbo: this package needs a processor with AVX2, FMA and BMI2; build one with IQBO_ARCH= ./dev deb" >&2
  exit 1
fi
END
  chmod 755 "$root/DEBIAN/preinst"
fi
package=$out/iqbo_${version}_$(dpkg --print-architecture).deb
dpkg-deb --build --root-owner-group "$root" "$package" >"$out/dpkg-deb.log"
rm -rf "$root" "$out/debian"
printf '%s\n' "$package"
