// include/tenon/grid/walls.hpp: what happens at the faces of the grid: ghost values behind walls.
// SPDX-License-Identifier: BSD-3-Clause
//
//            ghosts behind the wall     |  inside
//          layer 3   layer 2   layer 1  |  layer 1   layer 2   layer 3
//        +---------+---------+----------+----------+---------+---------+
//        |         |         |    g1    |    u1    |    u2   |         |      g_k = s u_k + offset_k
//        +---------+---------+----------+----------+---------+---------+
//                                     wall
//
//   rule                                       s             offset at layer k
//   Periodic (both faces of an axis)           the wrapped cell, as often as needed
//   Dirichlet(a):  u = a on the wall          -1             2 a
//   Neumann(q):    du/dn = q, n outward       +1             (2k - 1) h q
//   Robin(alpha u + beta du/dn = g)            (beta/h - alpha/2) / (beta/h + alpha/2), radius 1 only
//                                                            g / (beta/h + alpha/2)
//
// Corner ghosts: axes in ascending order, each over the extent padded by the earlier axes; wall data at
// a tangential ghost is that of the nearest wall cell (wrapped on a periodic axis). An operator's
// homogeneous part uses s alone; the offsets make up its lift.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "tenon/grid/grid.hpp"

namespace tenon {

/// Data on a wall: one number, or a function of the position on the wall. A function is evaluated when
/// an operator is prepared and at each refresh(), so time-dependent data captures its time by
/// reference. It must be a pure function of the position for the result not to depend on the cut.
class WallData {
 public:
  WallData(double constant = 0) : constant_(constant) {}
  template <class F>
    requires std::is_invocable_r_v<double, F, const Position&>
  WallData(F function) : function_(std::move(function)) {}

  double at(const Position& x) const { return function_ ? function_(x) : constant_; }
  /// True when the data is the constant 0: the wall has no offset.
  bool is_zero() const { return !function_ && constant_ == 0; }
  std::string text() const;

 private:
  double constant_ = 0;
  std::function<double(const Position&)> function_;
};

struct Periodic {};
/// u = value on the wall.
struct Dirichlet {
  WallData value;
};
/// du/dn = slope on the wall, with the outward normal: on a lower wall a positive slope means that u
/// falls along the axis.
struct Neumann {
  WallData slope;
};
/// alpha u + beta du/dn = value on the wall, outward normal; alpha * beta >= 0, not both 0.
struct Robin {
  double alpha = 1;
  double beta = 1;
  WallData value;
};

/// One of the rules above.
class WallRule {
 public:
  enum class Kind { periodic, dirichlet, neumann, robin };

  WallRule(Periodic) : kind_(Kind::periodic) {}
  WallRule(Dirichlet rule) : kind_(Kind::dirichlet), data_(std::move(rule.value)) {}
  WallRule(Neumann rule) : kind_(Kind::neumann), data_(std::move(rule.slope)) {}
  /// Throws InvalidArgument when alpha * beta < 0 or both are 0 or one is not finite.
  WallRule(Robin rule);

  Kind kind() const { return kind_; }
  bool periodic() const { return kind_ == Kind::periodic; }
  const WallData& data() const { return data_; }
  /// The factor s of the table, for spacing h.
  double factor(double h) const;
  /// The offset of layer k >= 1 for the wall value `data` and spacing h.
  double offset(int layer, double h, double data) const;
  std::string text() const;

 private:
  Kind kind_;
  double alpha_ = 0;
  double beta_ = 0;
  WallData data_;
};

enum class Side { lower = 0, upper = 1 };

/// The rules of all faces of a grid and all components of a field. Start with one rule for every face
/// and override some:
///
///     walls(Dirichlet{0}).axis(1, Periodic{}).face(0, Side::upper, Neumann{2.5})
class Walls {
 public:
  Walls(WallRule everywhere) : rules_(1, Faces(everywhere)) {}

  /// Sets both faces of an axis, for all components or for one.
  Walls& axis(int axis, const WallRule& rule, int component = all);
  /// Sets one face, for all components or for one.
  Walls& face(int axis, Side side, const WallRule& rule, int component = all);

  const WallRule& rule(int axis, Side side, int component = 0) const;
  bool periodic(int axis) const { return rule(axis, Side::lower).periodic(); }
  /// Throws InvalidArgument when only one face of an axis is periodic, or the components disagree on
  /// which axes are periodic, or a rule names a component beyond `components`.
  void check(int dimension, int components) const;
  std::string text(int dimension) const;

  static constexpr int all = -1;

 private:
  struct Faces {
    explicit Faces(const WallRule& r) : rule{{{r, r}, {r, r}, {r, r}}} {}
    std::array<std::array<WallRule, 2>, 3> rule;
  };
  std::vector<Faces> rules_;  // one entry for all components, or one per component
};

/// The same rule on every face; see Walls for exceptions.
inline Walls walls(WallRule everywhere) { return Walls(std::move(everywhere)); }

}  // namespace tenon
