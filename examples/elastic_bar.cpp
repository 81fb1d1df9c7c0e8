#include "examples/elastic_bar.hpp"

#include <cmath>

#include <escapement/models/gap.hpp>

namespace esc::examples {

double ElasticBar::wave_speed() const { return std::sqrt(young / density); }
double ElasticBar::contact_time() const { return 2.0 * length / wave_speed(); }
double ElasticBar::contact_force() const { return young * section * velocity / wave_speed(); }

// The wall stands at the end of the bar, at a displacement of `gap` of the last node.
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

}  // namespace esc::examples
