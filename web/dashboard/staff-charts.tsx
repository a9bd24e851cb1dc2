import { SlaFigures } from '#web/figures/sla-figures.tsx';
import { StaffFigures } from '#web/figures/staff-figures.tsx';

/** The figures at the foot of the staff's dashboard. */
export function StaffCharts() {
  return (
    <>
      <SlaFigures />
      <StaffFigures />
    </>
  );
}
