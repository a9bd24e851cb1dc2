import { VisuallyHidden } from '@mantine/core';
import { formatFormDate, formatTableDate } from '#web/ui/dates.ts';

/** A date in a table, with the full date on hover and for screen readers. */
export function TableDate({ date }: { readonly date: string | null }) {
  if (date === null) return '-';
  const full = formatFormDate(date);
  return (
    <time dateTime={date} title={full} style={{ whiteSpace: 'nowrap' }}>
      <span aria-hidden>{formatTableDate(date, new Date())}</span>
      <VisuallyHidden>{full}</VisuallyHidden>
    </time>
  );
}
