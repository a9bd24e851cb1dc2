import { type DeclineReason, declineReasons } from '#contract/applications/decline-reasons.ts';
import type { StepName } from '#contract/applications/lifecycle.ts';
import { type Contact, callUs } from '#contract/contact.ts';
import { invoiceNumberKey } from '#contract/invoices/schema.ts';
import { formatAmount } from '#contract/money.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { kampalaDate, sayDate, sayMoment } from '#contract/time/calendar.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import { type Message, messageTo, submissionsOf } from '#server/messages/messages.service.ts';

/** What a message says besides the invoice. Amounts in minor units. */
export interface StepNews {
  readonly decideBy?: Date;
  readonly question?: string;
  /** The names of the requested documents. */
  readonly documents?: readonly string[];
  readonly declined?: { readonly reason: DeclineReason; readonly note: string };
  readonly amount?: number;
  readonly outstanding?: number;
  readonly surplusOwed?: number;
  readonly dueOn?: string;
}

interface Situation extends StepNews {
  readonly now: Date;
  /** Who took the step. */
  readonly by: {
    readonly id: number;
    readonly username: string;
    readonly firstName: string | null;
    readonly lastName: string | null;
  };
  readonly support: Contact;
}

interface Reader extends Situation {
  /** Whether the reader took the step. */
  readonly isOwn: boolean;
}

type Text = (invoice: InvoiceRecord, news: Reader) => string;

function money({ currencyCode }: InvoiceRecord, minor: number | undefined): string {
  return `${currencyCode} ${formatAmount(minor ?? 0)}`;
}

/** A clock that resumes with no time left has no moment to announce. */
function decision({ decideBy, now }: Situation): string {
  if (decideBy === undefined) return '';
  return decideBy > now ? ` We'll decide by ${sayMoment(decideBy, now)}.` : ` ${AS_SOON}`;
}

const AS_SOON = "We'll decide as soon as we can.";

function request({ question = '', documents = [] }: Situation): string {
  const asked = documents.length === 0 ? '' : ` Documents: ${documents.join(', ')}.`;
  return `We need something from you: ${question}${asked} Log in to answer so we can continue.`;
}

function owed(invoice: InvoiceRecord, { outstanding, dueOn, now }: Situation): string {
  const sum = money(invoice, outstanding);
  if (dueOn === undefined) return sum;
  return dueOn < kampalaDate(now) ? `${sum} now. It was due ${sayDate(dueOn)}` : `${sum} by ${sayDate(dueOn)}`;
}

/** A reversed receipt of an open advance, whether or not it had settled it. */
const reversedReceipt: Text = (invoice, news) =>
  `Pay back ${owed(invoice, news)}. The repayment of ${money(invoice, news.amount)} was recorded by mistake.`;

function nameOf({ firstName, lastName, username }: Situation['by']): string {
  return [firstName, lastName].filter((name) => name !== null).join(' ') || username;
}

/** The client's text for each step, in the order they care: amount, date, what to do. */
const texts: Partial<Record<StepName, Text>> = {
  submit: (invoice, news) =>
    `${news.isOwn ? 'You' : nameOf(news.by)} applied for ${money(invoice, invoice.application?.advance)}. ` +
    `You'll receive ${money(invoice, invoice.application?.netProceeds)}.${decision(news)}` +
    (news.isOwn ? '' : ` If you did not expect this, ${callUs(news.support)}.`),
  withdraw: () => 'You withdrew your application. You can apply again.',
  startReview: () => 'An officer is looking at your application now.',
  requestInformation: (_, news) => request(news),
  answerRequest: (_, news) => `We have your answer.${decision(news)}`,
  recallRequest: (_, news) => `You no longer need to answer.${decision(news)}`,
  approve: (invoice) =>
    `Approved. We'll pay you ${money(invoice, invoice.application?.netProceeds)} next and tell you when it's sent.`,
  decline: (_, { declined }) => {
    if (declined === undefined) return 'We declined your application.';
    return `We declined your application. ${declineReasons[declined.reason]}. ${declined.note}`;
  },
  disburse: (invoice, news) => `We paid you ${money(invoice, news.amount)}. Pay back ${owed(invoice, news)}.`,
  reverseDisbursement: (invoice, { amount }) =>
    `The payment of ${money(invoice, amount)} to you was recorded by mistake. You are still approved, and we'll pay you next.`,
  receivePart: (invoice, news) =>
    `We received ${money(invoice, news.amount)}. Still to pay back: ${owed(invoice, news)}.`,
  settle: (invoice, { amount, surplusOwed = 0 }) =>
    `Fully paid back. We received ${money(invoice, amount)}.` +
    (surplusOwed > 0 ? ` ${money(invoice, surplusOwed)} of it is extra; we'll send it to you.` : ''),
  reversePart: reversedReceipt,
  reverseSettlement: reversedReceipt,
  receiveMore: (invoice, { amount }) => `We received ${money(invoice, amount)} extra. We'll send it to you.`,
  reverseMore: (invoice, { amount }) =>
    `Still fully paid back. The repayment of ${money(invoice, amount)} was recorded by mistake.`,
  paySurplus: (invoice, { amount }) => `We paid you the extra ${money(invoice, amount)}.`,
  reverseSurplus: (invoice, { amount }) =>
    `The payment of ${money(invoice, amount)} to you was recorded by mistake. We still owe it to you.`,
};

const subjects: Partial<Record<StepName, string>> = {
  submit: 'submitted',
  requestInformation: 'we need something from you',
  approve: 'approved',
  decline: 'declined',
  disburse: 'paid out',
  settle: 'fully paid back',
};

const MORE = 'There are more applications. Log in to see all of them.';

/**
 * The client's message about a step. A withdrawn application and its resubmission under the same number count as one
 * subject. For colleagues all submissions of one submitter are one subject: later ones do not delay the news.
 */
export function stepMessage(name: StepName, username: string, invoice: InvoiceRecord, news: Situation): Message {
  const isOwn = username === news.by.username;
  const text = texts[name]?.(invoice, { ...news, isOwn }) ?? '';
  const said = message(username, invoice, subjects[name] ?? 'news', text);
  if (name === 'submit' && !isOwn)
    return { ...said, about: submissionsOf(news.by.id, invoice.businessId), ifMore: MORE };
  return { ...said, about: newsOf(invoice) };
}

/** The subject of texts about an application; one that is withdrawn and submitted again under its number has the same. */
export function newsOf({ businessId, buyerId, invoiceNumber }: InvoiceRecord): string {
  return `invoice ${businessId} ${buyerId} ${invoiceNumberKey(invoiceNumber)}`;
}

/** The message about a missed SLA, sent once and before the client asks. */
export function slaMissedMessage(username: string, invoice: Pick<InvoiceRecord, 'invoiceNumber'>): Message {
  return message(username, invoice, 'we are late', `We are late with our decision, and we're sorry. ${AS_SOON}`);
}

function message(
  username: string,
  { invoiceNumber }: Pick<InvoiceRecord, 'invoiceNumber'>,
  subject: string,
  text: string,
): Message {
  return messageTo(username, {
    subject: `Invoice ${invoiceNumber}: ${subject}`,
    body: `${PRODUCT_NAME}, invoice ${invoiceNumber}: ${text}`,
  });
}
