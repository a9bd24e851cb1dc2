import { z } from 'zod';
import { currentPassword } from '#contract/accounts/schema.ts';
import type { FailureCode } from '#contract/errors.ts';
import { amount, calendarDate, freeText, money, optional, tag, text } from '#contract/fields.ts';
import { keysOf } from '#contract/keys.ts';
import { secondFactorCode } from '#contract/own-account/schema.ts';
import { paymentReference } from '#contract/payments/references/payment-reference.ts';
import type { Refusal } from '#contract/refusals/refusal.ts';
import { openTransfer, shownTransfer } from '#contract/transfers/schema.ts';
import { accountStateNames, isAccountNumber, plainAccountNumber, providerCodes, providers } from './account.ts';

/** Payout accounts, and payouts that one officer prepares and another releases. */

export const password = currentPassword('Enter your password');

const SAY_NUMBER = 'Enter the number of the account';

export const holderName = text(2, 'Enter the name that the account is in', 100);

/** The form that adds an account; also the request body. Parses to the number in plain form. */
export const payoutAccountForm = z
  .strictObject({
    provider: z.enum(providerCodes, 'Select where the money goes'),
    number: z.string(SAY_NUMBER).trim().min(1, SAY_NUMBER).max(40, SAY_NUMBER),
    holderName,
    bankName: optional(text(2, 'Enter the name of the bank', 100)),
    /** The account that this one replaces once it is verified. */
    replaces: optional(tag),
    password,
  })
  .transform((form, context) => {
    const number = plainAccountNumber(form.provider, form.number);
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    if (!isAccountNumber(form.provider, number)) refuse('number', providers[form.provider].shape);
    if (form.provider === 'bank' && form.bankName === undefined) refuse('bankName', 'Enter the name of the bank');
    return { ...form, number, bankName: form.provider === 'bank' ? form.bankName : undefined };
  });
export type PayoutAccountForm = z.output<typeof payoutAccountForm>;

/** An account as everybody in its business sees it. */
const shownAccount = z.strictObject({
  tag,
  /** Masked: "MTN ••• 678, Sarah Nabirye". */
  label: z.string(),
  state: z.enum(accountStateNames),
  /** When it may be paid to; null until it is verified. */
  usableFrom: z.iso.datetime().nullable(),
  /** Whether it needs no wait; before its verification, unless that finds a reason to wait. */
  skipsWait: z.boolean(),
});
export type ShownAccount = z.output<typeof shownAccount>;

/** How many hours after its verification we may pay to an account. */
const waitHours = z.number();

export const ownPayoutAccount = z.strictObject({
  ...shownAccount.shape,
  addedAt: z.iso.datetime(),
  addedBy: z.string(),
});
export type OwnPayoutAccount = z.output<typeof ownPayoutAccount>;

export const ownPayoutAccounts = z.strictObject({ accounts: z.array(ownPayoutAccount), waitHours });
export type OwnPayoutAccounts = z.output<typeof ownPayoutAccounts>;

/** An account with its whole number, for officers, who call its holder and pay to it. */
export const officerPayoutAccount = z.strictObject({
  ...ownPayoutAccount.shape,
  provider: z.enum(providerCodes),
  number: z.string(),
  holderName: z.string(),
  bankName: z.string().nullable(),
  business: z.string(),
  businessTag: tag,
  /** The account that it replaces, masked. */
  replaces: z.string().nullable(),
  /** Other businesses that have the same account. */
  sharedWith: z.array(z.string()),
  verifiedAt: z.iso.datetime().nullable(),
  verifiedBy: z.string().nullable(),
  /** The provider's answer about the holder, and when it came; null if nobody has asked. */
  holder: z
    .strictObject({
      says: z.string(),
      askedAt: z.iso.datetime(),
      /** What an officer must acknowledge with a reason; null if the name matches. */
      difference: z.string().nullable(),
      /** Whether nobody can be paid at that number. */
      isInactive: z.boolean(),
    })
    .nullable(),
  /** Whether the caller may not verify it: they added it, or belong to its business. */
  barred: z.boolean(),
});
export type OfficerPayoutAccount = z.output<typeof officerPayoutAccount>;

