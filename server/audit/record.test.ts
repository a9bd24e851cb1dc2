import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canaryFound, proved } from '#proof/record.ts';
import { verifyAudit } from '#server/audit/audit.service.ts';
import { verifyRecord } from '#server/audit/record.service.ts';
import { applicationForm, buildClient, saveApplication, saveInvoice } from '#server/invoices/invoices.harness.ts';
import { buildInvoice } from '#server/testing/builders.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildDeclinedCase,
  buildOnceApprovedCase,
  buildSettledCase,
  caseBuilders,
  NEEDS_TWO,
  onDesk,
  succeed,
} from '#server/testing/case-builders.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let settled: BuiltCase;
let declined: BuiltCase;
beforeAll(async () => {
  app = await createTestApp();
  settled = await buildSettledCase(app);
  declined = await buildDeclinedCase(app);
});
afterAll(() => app.close());

const undone = new Error('undone');

/** What `work` changes is there while `look` looks, and then taken back. */
async function whileTampered(
  change: (of: BuiltCase) => RawBuilder<unknown>,
  as: 'owner' | 'server',
  of: BuiltCase,
): Promise<readonly string[]> {
  const { db } = as === 'owner' ? app.database.owner : app.platform;
  let faults: readonly string[] = [];
  const attempt = db.transaction().execute(async (transaction) => {
    if (as === 'owner') await sql`set local session_replication_role = replica`.execute(transaction);
    const { numAffectedRows } = await change(of).execute(transaction);
    expect(numAffectedRows).toBe(1n);
    ({ faults } = await verifyRecord({ db: transaction }));
    throw undone;
  });
  await expect(attempt).rejects.toBe(undone);
  return faults;
}

const invoice = (set: string) => (of: BuiltCase) => sql`update invoices set ${sql.raw(set)} where id = ${of.id}`;
const entry = (set: string) => (of: BuiltCase) =>
  sql`update ledger_entries set ${sql.raw(set)} where invoice_id = ${of.id} and kind = 'receipt'`;
const step = (set: string) => (of: BuiltCase) =>
  sql`update application_steps set ${sql.raw(set)} where invoice_id = ${of.id} and step = 'submit'`;

