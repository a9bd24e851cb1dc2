import { z } from 'zod';
import { tag } from '#contract/fields.ts';
import { accountCodes, accountKinds } from './accounts.ts';
import { outsideKinds, postedKinds } from './position.ts';

/** The journal for officers. Amounts are decimal text: a debit is above 0, a credit below. */

const signed = z.string().regex(/^-?\d+\.\d{2}$/);
const total = z.string().regex(/^\d+\.\d{2}$/);
export const accountCode = z.enum(accountCodes);

const entry = {
  /** The entry's tag. */
  tag,
  kind: z.enum([...postedKinds, ...outsideKinds]),
  /** Whether it reverses another entry. */
  isReversal: z.boolean(),
  date: z.iso.date(),
};

/** The journal of an application by date, oldest first; `balance` is the account's after the line. */
export const applicationJournalReply = z.strictObject({
  currency: z.string(),
  invoiceNumber: z.string(),
  entries: z.array(
    z.strictObject({
      ...entry,
      lines: z.array(z.strictObject({ account: accountCode, amount: signed, balance: signed })),
    }),
  ),
});
export type ApplicationJournal = z.output<typeof applicationJournalReply>;

/** A page of an account's lines by date, newest first, each with the account's balance after it. */
export const accountJournalReply = z.strictObject({
  currency: z.string(),
  account: accountCode,
  lines: z.array(
    z.strictObject({
      ...entry,
      /** Null for an entry without an application. */
      applicationTag: tag.nullable(),
      invoiceNumber: z.string().nullable(),
      /** Null with the application. */
      client: z.string().nullable(),
      clientTag: tag.nullable(),
      /** From the bank or the operator. */
      reference: z.string().nullable(),
      amount: signed,
      balance: signed,
    }),
  ),
  /** The last entry of this page, where the next one continues; null on the last page. */
  next: tag.nullable(),
});
export type AccountJournal = z.output<typeof accountJournalReply>;

/** The balance of each account at the end of a day, by currency. Debits equal credits. */
export const trialBalanceReply = z.strictObject({
  on: z.iso.date(),
  currencies: z.array(
    z.strictObject({
      currency: z.string(),
      accounts: z.array(
        z.strictObject({ account: accountCode, kind: z.enum(accountKinds), debit: total, credit: total }),
      ),
      debit: total,
      credit: total,
    }),
  ),
});
export type TrialBalance = z.output<typeof trialBalanceReply>;
