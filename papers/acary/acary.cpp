#include "papers/acary/acary.hpp"

#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

Paper paper() {
  return {"acary",
          "V. Acary, Projected event-capturing time-stepping schemes (INRIA RR-8029)",
          {section_33(), fig_2(),  fig_3(),  proposition_2(), section_431(), section_44(), remark_4(), fig_4(),
           fig_5(),      fig_6(),  fig_7(),  fig_8(),         section_52(),  fig_9(),      fig_11(),   fig_12(),
           fig_13(),     fig_14(), fig_15(), fig_16(),        fig_17(),      fig_18(),     fig_20(),   section_641(),
           fig_23(),     fig_24(), fig_25(), fig_26(),        table_3(),     section_642()}};
}

}  // namespace esc::papers::acary
