#include "examples/elastic_bar.hpp"

#include <cmath>

#include <escapement/models/gap.hpp>

namespace esc::examples {

double ElasticBar::wave_speed() const { return std::sqrt(young / density); }
double ElasticBar::contact_time() const { return 2.0 * length / wave_speed(); }
double ElasticBar::contact_force() const { return young * section * velocity / wave_speed(); }

// The wall stands at the start of the bar, at a displacement of `gap` of the first node: positive displacements lead
// from the last node to the first.
Model ElasticBar::model() const {
  Model model;
  const BlockId bar = model.add_bar("bar", {.length = length,
                                            .section = section,
                                            .young = young,
                                            .density = density,
                                            .elements = elements,
                                            .velocity = velocity});
  model.add_contact("wall", {Coordinates(bar, tip(), 1)},
                    esc::affine_gap<1>([g0 = gap](const auto&, const auto* q) { return g0 - q[0]; }), {.e = e});
  return model;
}

// At a wave's arrival, what it brings.
ElasticBar::Motion ElasticBar::exact(double s, double t) const {
  const double c = wave_speed(), stops = impact() + s / c, leaves = impact() + (2.0 * length - s) / c;
  if (t < stops) return {velocity * t, velocity};
  if (t < leaves) return {velocity * stops, 0.0};
  return {velocity * stops - velocity * (t - leaves), -velocity};
}

double ElasticBar::exact_force(double t) const {
  return t >= impact() && t < impact() + contact_time() ? contact_force() : 0.0;
}

}  // namespace esc::examples
