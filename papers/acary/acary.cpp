#include "papers/acary/acary.hpp"

#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

Paper paper() {
  return {"acary",
          "V. Acary, Projected event-capturing time-stepping schemes (INRIA RR-8029)",
          {fig_12(), fig_13(), fig_14(), fig_15()}};
}

}  // namespace esc::papers::acary
