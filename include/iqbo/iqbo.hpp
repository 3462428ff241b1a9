// Everything that a program usually needs: beliefs from averages, policies that choose queries, stored studies.
//
//   #include <iqbo/iqbo.hpp>
//
// Theory (iqbo/theory), test problems (iqbo/problem), experiments (iqbo/experiment) and single records have headers of
// their own.
#pragma once

#include "iqbo/acquisition/acquisition.hpp"
#include "iqbo/acquisition/improvement.hpp"
#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/acquisition/location.hpp"
#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/cell.hpp"
#include "iqbo/conditional/sampled.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/conditional/truncated.hpp"
#include "iqbo/core/errors.hpp"
#include "iqbo/core/points.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/finite/finite.hpp"
#include "iqbo/fit/ensemble.hpp"
#include "iqbo/fit/fit.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "iqbo/learned/learned.hpp"
#include "iqbo/maxvalue/max_samples.hpp"
#include "iqbo/maxvalue/paths.hpp"
#include "iqbo/policy/policy.hpp"
#include "iqbo/policy/resolutions.hpp"
#include "iqbo/posterior/contradiction.hpp"
#include "iqbo/posterior/plain_gp.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "iqbo/space/box.hpp"
#include "iqbo/space/finite_set.hpp"
#include "iqbo/space/mixed.hpp"
#include "iqbo/space/query_tree.hpp"
#include "iqbo/study/study.hpp"
