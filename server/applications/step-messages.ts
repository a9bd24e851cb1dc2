import { type DeclineReason, declineReasons } from '#contract/applications/decline-reasons.ts';
import type { StepName } from '#contract/applications/lifecycle.ts';
import { sayMoment } from '#contract/calendar.ts';
import { formatAmount } from '#contract/money.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import type { Message } from '#server/messages/messages.service.ts';

/** What a message says beyond the invoice. Amounts in minor units. */
export interface StepNews {
  readonly decideBy?: Date;
  readonly question?: string;
  /** The names of the documents that are asked for. */
  readonly documents?: readonly string[];
  readonly declined?: { readonly reason: DeclineReason; readonly note: string };
  readonly amount?: number;
  readonly outstanding?: number;
  readonly surplusOwed?: number;
  readonly dueOn?: string;
}

interface Situation extends StepNews {
  readonly now: Date;
}

type Text = (invoice: InvoiceRecord, news: Situation) => string;

function money({ currencyCode }: InvoiceRecord, minor: number | undefined): string {
  return `${currencyCode} ${formatAmount(minor ?? 0)}`;
}

/** A clock that goes on after its time was used up has nothing left to promise. */
function decision({ decideBy, now }: Situation): string {
  if (decideBy === undefined) return '';
  return decideBy > now ? ` Decision by ${sayMoment(decideBy, now)}.` : ` ${AS_SOON}`;
}

const AS_SOON = 'We will decide it as soon as we can.';

function request({ question = '', documents = [] }: Situation): string {
  const asked = documents.length === 0 ? '' : ` Documents: ${documents.join(', ')}.`;
  return `needs something from you: ${question}${asked} Log in to answer.`;
}

/** What the client is told of each step, after 'your application for invoice … '. */
const texts: Partial<Record<StepName, Text>> = {
  submit: (invoice, news) =>
    `was submitted. Applied for: ${money(invoice, invoice.application?.advance)}. ` +
    `To be received: ${money(invoice, invoice.application?.netProceeds)}.${decision(news)}`,
  withdraw: () => 'was withdrawn, as you asked. You may apply again.',
  startReview: () => 'is being reviewed.',
  requestInformation: (_, news) => request(news),
  answerRequest: (_, news) => `goes on: we have your answer.${decision(news)}`,
  recallRequest: (_, news) => `goes on: what we asked for is not needed any more.${decision(news)}`,
  approve: (invoice) => `was approved. You will receive ${money(invoice, invoice.application?.netProceeds)}.`,
  decline: (_, { declined }) =>
    declined === undefined ? 'was declined.' : `was declined. ${declineReasons[declined.reason]}. ${declined.note}`,
  disburse: (invoice, { amount, dueOn }) =>
    `was paid out: ${money(invoice, amount)}. It is due back on ${dueOn ?? ''}.`,
  reverseDisbursement: (invoice, { amount }) =>
    `is approved again: the payment of ${money(invoice, amount)} to you was recorded by mistake.`,
  receivePart: (invoice, { amount, outstanding }) =>
    `was paid back in part: ${money(invoice, amount)}. Still to be paid: ${money(invoice, outstanding)}.`,
  settle: (invoice, { amount, surplusOwed = 0 }) =>
    `is settled: ${money(invoice, amount)} was received.` +
    (surplusOwed > 0 ? ` ${money(invoice, surplusOwed)} of it is more than was due. We owe it to you.` : ''),
  reversePart: (invoice, { amount, outstanding }) =>
    `still has ${money(invoice, outstanding)} to be paid: the receipt of ${money(invoice, amount)} was recorded by mistake.`,
  reverseSettlement: (invoice, { amount, outstanding }) =>
    `still has ${money(invoice, outstanding)} to be paid: the receipt of ${money(invoice, amount)} was recorded by mistake.`,
  receiveMore: (invoice, { amount }) => `was paid ${money(invoice, amount)} more than was due. We owe it to you.`,
  reverseMore: (invoice, { amount }) =>
    `stays settled: the receipt of ${money(invoice, amount)} was recorded by mistake.`,
  paySurplus: (invoice, { amount }) => `had more paid than was due: ${money(invoice, amount)} was paid to you.`,
  reverseSurplus: (invoice, { amount }) =>
    `stays settled: the payment of ${money(invoice, amount)} to you was recorded by mistake.`,
};

const subjects: Partial<Record<StepName, string>> = {
  submit: 'was submitted',
  requestInformation: 'needs something from you',
  approve: 'was approved',
  decline: 'was declined',
  disburse: 'was paid out',
  settle: 'is settled',
};

/** What the client is told of a step. */
export function stepMessage(name: StepName, username: string, invoice: InvoiceRecord, news: Situation): Message {
  const text = texts[name]?.(invoice, news) ?? '';
  return message(username, invoice, subjects[name] ?? 'has news', text);
}

/** What the client is told once, before they ask, when the promise was missed. */
export function promiseMissedMessage(username: string, invoice: Pick<InvoiceRecord, 'invoiceNumber'>): Message {
  const text = `is taking longer than we promised. We are sorry. ${AS_SOON}`;
  return message(username, invoice, 'is taking longer than we promised', text);
}

function message(
  username: string,
  { invoiceNumber }: Pick<InvoiceRecord, 'invoiceNumber'>,
  subject: string,
  text: string,
): Message {
  return {
    channel: username.includes('@') ? 'email' : 'sms',
    to: username,
    subject: `Your application for invoice ${invoiceNumber} ${subject}`,
    body: `${PRODUCT_NAME}: your application for invoice ${invoiceNumber} ${text}`,
  };
}
