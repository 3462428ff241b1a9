// File systems shared over a network, by the number that statfs() gives (linux/magic.h). SQLite's write-ahead log needs
// memory that all processes share, and locks on such file systems are often broken.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace iqbo {

inline std::optional<std::string> network_file_system(std::uint64_t statfs_type) {
  switch (statfs_type & 0xFFFFFFFFU) {
    case 0x6969:
      return "NFS";
    case 0xFF534D42:
      return "CIFS";
    case 0xFE534D42:
    case 0x517B:
      return "SMB";
    case 0x5346414F:
      return "AFS";
    case 0x00C36400:
      return "Ceph";
    case 0x0BD00BD0:
      return "Lustre";
    case 0x47504653:
      return "GPFS";
    default:
      return {};
  }
}

}  // namespace iqbo