/**
 * `reason`: why the account is right although another business has it too, or its holder differs. `difference`: the
 * difference that the officer read.
 */
export const verifyAccountBody = z
  .strictObject({
    reason: optional(freeText(10, 'Say in a few words why this is right', 500)),
    difference: optional(z.string().max(400)),
  })
  .prefault({});
export type VerifyAccountBody = z.output<typeof verifyAccountBody>;

export const freezeLinkBody = z.strictObject({ token: z.string().min(20).max(200) });
export const frozenReply = z.strictObject({ success: z.literal(true), label: z.string(), business: z.string() });
export type FrozenReply = z.output<typeof frozenReply>;

export const chooseAccountBody = z.strictObject({ accountTag: tag });
export type ChooseAccountBody = z.output<typeof chooseAccountBody>;

export const payoutKinds = { disbursement: 'Cash for the invoice', surplus: 'Extra money' } as const;
export type PayoutKind = keyof typeof payoutKinds;
const payoutKind = z.enum(keysOf(payoutKinds));

/** The kind of a payout, for officers; `isRest`: a part of the cash is already paid. */
export function sayPayoutKind(kind: PayoutKind, isRest: boolean): string {
  return isRest ? 'Rest of the cash for the invoice' : payoutKinds[kind];
}

/** The error message if a payout by hand has no reference. */
export const REFERENCE_MISSING = 'Give the reference of the payment';
export const DATE_MISSING = 'Provide the date of the payment';

/** The values that the officer saw: if amount or account has changed, the call is refused. */
const seen = { amount: amount('Amount is required'), accountTag: tag };

export const preparePayoutBody = z.strictObject(seen);
export type PreparePayoutBody = z.output<typeof preparePayoutBody>;

/**
 * `code` is for officers with a second factor, `password` for the others. Reference and date are set if the payment was
 * made by hand.
 */
export const releasePayoutBody = z.strictObject({
  payoutTag: tag,
  ...seen,
  reference: optional(paymentReference),
  date: optional(calendarDate(DATE_MISSING)),
  code: optional(secondFactorCode),
  password: optional(password),
});
export type ReleasePayoutBody = z.output<typeof releasePayoutBody>;

export const cancelPayoutBody = z.strictObject({
  payoutTag: tag,
  reason: freeText(4, 'Say why you cancel it', 500),
});
export type CancelPayoutBody = z.output<typeof cancelPayoutBody>;

/** A payout that waits for its release. Only officers see who prepared it and the whole account. */
const preparedPayout = z.strictObject({
  tag,
  kind: payoutKind,
  amount: money,
  account: shownAccount,
  preparedAt: z.iso.datetime(),
  preparedBy: z.string().nullable(),
  /** Whether the caller prepared it, and so another officer must release it. */
  isOwn: z.boolean(),
  payee: officerPayoutAccount.nullable(),
  /** For officers: who sends it after the release, such as 'MTN mobile money'; null if it is paid by hand. */
  rail: z.string().nullable(),
  /** Whether it is sent in a file for the bank. */
  isByFile: z.boolean(),
});
export type PreparedPayout = z.output<typeof preparedPayout>;

/** Why a payout can't go to its account now, or why its preparer can't release it. */
const payoutRefusals = [
  'OWN_PAYOUT',
  'PAYOUT_ACCOUNT_MISSING',
  'PAYOUT_ACCOUNT_UNVERIFIED',
  'PAYOUT_ACCOUNT_NEW',
  'PAYOUT_ACCOUNT_FROZEN',
  'PAYOUT_ACCOUNT_REPLACED',
  'PAYOUT_NUMBER_INACTIVE',
  'ABOVE_WALLET',
  'WALLET_FULL_TODAY',
] as const satisfies readonly FailureCode[];
export type PayoutRefusal = Refusal & { readonly code: (typeof payoutRefusals)[number] };

