import { VisuallyHidden } from '@mantine/core';
import { formatFullDate, formatTableDate } from './dates.ts';

/**
 * A date in a list, with the full date on hover and for screen readers; '-' when missing
 * (docs/specification-coverage.md, 9).
 */
export function TableDate({ date }: { readonly date: string | null }) {
  if (date === null) return '-';
  const full = formatFullDate(date);
  return (
    <time dateTime={date} title={full} style={{ whiteSpace: 'nowrap' }}>
      <span aria-hidden>{formatTableDate(date, new Date())}</span>
      <VisuallyHidden>{full}</VisuallyHidden>
    </time>
  );
}
