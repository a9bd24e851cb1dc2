import { sayDayAndMonth } from '#contract/time/calendar.ts';
import { PromiseState } from '#web/desk/collections/promise-state.tsx';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { Age, type ReadRowProps, type RowProps, TwoLines } from './queue-cells.tsx';

/** Cell contents of the list of advances to be paid back. */

/** The due date, and below it what client or buyer said about it. */
export function Due({ row: { dueOn, collection } }: RowProps) {
  const late = collection?.buyerPaysOn ?? null;
  const said = collection?.disputed ? 'disputed' : late === null ? null : `buyer pays ${sayDayAndMonth(late)}`;
  return <TwoLines below={said}>{formatFormDate(dueOn)}</TwoLines>;
}

export function LastContact({ row: { collection }, readAt }: ReadRowProps) {
  const contact = collection?.lastContact ?? null;
  if (contact === null) return '-';
  return (
    <TwoLines below={contact.by}>
      <Age since={contact.at} readAt={readAt} />
    </TwoLines>
  );
}

export function NextStep({ row: { collection } }: RowProps) {
  const next = collection?.nextStep ?? null;
  if (next === null) return '-';
  return <TwoLines below={next.on === null ? null : sayDayAndMonth(next.on)}>{next.text}</TwoLines>;
}

export function Promised({ row: { collection, currency } }: RowProps) {
  const promise = collection?.promise ?? null;
  if (promise === null) return '-';
  return (
    <TwoLines below={`by ${sayDayAndMonth(promise.date)}`}>
      <PromiseState promise={promise} currency={currency} short />
    </TwoLines>
  );
}
