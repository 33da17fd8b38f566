// include/tenon/tenon.hpp: everything of the core library. Images and files: tenon/io/.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tenon/autodiff/gradient.hpp"
#include "tenon/autodiff/inversion.hpp"
#include "tenon/core/error.hpp"
#include "tenon/core/functions.hpp"
#include "tenon/core/hash.hpp"
#include "tenon/core/reproducible_sum.hpp"
#include "tenon/core/version.hpp"
#include "tenon/distributed/counting.hpp"
#include "tenon/distributed/fault_injecting.hpp"
#include "tenon/distributed/in_process.hpp"
#include "tenon/field/field.hpp"
#include "tenon/grid/grid.hpp"
#include "tenon/operator/leaves.hpp"
#include "tenon/operator/linearize.hpp"
#include "tenon/operator/prepared.hpp"
#include "tenon/operator/sampling.hpp"
#include "tenon/solver/backward_euler.hpp"
#include "tenon/solver/conjugate_gradient.hpp"
#include "tenon/solver/lbfgs.hpp"
#include "tenon/solver/reductions.hpp"
