#include "papers/bruels/bruels.hpp"

#include "papers/bruels/figures.hpp"

namespace esc::papers::bruels {

Paper paper() {
  return {"bruels",
          "O. Bruels, V. Acary, A. Cardona, Simultaneous enforcement of constraints (nonsmooth generalized-alpha)",
          {fig_2(),  fig_3(),  fig_4(),  fig_5(),  fig_6(),  fig_7(),  section_72(), fig_8(),     fig_9(),
           fig_10(), fig_11(), fig_12(), fig_13(), fig_14(), fig_15(), fig_16(),     fig_17(),    fig_18(),
           fig_19(), fig_20(), fig_21(), fig_22(), fig_23(), fig_24(), section_8(),  section_11()}};
}

}  // namespace esc::papers::bruels
