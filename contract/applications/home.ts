import { fromMinor } from '#contract/money.ts';
import { daysBetween } from '#contract/time/calendar.ts';
import type { AttentionReply, Balance, Matter } from './attention.ts';

/** What a client's home says first: sums, and the order of what there is to do. */

/** What is owed in a currency and due on one day. */
export interface OwedOnDay {
  readonly currency: string;
  readonly dueOn: string;
  /** Minor units. */
  readonly amount: number;
  readonly advances: number;
  /** The application to pay first. */
  readonly tag: string;
}

/**
 * A client's balances on a day in Kampala: for each currency in which they owe something or use their limit, or for the
 * first one with a limit. The earliest due date comes first. `owed` is in the order of its due dates.
 */
export function balancesOf(
  limits: readonly Pick<Balance, 'currency' | 'limit' | 'available'>[],
  owed: readonly OwedOnDay[],
  today: string,
): Balance[] {
  const balances = limits.map(({ currency, limit, available }) => ({
    currency,
    ...debtOf(
      owed.filter((day) => day.currency === currency),
      today,
    ),
    limit,
    available,
  }));
  const used = balances.filter(({ due, limit, available }) => due !== null || available < limit);
  if (used.length === 0) return balances.filter(({ limit }) => limit > 0).slice(0, 1);
  const dueOn = ({ due }: Balance): string => due?.dueOn ?? '9999';
  return used.sort((one, other) => (dueOn(one) < dueOn(other) ? -1 : Number(dueOn(one) > dueOn(other))));
}

function debtOf(owed: readonly OwedOnDay[], today: string): Pick<Balance, 'owed' | 'due'> {
  const [first] = owed;
  if (first === undefined) return { owed: 0, due: null };
  // Nothing is late together with what is due today: each has its own date.
  const toPay = owed.filter(({ dueOn }) => (first.dueOn < today ? dueOn < today : dueOn === first.dueOn));
  const sumOf = (days: readonly OwedOnDay[]) => fromMinor(days.reduce((sum, { amount }) => sum + amount, 0));
  return {
    owed: sumOf(owed),
    due: {
      amount: sumOf(toPay),
      dueOn: first.dueOn,
      daysLate: daysBetween(first.dueOn, today),
      advances: toPay.reduce((sum, { advances }) => sum + advances, 0),
      tag: first.tag,
    },
  };
}

/** Something for the client to do: about one application, or adding their first payout account. */
export type ToDo = Exclude<Matter, { readonly kind: 'deciding' }> | { readonly kind: 'payoutAccount' };
/** Something that brings the client money. */
export type OnItsWay = Extract<Matter, { readonly kind: 'approved' | 'surplus' | 'deciding' }>;

/**
 * Divides the matters, whose order stays. What we cannot pay out for lack of an account is for the client to do, like
 * adding the first account, which comes before a draft.
 */
export function divideMatters({ matters, needsPayoutAccount }: Pick<AttentionReply, 'matters' | 'needsPayoutAccount'>) {
  const onItsWay: OnItsWay[] = [];
  const toDo: ToDo[] = [];
  for (const matter of matters) {
    if (isOnItsWay(matter)) onItsWay.push(matter);
    else toDo.push(matter);
  }
  if (needsPayoutAccount && !toDo.some((matter) => 'needsAccount' in matter)) {
    const draft = toDo.findIndex(({ kind }) => kind === 'draft');
    toDo.splice(draft === -1 ? toDo.length : draft, 0, { kind: 'payoutAccount' });
  }
  return { toDo, onItsWay };
}

function isOnItsWay(matter: Matter): matter is OnItsWay {
  return matter.kind === 'deciding' || ('needsAccount' in matter && !matter.needsAccount);
}
