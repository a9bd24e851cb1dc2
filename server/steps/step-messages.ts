import { type DeclineReason, declineReasons } from '#contract/applications/decline-reasons.ts';
import type { StepName } from '#contract/applications/lifecycle.ts';
import { type Contact, callUs } from '#contract/contact.ts';
import { invoiceNumberKey } from '#contract/invoices/schema.ts';
import { formatAmount } from '#contract/money.ts';
import { sayHowToPay } from '#contract/payments/how-to-pay.ts';
import { sayToPayee } from '#contract/payouts/outlook-words.ts';
import type { ShownOutlook } from '#contract/payouts/schema.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { kampalaDate, sayDate, sayMoment } from '#contract/time/calendar.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { submissionsOf } from '#server/messages/channels/text-turns.ts';
import { type Message, messageTo } from '#server/messages/messages.service.ts';

/** The content of a message that the invoice does not have. Amounts in minor units. */
export interface StepNews {
  readonly decideBy?: Date;
  readonly question?: string;
  /** Why an officer cancelled an approval, or offers other terms. */
  readonly reason?: string;
  /** The names of the requested documents. */
  readonly documents?: readonly string[];
  readonly declined?: { readonly reason: DeclineReason; readonly note: string };
  readonly amount?: number;
  readonly outstanding?: number;
  /** How much more the extensions cost after a repayment was reversed. */
  readonly addedFee?: number | undefined;
  /** Whether an offer of more time ended because of the step. */
  readonly offerEnded?: boolean;
  readonly surplusOwed?: number;
  /** The amount of the net proceeds, or of the extra, that other parts will still send. */
  readonly rest?: number;
  readonly dueOn?: string;
  /** The payout account to which the money went, masked. */
  readonly to?: string | undefined;
  /** From when the cash can go, and what is still needed. */
  readonly outlook?: ShownOutlook;
}

interface Situation extends StepNews {
  readonly now: Date;
  /** The person who took the step; null for Kasente itself. */
  readonly by: {
    readonly id: number;
    readonly username: string;
    readonly firstName: string | null;
    readonly lastName: string | null;
  } | null;
  readonly support: Contact;
  /** The lender's accounts for repayments. */
  readonly accounts: readonly string[];
}

interface Reader extends Situation {
  /** Whether the recipient took the step. */
  readonly isOwn: boolean;
}

type Text = (invoice: InvoiceRecord, news: Reader) => string;

function money({ currencyCode }: InvoiceRecord, minor: number | undefined): string {
  return `${currencyCode} ${formatAmount(minor ?? 0)}`;
}

/** When we will decide. A clock that resumes with no time left has no date to announce. */
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

/** The account, masked: its people recognise it, and nobody else learns the number. */
function sentTo({ to }: Pick<StepNews, 'to'>): string {
  return to === undefined ? '' : ` to ${to}`;
}

/** The sentence about the remaining parts of a payout. */
function stillToSend(invoice: InvoiceRecord, { rest = 0 }: StepNews): string {
  return rest > 0 ? ` We'll send you another ${money(invoice, rest)}.` : '';
}

const restPaid: Text = (invoice, news) =>
  `We paid you another ${money(invoice, news.amount)}${sentTo(news)}.` +
  (stillToSend(invoice, news) || ' You now have all your cash.');

const restReversed: Text = (invoice, { amount }) =>
  `The payment of ${money(invoice, amount)} to you was recorded by mistake. We still owe it to you.`;

function howToPay({ repaymentReference: reference }: InvoiceRecord, { accounts, support }: Situation): string {
  return sayHowToPay({ accounts, reference }, support);
}

/** For a reversed receipt of an open advance, whether it had settled the advance or not. */
const reversedReceipt: Text = (invoice, news) =>
  `Pay back ${owed(invoice, news)}. The repayment of ${money(invoice, news.amount)} was recorded by mistake. ` +
  (news.addedFee === undefined ? '' : `Without it your extra time costs ${money(invoice, news.addedFee)} more. `) +
  (news.offerEnded === true ? 'Our offer of more time has ended. ' : '') +
  howToPay(invoice, news);

function nameOf(by: Situation['by']): string {
  if (by === null) return PRODUCT_NAME;
  const { firstName, lastName, username } = by;
  return [firstName, lastName].filter((name) => name !== null).join(' ') || username;
}

/** Names the person who accepted, because everybody in the business gets the message. */
function accepted({ isOwn, by }: Reader): string {
  return `${isOwn ? 'You' : nameOf(by)} accepted our offer.`;
}

/** What is still needed before the cash goes, and from when it can go. */
function approvedFor(approved: string, sum: string, { outlook, now }: Situation): string {
  if (outlook === undefined) return `${approved}: ${sum} to you.`;
  const next = sayToPayee(outlook, now);
  return outlook.reason === 'PAYOUT_ACCOUNT_MISSING'
    ? `${approved} for ${sum}. ${next}: log in and add a payout account.`
    : `${approved}: ${sum} to you. ${next}.`;
}

