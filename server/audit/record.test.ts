import { type RawBuilder, sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { applicationForm, buildClient, saveApplication, saveInvoice } from '#server/invoices/invoices.harness.ts';
import { buildInvoice } from '#testing/builders.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildAskedCase,
  buildDeclinedCase,
  buildOfficer,
  buildOnceApprovedCase,
  buildSettledCase,
  buildSubmittedCase,
  caseBuilders,
  NEEDS_TWO,
  onDesk,
  type Someone,
  stepsOf,
  succeed,
} from '#testing/case-builders.ts';
import { canaryFound, proved } from '#testing/evidence/record.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { appOfFile } from '#testing/test-app.ts';
import { upload } from '#testing/uploads.ts';
import { anchorAudit, verifyAudit } from './audit.service.ts';
import { verifyRecord } from './record.service.ts';
import { event, inTheRecord, type Tampered, triggers } from './record-events.harness.ts';
import { byTheOwner, byTheServer, invoice } from './record-rows.harness.ts';

const app = appOfFile();
let settled: BuiltCase;
let declined: BuiltCase;
let other: Someone;
beforeAll(async () => {
  settled = await buildSettledCase(app);
  declined = await buildDeclinedCase(app);
  other = await buildOfficer(app);
});

const undone = new Error('undone');
/** Changes that have tests of their own: swapped documents, and an invoice deleted after its submission. */
const OTHERS = 2;

/**
 * The verification's findings during changes, which are rolled back afterwards. The last statement must change a row.
 */
async function whileTampered<Of>(
  change: (of: Of) => RawBuilder<unknown> | readonly RawBuilder<unknown>[],
  as: 'owner' | 'server',
  of: Of,
): Promise<readonly string[]> {
  const { db } = as === 'owner' ? app.database.owner : app.platform;
  let faults: readonly string[] = [];
  const attempt = db.inTransaction(async (transaction) => {
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

describe('the verification', () => {
  it('finds nothing if nobody changed anything', async () => {
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it.each(inTheRecord)('finds a change of %s in the log and the rows', async (what, build, change, said) => {
    const of = { ...(await build(app)), now: app.clock.now(), other };
    // Only the owner can drop the constraint that forbids this change.
    const as = what === 'both approvals by one officer' ? 'owner' : 'server';
    const faults = await whileTampered<Tampered>(change, as, of);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(said);
    expect(faults[0]).toContain(`invoice ${of.tag} (${of.invoiceNumber}), `);
  });

  it('finds swapped files of two documents', async () => {
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
      tags.map((tag) => expect.stringMatching(`document ${tag}, storedSha256: the audit log has "[0-9a-f]{64}"`)),
    );
  });

  it.each(byTheServer)('finds a change of %s by the server’s role and by the owner', async (_, change, said) => {
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

  it.each(byTheOwner)('finds a change of %s by the owner', async (_, change, said) => {
    const faults = await whileTampered(change, 'owner', settled);
    expect(faults).toEqual(
      expect.arrayContaining([typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said)]),
    );
    await expect(whileTampered(change, 'server', settled)).rejects.toThrow();
  });

  it('finds a changed note of a refusal, and a missing invoice', async () => {
    const note = invoice(`decline_note = 'You asked for it.'`);
    expect(await whileTampered(note, 'server', declined)).toEqual([
      expect.stringContaining(
        'decline_note: the audit log has "The delivery note is not signed.", the database has "You asked for it."',
      ),
    ]);
    const client = await buildClient(app);
    const { tag } = await saveInvoice(client);
    const gone = () => sql`delete from invoices where tag = ${tag}`;
    expect(await whileTampered(gone, 'owner', settled)).toEqual([
      `invoice ${tag}: in the audit log, but not in the database`,
    ]);
  });

  it('finds a missing submitted invoice, even if an event says that it was deleted', async () => {
    const submitted = await buildSubmittedCase(app);
    const gone = (of: BuiltCase) => [
      triggers(true),
      event({ ...of, now: app.clock.now() }, 'invoice.deleted', sql`null`),
      triggers(false),
      sql`delete from invoices where id = ${of.id}`,
    ];
    expect(await whileTampered(gone, 'owner', submitted)).toEqual([
      `invoice ${submitted.tag}: in the audit log, but not in the database`,
    ]);
  });

  it('finds stored changes with `audit:verify`', async () => {
    await anchorAudit(app.platform);
    await app.database.owner.db
      .updateTable('invoices')
      .set({ face_value: '1000001.00' })
      .where('id', '=', declined.id)
      .execute();
    expect((await verifyAudit(app.platform)).faults).toEqual([
      expect.stringContaining('face_value: the audit log has 100000000, the database has 100000100'),
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

describe('an invoice that people worked on', () => {
  it('has no fault in any status, nor after any path through two officers and corrections', async () => {
    for (const build of Object.values(caseBuilders)) await build(app);
    await buildApprovedCase(app, NEEDS_TWO);
    const sent = await buildOnceApprovedCase(app);
    await succeed(onDesk(sent.officer, sent.tag, 'send_back', { note: 'Not yet.' }));
    const asked = await buildAskedCase(app, { typeIds: [1] });
    await succeed(upload(asked.client.caller, { invoiceTag: asked.tag, typeId: 1 }, samplePdf('again')));
    await succeed(asked.client.caller.post(`/applications/${asked.tag}/answer`));
    await succeed(onDesk(asked.officer, asked.tag, 'hand_over', { officerTag: other.person.tag }));
    await succeed(onDesk(other, asked.tag, 'approve'));
    const left = await buildOnceApprovedCase(app);
    const admin = await buildOfficer(app, { perms: ['KADMIN'] });
    await succeed(admin.caller.post('/persons/deactivate', { tag: left.officer.person.tag }));
    await succeed(onDesk(other, left.tag, 'take'));
    await succeed(onDesk(other, left.tag, 'approve'));
    expect((await stepsOf(app, left)).map(({ step }) => step)).toContain('voidApproval');
    const client = await buildClient(app);
    const { tag } = await saveInvoice(client);
    await saveApplication(client, tag);
    const answer = await client.caller.post('/invoices', { application: applicationForm(tag) });
    expect([200, 409, 422]).toContain(answer.status);
    await succeed(client.caller.call({ method: 'DELETE', url: `/invoices/${(await saveInvoice(client)).tag}` }));
    const receipt = await app.platform.db
      .selectFrom('journal_entries')
      .select('tag')
      .where('invoice_id', '=', settled.id)
      .where('kind', '=', 'receipt')
      .executeTakeFirstOrThrow();
    await succeed(settled.officer.caller.post(`/payments/${receipt.tag}/reverse`, { reason: 'Another invoice’s.' }));
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('counts as not covered without any events', async () => {
    const before = await verifyRecord(app.platform);
    await buildInvoice(app, settled.client.person);
    const after = await verifyRecord(app.platform);
    expect(after).toEqual({ invoices: before.invoices + 1, uncovered: before.uncovered + 1, faults: [] });
  });

  it('has a fault if it was changed between saving and submission', async () => {
    const client = await buildClient(app);
    const { tag } = await saveInvoice(client);
    const tampered = await app.database.owner.db
      .updateTable('invoices')
      .set({ invoice_date: '2026-11-01' })
      .where('tag', '=', tag)
      .executeTakeFirst();
    expect(tampered.numUpdatedRows).toBe(1n);
    expect((await verifyRecord(app.platform)).faults).toEqual([
      expect.stringContaining('invoice_date: the audit log has'),
    ]);
  });
});
