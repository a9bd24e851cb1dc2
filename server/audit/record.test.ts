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
  buildSubmittedCase,
  caseBuilders,
  NEEDS_TWO,
  onDesk,
  succeed,
} from '#server/testing/case-builders.ts';
import { samplePdf } from '#server/testing/sample-files.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { upload } from '#server/testing/uploads.ts';

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
/** Changes with a test of their own: documents exchanged, and an invoice deleted after its submission. */
const OTHERS = 2;

/** What the verification finds while a change is there, which is taken back then. The last of its statements changes a row. */
async function whileTampered<Of>(
  change: (of: Of) => RawBuilder<unknown> | readonly RawBuilder<unknown>[],
  as: 'owner' | 'server',
  of: Of,
): Promise<readonly string[]> {
  const { db } = as === 'owner' ? app.database.owner : app.platform;
  let faults: readonly string[] = [];
  const attempt = db.transaction().execute(async (transaction) => {
    if (as === 'owner') await sql`set local session_replication_role = replica`.execute(transaction);
    let changed: bigint | undefined;
    for (const statement of [change(of)].flat()) ({ numAffectedRows: changed } = await statement.execute(transaction));
    expect(changed).toBe(1n);
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
const facts = (set: string) => (of: BuiltCase) =>
  sql`update key_facts_acceptances set ${sql.raw(set)} where invoice_id = ${of.id}`;

/** An event as the server's role may add it: the database chains it to the others. */
const event = (of: BuiltCase, action: string, after: RawBuilder<unknown>) =>
  sql`insert into audit_events (at, actor_tag, action, subject_type, subject_tag, after)
    select ${app.clock.now()}, ${of.officer.person.tag}, ${action}, 'invoice', tag, ${after} from invoices where id = ${of.id}`;
/** A step in the record, in the timeline and on the row, so that they agree. */
const addedStep = (of: BuiltCase, name: string, [from, to]: readonly [string, string], set: string) => [
  event(of, `application.${name}`, sql`jsonb_build_object('status', ${to}::text)`),
  sql`insert into application_steps (invoice_id, step, from_status, to_status, at, by_person)
    values (${of.id}, ${name}, ${from}, ${to}, ${app.clock.now()}, ${of.officer.person.id})`,
  sql`update invoices set status = ${to}, clock_runs_since = null, ${sql.raw(set)} where id = ${of.id}`,
];
const decided = (of: BuiltCase) =>
  `holder_id = null, held_since = null, decided_at = '${app.clock.now().toISOString()}', decided_by = ${of.officer.person.id}`;
/** Triggers, those of foreign keys too, work or not for the statements after it; only the owner may say so. */
const triggers = (work: boolean) => sql`set local session_replication_role = ${sql.raw(work ? 'origin' : 'replica')}`;

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
    [
      'what the key facts said',
      facts(`facts = facts || '{"feesCharged": 1}'`),
      /key facts, sha256: the record says "[0-9a-f]{64}", the database holds "[0-9a-f]{64}"/,
    ],
    [
      'who accepted the key facts',
      facts('accepted_by = (select min(id) from persons where id <> accepted_by)'),
      /key facts, by: the record says/,
    ],
    [
      'key facts that were deleted',
      (of: BuiltCase) => sql`delete from key_facts_acceptances where invoice_id = ${of.id}`,
      'key facts: the database does not have what was accepted',
    ],
  ] as const;
  // The rows agree with what was added to the record; the record does not agree with what Kasente does.
  const inTheRecord = [
    [
      'the face value, after the submission',
      buildSubmittedCase,
      (of: BuiltCase) => [
        event(
          of,
          'invoice.changed',
          sql`jsonb_build_object('invoiceNumber', invoice_number, 'invoiceDate', invoice_date, 'currencyId', currency_id,
            'buyerId', buyer_id, 'faceValue', (face_value * 100)::integer + 100)`,
        ),
        invoice('face_value = face_value + 1')(of),
      ],
      'invoice.changed: recorded in Submitted, and only a draft may be changed',
    ],
    [
      'the fee, after the submission',
      buildSubmittedCase,
      (of: BuiltCase) => [
        event(
          of,
          'application.changed',
          sql`(select after -> 'application' || jsonb_build_object('discountFee', (discount_fee * 100)::integer - 100,
              'netProceeds', (net_proceeds * 100)::integer + 100)
            from audit_events where subject_tag = invoices.tag and action = 'application.submit')`,
        ),
        invoice('discount_fee = discount_fee - 1, net_proceeds = net_proceeds + 1')(of),
      ],
      'application.changed: recorded in Submitted, and only a draft may be changed',
    ],
    [
      'an approval before the review',
      buildSubmittedCase,
      (of: BuiltCase) => addedStep(of, 'approve', ['Submitted', 'Approved'], decided(of)),
      'approve: recorded in Submitted, which does not allow it',
    ],
    [
      'a step that leads elsewhere',
      buildSubmittedCase,
      (of: BuiltCase) => addedStep(of, 'startReview', ['Submitted', 'Info Requested'], 'decide_by = null'),
      'startReview: recorded as leading to Info Requested, and it leads to In Review',
    ],
    [
      'both approvals by one officer',
      buildOnceApprovedCase,
      (of: BuiltCase) => [
        triggers(true),
        sql`alter table invoices drop constraint invoices_two_officers`,
        ...addedStep(of, 'approve', ['In Review', 'Approved'], decided(of)),
      ],
      'approve: recorded of the officer who gave the other approval',
    ],
  ] as const;

  it.each(inTheRecord)('%s, in the record and in the rows', async (_, build, change, said) => {
    const of = await build(app);
    // Only the owner can take away the constraint that forbids the last of them.
    const as = build === buildOnceApprovedCase ? 'owner' : 'server';
    expect(await whileTampered(change, as, of)).toEqual([`invoice ${of.tag} (${of.invoiceNumber}), ${said}`]);
  });

  it('two documents whose files were exchanged', async () => {
    const client = await buildClient(app);
    const { tag: invoiceTag } = await saveInvoice(client);
    const tags: string[] = [];
    for (const typeId of [1, 2]) {
      const { body } = await succeed(upload(client.caller, { invoiceTag, typeId }, samplePdf(`${typeId}`), 'a.pdf'));
      tags.push(body.data.tag);
    }
    const place = 'storage_key, stored_sha256, size_bytes';
    const exchange = () => [
      sql`create temporary table places on commit drop as select tag, ${sql.raw(place)} from documents where tag = any(${tags})`,
      sql`update documents set storage_key = tag::text where tag = any(${tags})`,
      ...tags.map(
        (tag) => sql`update documents set (${sql.raw(place)}) =
          (select ${sql.raw(place)} from places where places.tag <> documents.tag) where tag = ${tag}`,
      ),
    ];
    expect(await whileTampered(exchange, 'owner', settled)).toEqual(
      tags.map((tag) => expect.stringMatching(`document ${tag}, storedSha256: the record says "[0-9a-f]{64}"`)),
    );
  });

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

  it('a submitted invoice that vanished, whoever says that it was deleted', async () => {
    const submitted = await buildSubmittedCase(app);
    const gone = (of: BuiltCase) => [
      triggers(true),
      event(of, 'invoice.deleted', sql`null`),
      triggers(false),
      sql`delete from invoices where id = ${of.id}`,
    ];
    expect(await whileTampered(gone, 'owner', submitted)).toEqual([
      `invoice ${submitted.tag}: the record has it, the database does not`,
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
    const tried = byTheServer.length * 2 + byTheOwner.length + inTheRecord.length + OTHERS;
    canaryFound('audit-record', `${tried} changes in SQL, each named by invoice, column and value`);
    proved(
      'audit-record',
      `${tried} of ${tried} changes of an invoice, its payments, steps, documents or key facts in SQL were named, ${inTheRecord.length} of them in the record too; 0 without one`,
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
