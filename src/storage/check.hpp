// Looks at everything that is stored, and does not stop at what is damaged.
#pragma once

#include "backend.hpp"
#include "iqbo/storage/storage_check.hpp"
#include "location.hpp"

namespace iqbo {

StorageCheck check_study(StorageBackend& backend, const SpecBundle& bundle, const StorageLocation& location);

}  // namespace iqbo
