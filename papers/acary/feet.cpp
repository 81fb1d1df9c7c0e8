#include "papers/acary/feet.hpp"

#include <cmath>
#include <limits>

#include <Eigen/QR>

#include <escapement/models/gap.hpp>

namespace esc::papers::acary {

namespace {

constexpr std::array<const char*, 3> names{"left", "middle", "right"};

// 1 kg, 1 m wide and 1.5 m high as the rocking block. Its left foot lands at 2 m/s; the right one is 0.1 mm above the
// floor and hardly moves, and the impulse of the left one lifts it: W between them is positive.
Model model_of(const Feet& feet) {
  Model model;
  model.set_gravity({0.0, -9.81, 0.0});
  const BlockId block = model.add_planar_body(
      "block", {.mass = 1.0, .inertia = (1.5 * 1.5 + 1.0) / 12.0, .pose = feet.pose, .velocity = feet.velocity});
  for (int i = 0; i < 3; ++i) {
    const double x = 0.5 * (i - 1), y = -0.75 + (i == 1 ? feet.shorter : 0.0);
    model.add_contact(names[i], {block}, gap<3>([x, y](const auto&, const auto* q) {
                        using std::cos, std::sin;
                        return q[1] + x * sin(q[2]) + y * cos(q[2]);
                      }),
                      {.e = 0.5});
  }
  return model;
}

// The least |g| of these contacts, by Gauss-Newton from q on.
double least_distance(const System& system, const State& x, const std::vector<ContactKey>& keys) {
  std::vector<double> q = x.q, moved(x.q.size()), xi(x.v.size());
  const auto rows = static_cast<Eigen::Index>(keys.size());
  Eigen::VectorXd g(rows);
  Eigen::MatrixXd G(rows, system.nv());
  ContactSet set;
  for (int iteration = 0; iteration < 20; ++iteration) {
    system.collect(x.t, q, keys, set);
    system.evaluate(x.t, q, set);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const Contact& contact = set.contacts[static_cast<std::size_t>(i)];
      g[i] = contact.gap;
      for (int j = 0; j < system.nv(); ++j) {
        std::vector<double> unit(x.v.size(), 0.0);
        unit[j] = 1.0;
        double slope[3] = {};
        times(set, contact, unit, slope);
        G(i, j) = slope[0];
      }
    }
    const Eigen::VectorXd step = G.completeOrthogonalDecomposition().solve(-g);
    for (int j = 0; j < system.nv(); ++j) xi[j] = step[j];
    system.retract(q, xi, moved);
    q = moved;
  }
  return rows == 0 ? 0.0 : g.norm();
}

}  // namespace

Feet flat_landing() { return {.pose = {0.0, 0.752, 1e-3}, .velocity = {0.0, -2.0, 0.1}}; }

Landing land(const SchemeChoice& choice, const Feet& feet) {
  const System system = compile(model_of(feet));
  const auto scheme = make_scheme(choice.name, system, choice.settings);
  State x = system.initial_state();
  scheme->start(x);

  // Gravity is all of F, and the mass is constant: the free motion is a parabola.
  std::vector<double> q(x.q.size()), xi(x.v);
  xi[1] -= 0.5 * feet.h * 9.81;
  for (double& way : xi) way *= feet.h;
  system.retract(x.q, xi, q);
  ContactSet set;
  system.detect(feet.h, q, 0.0, set);
  Landing landing;
  std::vector<ContactKey> violated, pushed;
  for (const Contact& contact : set.contacts) {
    violated.push_back(contact.key);
    landing.violated.push_back(system.contact_name(contact.key));
  }

  landing.solved = scheme->step(x, feet.h).ok();
  for (const ContactRecord& record : x.contacts)
    if (record.P[0] > 0.0) {
      pushed.push_back(record.key);
      landing.pushed.push_back(system.contact_name(record.key));
    }
  landing.all = least_distance(system, x, violated);
  landing.held = least_distance(system, x, pushed);
  landing.least_gap = std::numeric_limits<double>::infinity();
  system.detect(x.t, x.q, any_gap, set);
  for (const Contact& contact : set.contacts) landing.least_gap = std::min(landing.least_gap, contact.gap);
  return landing;
}

namespace {

std::string list(const std::vector<std::string>& feet) {
  std::string out = "{";
  for (const std::string& foot : feet) out += (out.size() > 1 ? ", " : " ") + foot;
  return out + " }";
}

}  // namespace

// The gap of the middle foot is the mean of the others and shorter cos phi: the least |g| is sqrt(2/3) of that.
Judgement all_is_infeasible(const Landing& landing, const Feet& feet) {
  return {"I = " + list(landing.violated) + ", least |g| " + text(landing.all, 4) + " m",
          landing.violated.size() == 3 && landing.all >= 0.8 * feet.shorter && landing.all > 1e-9};
}

Judgement pushed_is_feasible(const Landing& landing) {
  return {"I_c = " + list(landing.pushed) + ", least |g| " + text(landing.held, 2) + " m, least gap at the end " +
              text(landing.least_gap, 2) + " m",
          landing.solved && !landing.pushed.empty() && landing.held <= 1e-12 && landing.least_gap >= -1e-12};
}

Judgement only_direct_lands(const Landing& combined, const Landing& direct) {
  return {std::string("combined ") + (combined.solved ? "lands" : "refuses the step") +
              "; direct ends with a least gap of " + text(direct.least_gap, 2) + " m",
          !combined.solved && direct.solved && direct.least_gap >= -1e-12};
}

}  // namespace esc::papers::acary
