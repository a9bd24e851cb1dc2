import { Card, Title } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import type { OnItsWay, ToDo } from '#contract/applications/home.ts';
import { counted, formatCount } from '#contract/counts.ts';
import { sayToPayee } from '#contract/payouts/outlook-words.ts';
import { daysBetween, kampalaDate, sayDayAndMonth, sayLate, sayMoment } from '#contract/time/calendar.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { Amount } from '#web/ui/text/amount.tsx';
import classes from './home.module.css';
import { urgencyOf } from './owed.tsx';

interface Row {
  readonly to: string;
  readonly title: ReactNode;
  readonly detail?: string;
  readonly when?: string;
  readonly urgency?: 'late' | 'today' | undefined;
}

interface RowsProps {
  readonly title: string;
  readonly side: 'start' | 'end';
  readonly rows: readonly Row[];
  /** How many more there are in My Applications. */
  readonly more: number;
}

/** A list of rows, each of which is a link; nothing without rows. */
function Rows({ title, side, rows, more }: RowsProps) {
  const id = useId();
  if (rows.length === 0) return null;
  return (
    <Card component="section" aria-labelledby={id} padding={0} data-side={side}>
      <Title order={2} id={id} className={classes.heading}>
        {title} · {formatCount(rows.length + more)}
      </Title>
      <ul className={classes.rows}>
        {rows.map(({ to, title: words, detail, when, urgency }) => (
          <li key={`${to} ${detail}`} data-urgency={urgency}>
            <Link className={classes.row} to={to}>
              <span className={classes.words}>
                <span className={classes.title}>{words}</span>
                {detail !== undefined && <span className={classes.detail}>{detail}</span>}
              </span>
              {when !== undefined && <span className={classes.when}>{when}</span>}
              <IconChevronRight size={18} aria-hidden className={classes.chevron} />
            </Link>
          </li>
        ))}
        {more > 0 && (
          <li>
            <Link className={classes.row} to={paths.myApplications}>
              <span className={classes.words}>{`${formatCount(more)} more in My Applications`}</span>
              <IconChevronRight size={18} aria-hidden className={classes.chevron} />
            </Link>
          </li>
        )}
      </ul>
    </Card>
  );
}

/** What the client has to do. */
export function ForYouToDo({ toDo, more }: { readonly toDo: readonly ToDo[]; readonly more: number }) {
  return <Rows title="For you to do" side="start" rows={toDo.map(rowToDo)} more={more} />;
}

/** What brings the client money, and when. */
export function OnItsWayRows({ onItsWay, more }: { readonly onItsWay: readonly OnItsWay[]; readonly more: number }) {
  return <Rows title="On its way" side="end" rows={onItsWay.map(rowOnItsWay)} more={more} />;
}

function rowToDo(matter: ToDo): Row {
  if (matter.kind === 'payoutAccount')
    return {
      to: paths.payoutAccounts,
      title: 'Add where we send your cash',
      detail: 'We check a new account first, so do it early.',
    };
  const { tag, invoiceNumber: detail } = matter;
  const to = paths.application(tag);
  switch (matter.kind) {
    case 'overdue':
      return {
        to,
        title: <>Pay {amountOf(matter)}</>,
        detail,
        when: `${counted(matter.daysLate, 'day')} late`,
        urgency: 'late',
      };
    case 'due': {
      const daysLate = daysBetween(matter.dueOn, kampalaDate(new Date()));
      const when = daysLate === 0 ? 'today' : `by ${sayDayAndMonth(matter.dueOn)}`;
      return { to, title: <>Pay {amountOf(matter)}</>, detail, when, urgency: urgencyOf({ daysLate }) };
    }
    case 'asked':
      return { to: paths.answer(tag), title: matter.question, detail: [detail, ...matter.documents].join(' · ') };
    case 'offered':
      return { to, title: <>Offer: {amountOf(matter)} to you</>, detail: `${detail} · accept or decline it` };
    case 'approved':
    case 'surplus': {
      const isMissing = matter.outlook.reason === 'PAYOUT_ACCOUNT_MISSING';
      const why = isMissing ? '' : ` · ${sayToPayee(matter.outlook, new Date())}`;
      return { to, title: <>Tell us where to send {amountOf(matter)}</>, detail: `${detail}${why}` };
    }
    case 'draft':
      return matter.amount === null
        ? { to, title: 'Finish your application', detail }
        : { to, title: <>Submit it to receive {amountOf({ ...matter, amount: matter.amount })}</>, detail };
  }
}

function rowOnItsWay(matter: OnItsWay): Row {
  const { tag, invoiceNumber } = matter;
  const to = paths.application(tag);
  switch (matter.kind) {
    case 'approved':
    case 'surplus':
      return {
        to,
        title: (
          <>
            {matter.kind === 'approved' ? 'Approved' : 'Extra for you'}: {amountOf(matter)}
          </>
        ),
        detail: `${invoiceNumber} · ${sayToPayee(matter.outlook, new Date())}`,
      };
    case 'deciding': {
      const { applications, decideBy, targetMinutes } = matter;
      const isOne = applications === 1;
      const by = decideBy && sayMoment(new Date(decideBy), new Date());
      return {
        to: isOne ? to : paths.myApplications,
        title: isOne ? `Deciding ${invoiceNumber}` : `Deciding ${counted(applications, 'application')}`,
        detail:
          by === null
            ? `${sayLate(targetMinutes)}. We're sorry. We'll decide as soon as we can.`
            : `${isOne ? 'We decide' : 'The first'} by ${by}`,
      };
    }
  }
}

function amountOf({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  return <Amount value={amount} currency={currency} />;
}