describe('what was changed in SQL is named', () => {
  it('nothing is where nobody changed anything', async () => {
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  // An UPDATE of invoices is the server's own work; its role may do that, and is found.
  const byTheServer = [
    [
      'the face value',
      invoice('face_value = 1000001'),
      'face_value: the record says 100000000, the database holds 100000100',
    ],
    ['the number', invoice(`invoice_number = 'X'`), /invoice_number: the record says "INV-.*", the database holds "X"/],
    [
      'the buyer',
      invoice('buyer_id = (select max(id) from businesses where id <> invoices.buyer_id)'),
      /buyer_id: the record says \d+, the database holds \d+/,
    ],
    [
      'whose it is',
      invoice(
        'business_id = (select max(id) from businesses where id not in (invoices.buyer_id, invoices.business_id))',
      ),
      /business_id: the record says \d+, the database holds \d+/,
    ],
    [
      'the fee',
      invoice('discount_fee = discount_fee - 1, net_proceeds = net_proceeds + 1'),
      /discount_fee: the record says \d+, the database holds \d+/,
    ],
    [
      'what is still owed to the client',
      invoice('surplus_owed = 5'),
      'surplus_owed: the record says 0, the database holds 500',
    ],
    [
      'the day it was paid back',
      invoice(`settled_on = '2026-10-01'`),
      'settled_on: the record says "2026-11-20", the database holds "2026-10-01"',
    ],
    [
      'who decided',
      invoice('decided_by = (select min(id) from persons where id <> decided_by)'),
      /decided_by: the record says/,
    ],
    [
      'the state',
      invoice(`status = 'Disbursed', settled_on = null, settled_at = null, outstanding = 900000`),
      'status: the record says "Settled", the database holds "Disbursed"',
    ],
    [
      'a payment that was added',
      (
        of: BuiltCase,
      ) => sql`insert into ledger_entries (invoice_id, kind, amount, paid_on, method, reference, payer, recorded_at, recorded_by)
      select invoice_id, kind, 5, paid_on, method, 'more', payer, recorded_at, recorded_by from ledger_entries where invoice_id = ${of.id} and kind = 'receipt'`,
      /payment .* of 500: the record does not know it/,
    ],
  ] as const;
  const byTheOwner = [
    [
      'a payment’s amount',
      entry('amount = amount - 1'),
      /payment .*, amount: the record says 90000000, the database holds 89999900/,
    ],
    [
      'a payment’s day',
      entry(`paid_on = '2026-11-19'`),
      /payment .*, paid_on: the record says "2026-11-20", the database holds "2026-11-19"/,
    ],
    [
      'a payment’s reference',
      entry(`reference = 'other'`),
      /payment .*, reference: the record says "MM-2026-11", the database holds "other"/,
    ],
    [
      'who recorded a payment',
      entry('recorded_by = (select min(id) from persons where id <> recorded_by)'),
      /recorded_by/,
    ],
    [
      'a step’s note',
      step(`note = 'as agreed by telephone'`),
      'step 1 (submit), note: the record says nothing, the database holds "as agreed by telephone"',
    ],
    ['when a step was taken', step(`at = at - interval '1 day'`), /step 1 \(submit\), at: /],
    [
      'a payment that was deleted',
      (of: BuiltCase) => sql`delete from ledger_entries where invoice_id = ${of.id} and kind = 'receipt'`,
      /payment .*: the database does not have it/,
    ],
    [
      'a step that was deleted',
      (of: BuiltCase) => sql`delete from application_steps where invoice_id = ${of.id} and step = 'settle'`,
      /step \d+ \(settle\): the database does not have it/,
    ],
  ] as const;

  it.each(byTheServer)('%s, by the server’s role and by the owner', async (_, change, said) => {
    for (const as of ['server', 'owner'] as const) {
      const faults = await whileTampered(change, as, settled);
      expect(faults).toEqual(
        expect.arrayContaining([
          typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said),
        ]),
      );
      expect(faults.every((text) => text.includes(settled.tag))).toBe(true);
    }
  });

  it.each(byTheOwner)('%s, by the owner', async (_, change, said) => {
    const faults = await whileTampered(change, 'owner', settled);
    expect(faults).toEqual(
      expect.arrayContaining([typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said)]),
    );
    await expect(whileTampered(change, 'server', settled)).rejects.toThrow();
  });

  it('the words of a refusal, and an invoice that vanished', async () => {
    const note = invoice(`decline_note = 'You asked for it.'`);
    expect(await whileTampered(note, 'server', declined)).toEqual([
      expect.stringContaining(
        'decline_note: the record says "The delivery note is not signed.", the database holds "You asked for it."',
      ),
    ]);
    const client = await buildClient(app);
    const { tag } = await saveInvoice(client);
    const gone = () => sql`delete from invoices where tag = ${tag}`;
    expect(await whileTampered(gone, 'owner', settled)).toEqual([
      `invoice ${tag}: the record has it, the database does not`,
    ]);
  });

  it('all of it is told by audit:verify, once it stands', async () => {
    await app.database.owner.db
      .updateTable('invoices')
      .set({ face_value: '1000001.00' })
      .where('id', '=', declined.id)
      .execute();
    expect((await verifyAudit(app.platform)).faults).toEqual([
      expect.stringContaining('face_value: the record says 100000000, the database holds 100000100'),
    ]);
    await app.database.owner.db
      .updateTable('invoices')
      .set({ face_value: '1000000.00' })
      .where('id', '=', declined.id)
      .execute();
    expect((await verifyAudit(app.platform)).faults).toEqual([]);
    const tried = byTheServer.length * 2 + byTheOwner.length;
    canaryFound('audit-record', `${tried} changes in SQL, each named by invoice, column and value`);
    proved(
      'audit-record',
      `${tried} of ${tried} changes of an invoice, a payment or a step in SQL were named; 0 without one`,
    );
  });
});

describe('what people do is never taken for tampering', () => {
  it('in every state, and on every way through two officers and corrections', async () => {
    for (const build of Object.values(caseBuilders)) await build(app);
    await buildApprovedCase(app, NEEDS_TWO);
    const sent = await buildOnceApprovedCase(app);
    await succeed(onDesk(sent.officer, sent.tag, 'send_back', { note: 'Not yet.' }));
    const client = await buildClient(app);
    const { tag } = await saveInvoice(client);
    await saveApplication(client, tag);
    const answer = await client.caller.post('/invoices', { application: applicationForm(tag) });
    expect([200, 409, 422]).toContain(answer.status);
    await succeed(client.caller.call({ method: 'DELETE', url: `/invoices/${(await saveInvoice(client)).tag}` }));
    const receipt = await app.platform.db
      .selectFrom('ledger_entries')
      .select('tag')
      .where('invoice_id', '=', settled.id)
      .where('kind', '=', 'receipt')
      .executeTakeFirstOrThrow();
    await succeed(settled.officer.caller.post(`/payments/${receipt.tag}/reverse`, { reason: 'Another invoice’s.' }));
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('an invoice without a record is counted, not passed', async () => {
    const before = await verifyRecord(app.platform);
    await buildInvoice(app, settled.client.person);
    const after = await verifyRecord(app.platform);
    expect(after).toEqual({ invoices: before.invoices + 1, uncovered: before.uncovered + 1, faults: [] });
  });

  it('what was changed between the saving and the submission contradicts the record', async () => {
    const client = await buildClient(app);
    const { tag } = await saveInvoice(client);
    const tampered = await app.database.owner.db
      .updateTable('invoices')
      .set({ invoice_date: '2026-11-01' })
      .where('tag', '=', tag)
      .executeTakeFirst();
    expect(tampered.numUpdatedRows).toBe(1n);
    expect((await verifyRecord(app.platform)).faults).toEqual([
      expect.stringContaining('invoice_date: the record says'),
    ]);
  });
});
