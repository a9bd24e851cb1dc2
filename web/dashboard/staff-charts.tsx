import { BookFigures } from '#web/figures/book-figures.tsx';
import { CollectedFigures, FeeFigures } from '#web/figures/income-figures.tsx';
import { SlaFigures } from '#web/figures/sla-figures.tsx';
import { StaffFigures } from '#web/figures/staff-figures.tsx';

/** The figures at the foot of the staff's dashboard, money first. */
export function StaffCharts() {
  return (
    <>
      <BookFigures />
      <CollectedFigures />
      <FeeFigures />
      <SlaFigures />
      <StaffFigures />
    </>
  );
}