/** The client's text for each step, in the order they care about: amount, date, what to do. */
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
  counterOffer: (invoice, { amount, reason = '' }) =>
    `We can offer you ${money(invoice, amount)} in cash, on other terms than you asked for. ${reason} ` +
    'Log in to compare them, then accept or decline it.',
  recallOffer: (_, news) => `Our offer no longer holds; we're looking at your application again.${decision(news)}`,
  acceptOffer: (invoice, news) =>
    `${accepted(news)} ${approvedFor("You're approved", money(invoice, news.amount), news)}`,
  acceptOfferFirst: (invoice, news) =>
    `${accepted(news)} You'll receive ${money(invoice, news.amount)} once a second officer approves.${decision(news)}`,
  declineOffer: () => 'You declined our offer, and your application has ended. You can apply again.',
  approve: (invoice, news) => approvedFor('Approved', money(invoice, invoice.application?.netProceeds), news),
  decline: (_, { declined }) => {
    if (declined === undefined) return 'We declined your application.';
    return `We declined your application. ${declineReasons[declined.reason]}. ${declined.note}`;
  },
  cancelApproval: (invoice, { reason = '', support }) =>
    `We cancelled our approval: ${money(invoice, invoice.application?.netProceeds)} will not be paid out. ${reason} ` +
    `You can apply again. If you did not expect this, ${callUs(support)}.`,
  lapse: (invoice, { support }) =>
    (invoice.status === 'Counter-offered'
      ? 'Our offer has ended: nobody accepted it in time. '
      : `Our approval has lapsed: ${money(invoice, invoice.application?.netProceeds)} was not paid out in time. `) +
    `You can apply again. If you did not expect this, ${callUs(support)}.`,
  disburse: (invoice, news) =>
    `We paid you ${money(invoice, news.amount)}${sentTo(news)}.${stillToSend(invoice, news)} Pay back ${owed(invoice, news)}. ${howToPay(invoice, news)}`,
  disburseRest: restPaid,
  reverseRest: restReversed,
  reverseDisbursement: (invoice, { amount }) =>
    `The payment of ${money(invoice, amount)} to you was recorded by mistake. You are still approved, and we'll pay you next.`,
  receivePart: (invoice, news) =>
    `We received ${money(invoice, news.amount)}. Still to pay back: ${owed(invoice, news)}. ${howToPay(invoice, news)}`,
  askExtension: () => "You asked for more time to pay back. We'll answer you soon. Until then nothing changes.",
  agreeExtension: (invoice, news) =>
    `We can give you more time: pay back ${owed(invoice, news)}. This includes a fee of ${money(invoice, news.amount)}. ` +
    'Log in to accept it. Until then nothing changes.',
  withdrawExtension: () => "We can't give you more time now. Your date to pay back stays the same.",
  acceptExtension: (invoice, news) =>
    `${accepted(news)} Pay back ${owed(invoice, news)}. This includes a fee of ${money(invoice, news.amount)}. ${howToPay(invoice, news)}`,
  settle: (invoice, { amount, surplusOwed = 0 }) =>
    `Fully paid back. ${amount === undefined ? 'Nothing is left to pay' : `We received ${money(invoice, amount)}`}.` +
    (surplusOwed > 0 ? ` ${money(invoice, surplusOwed)} of it is extra; we'll send it to you.` : ''),
  reversePart: reversedReceipt,
  reverseSettlement: reversedReceipt,
  receiveMore: (invoice, { amount }) => `We received ${money(invoice, amount)} extra. We'll send it to you.`,
  reverseMore: (invoice, { amount }) =>
    `Still fully paid back. The repayment of ${money(invoice, amount)} was recorded by mistake.`,
  paySurplus: (invoice, news) => {
    const [sum, more] = [money(invoice, news.amount), stillToSend(invoice, news)];
    return `We paid you ${more === '' ? `the extra ${sum}` : `${sum} of the extra`}${sentTo(news)}.${more}`;
  },
  reverseSurplus: restReversed,
};

const subjects: Partial<Record<StepName, string>> = {
  submit: 'submitted',
  requestInformation: 'we need something from you',
  counterOffer: 'we offer other terms',
  recallOffer: 'offer withdrawn',
  acceptOffer: 'approved',
  acceptOfferFirst: 'offer accepted',
  approve: 'approved',
  decline: 'declined',
  cancelApproval: 'approval cancelled',
  lapse: 'lapsed',
  disburse: 'paid out',
  disburseRest: 'paid out',
  agreeExtension: 'more time to pay back',
  acceptExtension: 'more time to pay back',
  settle: 'fully paid back',
};

const MORE = 'There are more applications. Log in to see all of them.';

/**
 * The client's message about a step. A withdrawn application and its resubmission under the same number count as one
 * subject. For colleagues, all submissions of one person are one subject, so that later ones do not delay the news.
 */
export function stepMessage(name: StepName, username: string, invoice: InvoiceRecord, news: Situation): Message {
  const isOwn = username === news.by?.username;
  const text = texts[name]?.(invoice, { ...news, isOwn }) ?? '';
  const said = message(username, invoice, subjects[name] ?? 'news', text);
  if (name === 'submit' && news.by !== null && !isOwn)
    return { ...said, about: submissionsOf(news.by.id, invoice.businessId), ifMore: MORE };
  return { ...said, about: newsOf(invoice) };
}

/**
 * The subject that groups texts about an application. An application submitted again under the same number keeps it.
 */
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