/** The next step of each payout, and its group on the officers' board. `clear`: something on the case stops it. */
export const payoutSteps = {
  askClient: 'now',
  check: 'now',
  clear: 'now',
  prepare: 'now',
  release: 'now',
  wait: 'waits',
  follow: 'onItsWay',
  stop: 'onItsWay',
} as const;
export type PayoutStep = keyof typeof payoutSteps;

/** What happens before the cash is sent, by `outlookOf` (contract/payouts/outlook.ts). */
export const shownOutlook = z.strictObject({
  step: z.enum(keysOf(payoutSteps)),
  /** The code of the refusal that the acts give now; null if only the step is missing. */
  reason: z.string().nullable(),
  /** When the cash can go; null if we cannot know, or it has gone. */
  from: z.iso.datetime().nullable(),
  /** The account, masked and without its holder: 'MTN ••• 678'. */
  account: z.string().nullable(),
});
export type ShownOutlook = z.output<typeof shownOutlook>;

/** Where an application's money goes, and what we pay next. */
export const applicationPayout = z.strictObject({
  currency: z.string(),
  /** The account that we pay to; null if somebody in the business must add or choose one. */
  account: shownAccount.nullable(),
  /** The next payout and its amount; null if nothing is due. */
  next: z.strictObject({ kind: payoutKind, amount: money }).nullable(),
  /** Whether a part of the cash has been paid and the rest has not. */
  isRest: z.boolean(),
  /**
   * The maximum that the account can receive, if the next or prepared payout exceeds it; then another account is
   * needed.
   */
  walletTakes: money.nullable(),
  /** The parts in which a provider sends the next or prepared payout; empty if it goes at once. */
  parts: z.array(money),
  prepared: preparedPayout.nullable(),
  /**
   * Why the next payout, or releasing the prepared one, is not possible, apart from refusals that the case shows for
   * the officer; empty for a client.
   */
  refusals: z.array(z.strictObject({ code: z.enum(payoutRefusals), text: z.string() })),
  /** What is still needed and from when the cash can go; null if nothing is due. */
  outlook: shownOutlook.nullable(),
  /** The newest payout over a rail: on its way, paid or refused. */
  transfer: shownTransfer.nullable(),
  /** The business's accounts, for choosing. */
  options: z.array(shownAccount),
  /** Whether the caller may choose now: a client, until a payout is prepared. */
  mayChoose: z.boolean(),
  waitHours,
});
export type ApplicationPayout = z.output<typeof applicationPayout>;

/** A payout that is due or prepared, on the officers' board. */
const boardRow = z.strictObject({
  applicationTag: tag,
  invoiceNumber: z.string(),
  client: z.string(),
  clientTag: tag,
  kind: payoutKind,
  isRest: z.boolean(),
  currency: z.string(),
  amount: money,
  outlook: shownOutlook,
  /** Why it can't be paid now, and until when; null if only the step is missing. */
  why: z.string().nullable(),
  /** Why the caller may not take the next step although another officer may; null if they may. */
  barred: z.string().nullable(),
  prepared: z.strictObject({ by: z.string(), at: z.iso.datetime() }).nullable(),
  /** The account to check. */
  toCheck: officerPayoutAccount.nullable(),
});
export type BoardRow = z.output<typeof boardRow>;

/** One group of the board: its first rows, and the count and totals of all. */
function group<Row extends z.ZodType>(row: Row) {
  return z.strictObject({
    rows: z.array(row),
    count: z.int(),
    totals: z.array(z.strictObject({ currency: z.string(), amount: money })),
  });
}

/** Every payout that is not over, by what happens next. */
export const payoutBoard = z.strictObject({
  now: group(boardRow),
  /** Soonest first. */
  waits: group(boardRow),
  /** Also late requests to pay, which the totals leave out; late ones first. */
  onItsWay: group(openTransfer),
  /** Accounts to check for which no cash is due yet, oldest first. */
  accounts: z.array(officerPayoutAccount),
});
export type PayoutBoard = z.output<typeof payoutBoard>;
