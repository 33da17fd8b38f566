// apps/info.cpp: `tenon info`.
// SPDX-License-Identifier: BSD-3-Clause
#include "info.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "run.hpp"
#include "tenon/core/version.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace tenon::apps {
namespace {

using Json = nlohmann::ordered_json;

int threads() {
#if defined(_OPENMP)
  return omp_get_max_threads();
#else
  return 1;
#endif
}

#if defined(TENON_HAVE_IO)
constexpr bool have_io = true;
#else
constexpr bool have_io = false;
#endif

Json facts() {
  return Json{{"version", std::string(version())},
              {"compiler", std::string(compiler())},
              {"openmp", built_with_openmp()},
              {"threads", threads()},
              {"executors", {"cpu", "reference"}},
              {"file_formats",
               {{"available", have_io},
                {"enable",
                 have_io ? "" : "configure with -DTENON_IO=ON; needs libpng-dev and libzip-dev"}}},
              {"backends",
               {{{"name", "InProcess"}, {"available", true}, {"enable", ""}},
                {{"name", "MultiDevice"}, {"available", false}, {"enable", "not in this version"}},
                {{"name", "Mpi"}, {"available", false}, {"enable", "not in this version"}}}},
              {"test_backends", {"Counting", "FaultInjecting"}},
              {"commands",
               {{{"name", "verify"}, {"available", true}},
                {{"name", "bench"}, {"available", true}},
                {{"name", "info"}, {"available", true}},
                {{"name", "run"}, {"available", run_lacks().empty()}, {"enable", run_lacks()}}}}};
}

}  // namespace

int run_info(bool json) {
  const Json f = facts();
  if (json) {
    std::printf("%s\n", f.dump(2).c_str());
    return 0;
  }
  const auto text = [&](const char* key) { return f[key].get<std::string>(); };
  std::printf("tenon %s, built with %s, %s, %d thread(s)\n", text("version").c_str(),
              text("compiler").c_str(), built_with_openmp() ? "OpenMP" : "no OpenMP", threads());
  std::printf("executors:     cpu, reference\n");
  std::printf("file formats:  %s\n",
              have_io ? "NPY, NPZ, PNG" : f["file_formats"]["enable"].get<std::string>().c_str());
  std::printf("tenon run:     %s\n",
              run_lacks().empty() ? "available" : ("lacks " + run_lacks()).c_str());
  std::printf("backends:\n");
  for (const Json& b : f["backends"])
    std::printf("  %-12s %s\n", b["name"].get<std::string>().c_str(),
                b["available"].get<bool>() ? "available" : b["enable"].get<std::string>().c_str());
  std::printf("test backends: Counting, FaultInjecting (in the library; verify uses them)\n");
  return 0;
}

}  // namespace tenon::apps
