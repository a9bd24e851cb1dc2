import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { queueRow } from '#contract/desk/schema.ts';
import { readRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { anchorAudit, verifyAudit } from '#server/audit/audit.service.ts';
import { paid } from '#server/payments/payments.harness.ts';
import { buildInvoice, buildSignedIn } from '#testing/builders.ts';
import {
  buildApprovedCase,
  buildCaseClient,
  buildDisbursedCase,
  buildSettledCase,
  caseRow,
  eventsOf,
  type PayableCase,
  succeed,
} from '#testing/case-builders.ts';
import { appOfTest } from '#testing/test-app.ts';
import { freshOfficer, putOnRecord, storedEntries, toDaysAfterDue } from './collections.harness.ts';

/** How an advance is paid back, and the entries about it by client, buyer and officers. */

const app = appOfTest({ SESSION_IDLE_MINUTES: '720' });
let built: PayableCase;
beforeEach(async () => {
  built = await buildDisbursedCase(app);
});

type Reader = { readonly caller: PayableCase['client']['caller'] };

async function repaymentOf({ caller }: Reader, { tag }: { readonly tag: string } = built) {
  return (await succeed(caller.get(`/applications/${tag}/repayment`))).body;
}

const late = { date: '2027-01-05', reason: 'Their head office pays in January' };
const tellLate = (body: unknown = late, { caller }: Reader = built.client) =>
  caller.post(`/applications/${built.tag}/buyer_late`, body);

describe('how to pay', () => {
  it('is said to client and officer alike: amount, date, accounts and a reference that checks', async () => {
    const { repayment_reference: reference } = await caseRow(app, built);
    const expected = {
      currency: 'UGX',
      outstanding: 900_000,
      dueOn: '2026-12-21',
      overdue: null,
      bucket: null,
      payTo: ['MTN MoMo merchant 123456', 'Stanbic Bank 9030001234567, Kasente Ltd'],
      repaymentReference: reference,
      buyerLate: null,
      dispute: null,
      mayTellLate: true,
      entries: [],
    };
    expect(await repaymentOf(built.client)).toEqual(expected);
    expect(await repaymentOf(built.officer)).toEqual(expected);
    expect(readRepaymentReference(reference)).toEqual({ reference });
  });

  it('has the bucket of an advance that is late, and nothing left once it is settled', async () => {
    toDaysAfterDue(app, 8);
    const officer = await freshOfficer(app);
    expect(await repaymentOf(officer)).toMatchObject({ overdue: { days: 8 }, bucket: 'days8To30', mayTellLate: false });
    await paid({ ...built, officer }, 'receipts', { date: '2026-12-29' });
    expect(await repaymentOf(officer)).toMatchObject({ outstanding: 0, overdue: null, bucket: null });
  });

  it('is not there for a draft or for a stranger', async () => {
    const draft = await buildInvoice(app, built.client.person);
    expect((await built.client.caller.get(`/applications/${draft.tag}/repayment`)).status).toBe(404);
    const stranger = await buildCaseClient(app);
    expect((await stranger.caller.get(`/applications/${built.tag}/repayment`)).status).toBe(404);
  });

  it('has a reference of its own for each application', async () => {
    const { rows } = await sql<{ reference: string }>`
      select repayment_reference_of(n) as reference from generate_series(1, 20000) as n`.execute(app.platform.db);
    const references = rows.map(({ reference }) => reference);
    expect(new Set(references).size).toBe(20_000);
    for (const reference of references) expect(readRepaymentReference(reference)).toEqual({ reference });
  });
});

describe('a buyer who will pay late', () => {
  it('is announced by the client before the due date, moves no date, and is seen on the desk', async () => {
    await succeed(tellLate());
    const { body } = await built.officer.caller.post('/desk/queue', { view: 'disbursed' });
    expect(queueRow.array().parse(body)[0]?.collection).toMatchObject({ buyerPaysOn: '2027-01-05' });
    const buyerLate = { ...late, at: '2026-11-20T09:00:00.000Z' };
    expect(await repaymentOf(built.client)).toMatchObject({ buyerLate, dueOn: '2026-12-21', entries: [] });
    expect((await repaymentOf(built.officer)).entries).toMatchObject([
      { kind: 'buyerLate', note: late.reason, buyerPaysOn: '2027-01-05' },
    ]);
    expect((await eventsOf(app, built)).at(-1)).toMatchObject({
      action: 'collection.buyerLate',
      after: { day: '2027-01-05', note: late.reason },
    });
  });

  it('may be announced on the due date, not after it', async () => {
    const { businessId } = built.client.person;
    for (const [day, status, code] of [
      [0, 200, undefined],
      [1, 409, 'ALREADY_DUE'],
    ] as const) {
      toDaysAfterDue(app, day);
      const answer = await tellLate(late, await buildSignedIn(app, { perms: ['BIDA'], businessId }));
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    }
  });

  it('needs a reason and a date after the due date', async () => {
    for (const [body, fields] of [
      [{ ...late, date: '2026-12-21' }, { date: 'Choose a date after 21 Dec 2026' }],
      [{ ...late, date: 'soon' }, { date: 'Say when your buyer will pay' }],
      [{ ...late, reason: '' }, { reason: 'Say why your buyer pays late' }],
    ] as const) {
      const answer = await tellLate(body);
      expect([answer.status, answer.body.fields]).toEqual([400, fields]);
    }
    expect(await storedEntries(app, built)).toEqual([]);
  });

  it('is not announced of what is not paid out, nor by another client', async () => {
    for (const other of [await buildApprovedCase(app), await buildSettledCase(app)]) {
      const answer = await other.client.caller.post(`/applications/${other.tag}/buyer_late`, late);
      expect([answer.status, answer.body.code]).toEqual([409, 'STEP_NOT_ALLOWED']);
    }
    expect((await tellLate(late, await buildCaseClient(app))).status).toBe(404);
  });
});

describe('the record of collecting', () => {
  const contact = {
    kind: 'contact',
    channel: 'call',
    note: 'They pay on Friday',
    nextStep: 'Call again',
    nextOn: '2026-11-27',
  };
  const promise = { kind: 'promise', date: '2026-11-27', amount: 400_000 };

  it('has contacts, promises and notes, newest first, and none of them for the client', async () => {
    for (const body of [contact, promise, { kind: 'note', note: 'Ask for Sarah' }])
      await succeed(putOnRecord(built.officer, built, body));
    expect((await repaymentOf(built.officer)).entries).toMatchObject([
      { kind: 'note', note: 'Ask for Sarah', by: 'Odongo Peter', promise: null, nextStep: null },
      { kind: 'promise', promise: { date: '2026-11-27', amount: 400_000, state: 'open' } },
      { kind: 'contact', channel: 'call', nextStep: { text: 'Call again', on: '2026-11-27' } },
    ]);
    expect(await repaymentOf(built.client)).toMatchObject({ entries: [], dispute: null });
    const { body } = await built.officer.caller.post('/desk/queue', { view: 'disbursed' });
    expect(queueRow.array().parse(body)[0]?.collection).toMatchObject({
      lastContact: { by: 'Odongo Peter' },
      nextStep: { text: 'Call again' },
      promise: { state: 'open' },
      disputed: false,
    });
  });

  it('says of a promise whether it was kept, by the payments', async () => {
    await succeed(putOnRecord(built.officer, built, promise));
    const state = async () => (await repaymentOf(await freshOfficer(app))).entries[0].promise.state;
    await paid(built, 'receipts', { amount: 399_999 });
    expect(await state()).toBe('open');
    await paid(built, 'receipts', { amount: 1 });
    expect(await state()).toBe('kept');
    toDaysAfterDue(app, 0);
    const officer = await freshOfficer(app);
    await succeed(putOnRecord(officer, built, { ...promise, date: '2026-12-22', amount: 500_000 }));
    toDaysAfterDue(app, 2);
    expect(await state()).toBe('broken');
  });

  it('refuses at its field what cannot be', async () => {
    for (const [body, fields] of [
      [{ ...promise, date: '2026-11-19' }, { date: 'Choose today or a later date' }],
      [{ ...promise, amount: 900_000.01 }, { amount: 'Enter what is still owed, or less' }],
      [{ ...promise, amount: 0 }, { amount: 'Amount is required' }],
      [{ ...contact, nextOn: '2026-11-19' }, { nextOn: 'Choose today or a later date' }],
      [{ ...contact, nextStep: '' }, { nextStep: 'Say what to do next' }],
      [{ ...contact, note: '' }, { note: 'Say what was agreed' }],
      [{ kind: 'dispute', note: '' }, { note: 'Say what the buyer disputes' }],
    ] as const) {
      const answer = await putOnRecord(built.officer, built, body);
      expect([answer.status, answer.body.fields]).toEqual([400, fields]);
    }
    expect(await storedEntries(app, built)).toEqual([]);
  });

  it('is not kept of what is not paid out, nor by an officer of the business', async () => {
    const approved = await buildApprovedCase(app);
    const refused = await putOnRecord(approved.officer, approved, contact);
    expect([refused.status, refused.body.code]).toEqual([409, 'STEP_NOT_ALLOWED']);
    const own = await buildSignedIn(app, { perms: ['KSTAF'], businessId: built.client.person.businessId });
    const barred = await putOnRecord(own, built, contact);
    expect([barred.status, barred.body.code]).toEqual([403, 'OWN_BUSINESS']);
  });

  it('takes a repeated entry once', async () => {
    const key = { 'idempotency-key': '8d0b1b0e-8f0b-4c57-9d35-2f6f0c9f1b11' };
    const post = () => built.officer.caller.post(`/desk/cases/${built.tag}/collection`, contact, key);
    await Promise.all([post(), post()]);
    await succeed(post());
    expect(await storedEntries(app, built)).toHaveLength(1);
  });

  it('is only added to, and leaves the record of the application in order', async () => {
    await succeed(putOnRecord(built.officer, built, contact));
    await succeed(tellLate());
    const { db } = app.platform;
    await expect(db.deleteFrom('collection_entries').execute()).rejects.toThrow();
    await expect(db.updateTable('collection_entries').set({ note: 'Nothing' }).execute()).rejects.toThrow();
    await anchorAudit(app.platform);
    expect((await verifyAudit(app.platform)).faults).toEqual([]);
  });
});

describe('a dispute of the buyer', () => {
  const dispute = { kind: 'dispute', note: 'Half of the goods were broken' };

  it('is recorded with its reason, shown to the client, and ended by an officer', async () => {
    await succeed(putOnRecord(built.officer, built, dispute));
    const open = { since: '2026-11-20T09:00:00.000Z', reason: dispute.note };
    expect((await repaymentOf(built.client)).dispute).toEqual(open);
    await succeed(putOnRecord(built.officer, built, { kind: 'disputeEnded', note: 'They pay all of it' }));
    expect((await repaymentOf(built.client)).dispute).toBeNull();
  });

  it('is recorded once by officers who do so at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => putOnRecord(built.officer, built, dispute)));
    const codes = answers.map(({ body }) => body.code ?? 'done').sort();
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'ALREADY_DISPUTED'), 'done']);
    expect(await storedEntries(app, built)).toHaveLength(1);
  });

  it('is not ended where there is none', async () => {
    const answer = await putOnRecord(built.officer, built, { kind: 'disputeEnded', note: 'They pay all of it' });
    expect([answer.status, answer.body.code]).toEqual([409, 'NOT_DISPUTED']);
  });
});

describe('the lists of collecting', () => {
  it('hold an advance in the bucket of its days, and find it by its reference', async () => {
    const { repayment_reference: reference } = await caseRow(app, built);
    for (const [days, view] of [
      [7, 'days1To7'],
      [8, 'days8To30'],
      [31, 'days31To60'],
      [90, 'days61To90'],
      [91, 'daysOver90'],
    ] as const) {
      toDaysAfterDue(app, days);
      const { caller } = await freshOfficer(app);
      const typed = `${reference.slice(0, 4)}-${reference.slice(4)}`.toLowerCase();
      const { body } = await caller.post('/desk/queue', { view, searchPhrase: typed });
      expect(queueRow.array().parse(body)).toMatchObject([{ tag: built.tag, collection: { bucket: view } }]);
      const { body: counts } = await caller.get('/desk/counts');
      expect(counts).toMatchObject({ overdue: 1, [view]: 1 });
    }
  });
});
