import { expect, it } from 'vitest';
import { describeChart, withFigures } from './periods.ts';

const series = [
  { key: 'received', label: 'To be received', color: 'blue' },
  { key: 'fees', label: 'Fees', color: 'orange' },
];
const period = (name: string, values: Record<string, string>) => ({ from: '2026-11-01', tick: '', name, values });

it('every bar says its parts, to the cent beyond what a number holds, and a period without a bar says none', () => {
  const periods = [
    period('Sep 2026', { received: '98999999999999.56', fees: '0.10' }),
    period('Oct 2026', {}),
    period('Nov 2026', { received: '801000.00' }),
  ];
  expect(describeChart('month', 'UGX', periods, series)).toBe(
    'Bar chart by month in UGX. Sep 2026: To be received 98,999,999,999,999.56, Fees 0.1. Nov 2026: To be received 801,000.',
  );
});

it('a table leaves out columns without a figure, but never all of them', () => {
  expect(withFigures(series, [period('Oct 2026', {}), period('Nov 2026', { fees: '1.00' })])).toEqual([series[1]]);
  expect(withFigures(series, [period('Oct 2026', {})])).toEqual(series);
});
