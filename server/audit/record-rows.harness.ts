import { sql } from 'kysely';
import type { BuiltCase } from '#testing/case-builders.ts';

/**
 * Changes to a settled case by SQL, bypassing the log. For each: a description, the change, and the fault that the
 * verification must report.
 */

export const invoice = (set: string) => (of: BuiltCase) => sql`update invoices set ${sql.raw(set)} where id = ${of.id}`;
const entry = (set: string) => (of: BuiltCase) =>
  sql`update journal_entries set ${sql.raw(set)} where invoice_id = ${of.id} and kind = 'receipt'`;
const step = (set: string) => (of: BuiltCase) =>
  sql`update application_steps set ${sql.raw(set)} where invoice_id = ${of.id} and step = 'submit'`;
const facts = (set: string) => (of: BuiltCase) =>
  sql`update key_facts_acceptances set ${sql.raw(set)} where invoice_id = ${of.id}`;

/** The server's role may update invoices, so such a change must be detected. */
export const byTheServer = [
  [
    'the face value',
    invoice('face_value = 1000001'),
    'face_value: the audit log has 100000000, the database has 100000100',
  ],
  ['the number', invoice(`invoice_number = 'X'`), /invoice_number: the audit log has "INV-.*", the database has "X"/],
  [
    'the buyer',
    invoice('buyer_id = (select max(id) from businesses where id <> invoices.buyer_id)'),
    /buyer_id: the audit log has \d+, the database has \d+/,
  ],
  [
    'whose it is',
    invoice('business_id = (select max(id) from businesses where id not in (invoices.buyer_id, invoices.business_id))'),
    /business_id: the audit log has \d+, the database has \d+/,
  ],
  [
    'the fee',
    invoice('discount_fee = discount_fee - 1, net_proceeds = net_proceeds + 1'),
    /discount_fee: the audit log has \d+, the database has \d+/,
  ],
  [
    'what is still owed to the client',
    invoice('surplus_owed = 5'),
    'surplus_owed: the audit log has 0, the database has 500',
  ],
  [
    'the day it was paid back',
    invoice(`settled_on = '2026-10-01'`),
    'settled_on: the audit log has "2026-11-20", the database has "2026-10-01"',
  ],
  [
    'who decided',
    invoice('decided_by = (select min(id) from persons where id <> decided_by)'),
    /decided_by: the audit log has/,
  ],
  [
    'the state',
    invoice(`status = 'Disbursed', settled_on = null, settled_at = null, outstanding = 900000`),
    'status: the audit log has "Settled", the database has "Disbursed"',
  ],
  [
    'a payment that was added',
    (
      of: BuiltCase,
    ) => sql`insert into journal_entries (invoice_id, currency_id, kind, amount, occurred_on, method, reference, payer, recorded_at, recorded_by)
    select invoice_id, currency_id, kind, 5, occurred_on, method, 'more', payer, recorded_at, recorded_by from journal_entries
    where invoice_id = ${of.id} and kind = 'receipt'`,
    /payment .* of 500: not in the audit log/,
  ],
] as const;
/** Only the owner may do these. */
export const byTheOwner = [
  [
    'a cent in a line',
    (of: BuiltCase) => sql`update journal_lines set amount = amount + 0.01
      where account = 'advances' and entry_id = (select id from journal_entries where invoice_id = ${of.id} and kind = 'receipt')`,
    /payment .*, lines: the audit log has "advances -900000.00, .*", the database has "advances -899999.99, /,
  ],
  [
    'a payment’s amount',
    entry('amount = amount - 1'),
    /payment .*, amount: the audit log has 90000000, the database has 89999900/,
  ],
  [
    'a payment’s day',
    entry(`occurred_on = '2026-11-19'`),
    /payment .*, paid_on: the audit log has "2026-11-20", the database has "2026-11-19"/,
  ],
  [
    'a payment’s reference',
    entry(`reference = 'other'`),
    /payment .*, reference: the audit log has "MM-R-\d+", the database has "other"/,
  ],
  [
    'who recorded a payment',
    entry('recorded_by = (select min(id) from persons where id <> recorded_by)'),
    /recorded_by/,
  ],
  [
    'a step’s note',
    step(`note = 'as agreed by telephone'`),
    'step 1 (submit), note: the audit log has nothing, the database has "as agreed by telephone"',
  ],
  ['when a step was taken', step(`at = at - interval '1 day'`), /step 1 \(submit\), at: /],
  [
    'a payment that was deleted',
    (of: BuiltCase) => sql`delete from journal_entries where invoice_id = ${of.id} and kind = 'receipt'`,
    /payment .*: not in the database/,
  ],
  [
    'a step that was deleted',
    (of: BuiltCase) => sql`delete from application_steps where invoice_id = ${of.id} and step = 'settle'`,
    /step \d+ \(settle\): not in the database/,
  ],
  [
    'what the key facts said',
    facts(`facts = facts || '{"feesCharged": 1}'`),
    /key facts, sha256: the audit log has "[0-9a-f]{64}", the database has "[0-9a-f]{64}"/,
  ],
  [
    'who accepted the key facts',
    facts('accepted_by = (select min(id) from persons where id <> accepted_by)'),
    /key facts, by: the audit log has/,
  ],
  [
    'key facts that were deleted',
    (of: BuiltCase) => sql`delete from key_facts_acceptances where invoice_id = ${of.id}`,
    'key facts: the accepted ones are not in the database',
  ],
] as const;
