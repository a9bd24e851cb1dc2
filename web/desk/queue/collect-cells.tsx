import type { CollectionSummary } from '#contract/collections/schema.ts';
import { sayDayAndMonth } from '#contract/time/calendar.ts';
import { PromiseState } from '#web/desk/collections/promise-state.tsx';
import { formatFormDate } from '#web/ui/dates/dates.ts';
import { Age, type RowProps, TwoLines } from './queue-cells.tsx';

/** Cell contents of the list of advances to be paid back. */

type Of<Part extends keyof CollectionSummary> = NonNullable<CollectionSummary[Part]>;

/** The due date, and below it what client or buyer said about it. */
export function Due({ row: { dueOn, collection } }: RowProps) {
  const late = collection?.buyerPaysOn ?? null;
  const said = collection?.disputed ? 'disputed' : late === null ? null : `buyer pays ${sayDayAndMonth(late)}`;
  return <TwoLines below={said}>{formatFormDate(dueOn)}</TwoLines>;
}

export function LastContact({ contact, readAt }: { readonly contact: Of<'lastContact'>; readonly readAt: number }) {
  return (
    <TwoLines below={contact.by}>
      <Age since={contact.at} readAt={readAt} />
    </TwoLines>
  );
}

export function NextStep({ next: { on, text } }: { readonly next: Of<'nextStep'> }) {
  return <TwoLines below={on === null ? null : sayDayAndMonth(on)}>{text}</TwoLines>;
}

export function Promised({ promise, currency }: { readonly promise: Of<'promise'>; readonly currency: string }) {
  return (
    <TwoLines below={`by ${sayDayAndMonth(promise.date)}`}>
      <PromiseState promise={promise} currency={currency} short />
    </TwoLines>
  );
}
