import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyAudit } from '#server/audit/audit.service.ts';
import {
  applicationForm,
  buildClient,
  type Client,
  eventsOf,
  invoiceForm,
  postApplication,
  postInvoice,
  rowOf,
  saveInvoice,
} from '#server/invoices/invoices.harness.ts';
import { buildReadyInvoice, buildSignedIn } from '#server/testing/builders.ts';
import { countingWays, generally } from '#server/testing/hot-ways.ts';
import { type Answer, createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { until } from '#server/testing/until.ts';

/** Saves in one statement against each other and against everything else, for real; and what they leave to the general way. */

let app: TestApp;
let client: Client;
let invoiceTag: string;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(async () => {
  expect((await verifyAudit(app.platform)).faults).toEqual([]);
  await app.close();
});
beforeEach(async () => {
  client = await buildClient(app);
  invoiceTag = (await saveInvoice(client)).tag;
});

const newKey = () => ({ 'idempotency-key': randomUUID() });

function change(amount: number, headers?: Record<string, string>, version = 1): Promise<Answer> {
  return postInvoice(client, invoiceForm(client, { tag: invoiceTag, version, invoiceNumber: 'R-1', amount }), headers);
}

function codes(answers: readonly Answer[]): string[] {
  return answers.map(({ status, body }) => (status === 200 ? 'saved' : body.code)).toSorted();
}

function keysOf({ person }: Client): Promise<{ key: string; reply: unknown }[]> {
  const keys = app.platform.db.selectFrom('idempotency_keys').select(['key', 'reply']);
  return keys.where('person_id', '=', person.id).execute();
}

describe('at the same time', () => {
  it('twenty changes of one version, each with a key: one is made, and only its key is kept', async () => {
    const sent = Array.from({ length: 20 }, (_, index) => change(index + 1, newKey()));
    expect(codes(await Promise.all(sent))).toEqual([...Array(19).fill('STALE_VERSION'), 'saved']);
    expect((await rowOf(app, invoiceTag)).version).toBe(2);
    expect(await eventsOf(app, invoiceTag)).toHaveLength(2);
    expect(await keysOf(client)).toHaveLength(1);
  });

  it('one change twenty times under one key: one is made, and all get its answer', async () => {
    const headers = newKey();
    const answers = await Promise.all(Array.from({ length: 20 }, () => change(7, headers)));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]?.body.data).toMatchObject({ version: 2, invoice: { amount: 7 } });
    expect(await eventsOf(app, invoiceTag)).toHaveLength(2);
    const mismatch = await change(8, headers, 2);
    expect(codes([mismatch])).toEqual(['IDEMPOTENCY_MISMATCH']);
  });

  it('changes of invoice and application do not lose each other', async () => {
    const form = applicationForm(invoiceTag, { amountAppliedFor: 1000, feesCharged: 110, amountReceived: 890 });
    const { body } = await postApplication(client, form);
    const changed = { ...form, tag: body.data.tag, version: 1, amountAppliedFor: 2000, feesCharged: 220 };
    const answers = await Promise.all([
      change(2_000_000, newKey()),
      postApplication(client, { ...changed, amountReceived: 1780 }, newKey()),
    ]);
    expect(codes(answers)).toEqual(['saved', 'saved']);
    const row = await rowOf(app, invoiceTag);
    expect([row.face_value, row.version, row.advance, row.application_version]).toEqual([200_000_000, 2, 200_000, 2]);
  });

  it('saves and a submission: what was submitted is what the last event before it says', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { tag, invoiceNumber, buyerId } = await buildReadyInvoice(app, client.person);
      const form = { tag, version: 1, invoiceNumber, buyerId, amount: 1_500_000 };
      const submit = () => client.caller.post(`/applications/${tag}/submit`);
      const save = () => postInvoice(client, invoiceForm(client, form), newKey());
      const [first, second] = await Promise.all(round % 2 === 0 ? [save(), submit()] : [submit(), save()]);
      const [saved, submitted] = round % 2 === 0 ? [first, second] : [second, first];
      expect(submitted.status).toBe(200);
      expect(codes([saved])).toEqual([saved.status === 200 ? 'saved' : 'NOT_EDITABLE']);
      const actions = (await eventsOf(app, tag)).map(({ action }) => action);
      expect(actions).toEqual([...(saved.status === 200 ? ['invoice.changed'] : []), 'application.submit']);
      expect((await rowOf(app, tag)).face_value).toBe(saved.status === 200 ? 150_000_000 : 100_000_000);
    }
  });

  it('saves and a log-out or a deactivation: each is made whole or refused', async () => {
    const endings: Record<string, RawBuilder<unknown>> = {
      'log-out': sql`delete from sessions where person_id = ${client.person.id}`,
      deactivation: sql`update persons set status = 'Deactivated', permissions = '{}' where id = ${client.person.id}`,
    };
    for (const ending of Object.values(endings)) {
      client = { ...(await buildClient(app)) };
      const saves = Array.from({ length: 12 }, () => postInvoice(client, invoiceForm(client), newKey()));
      const answers = await Promise.all([...saves, ending.execute(app.platform.db).then(() => undefined)]);
      const saved = answers.filter((answer) => answer?.status === 200);
      const refused = answers.filter((answer) => answer?.status === 401);
      expect(saved.length + refused.length).toBe(12);
      expect(await keysOf(client)).toHaveLength(saved.length);
    }
  });
});

/** Holds the invoice's row, lets a save come to wait for it, changes the row, and lets go: the save's answer. */
async function overtaken(save: () => Promise<Answer>, meanwhile: RawBuilder<unknown>): Promise<Answer> {
  const { db } = app.platform;
  const waiting = await db.transaction().execute(async (holder) => {
    await sql`select from invoices where tag = ${invoiceTag} for update`.execute(holder);
    const answer = save();
    await until(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length > 0;
    });
    await meanwhile.execute(holder);
    return { answer };
  });
  return waiting.answer;
}

describe('a save that another one overtakes while it waits', () => {
  it.each([
    ['changed', sql`update invoices set face_value = 5, version = version + 1`, 'STALE_VERSION'],
    [
      'submitted',
      sql`update invoices set status = 'Submitted', submitted_at = now(), submitted_by = created_by, decide_by = now(),
        decision_target_ms = 1, clock_runs_since = now()`,
      'NOT_EDITABLE',
    ],
    ['deleted', sql`delete from invoices`, 'NOT_FOUND'],
  ])('finds it %s and has done nothing, with a key or without', async (_, statement, code) => {
    for (const headers of [newKey(), undefined]) {
      invoiceTag = (await buildReadyInvoice(app, client.person)).tag;
      const { result, ...ways } = await countingWays(() =>
        overtaken(() => change(9, headers), sql`${statement} where tag = ${invoiceTag}`),
      );
      expect(codes([result])).toEqual([code]);
      expect(ways).toEqual({ fast: 0, left: 1 });
      expect(await eventsOf(app, invoiceTag)).toEqual([]);
    }
    expect(await keysOf(client)).toEqual([]);
  });

  it('is made where what changed is not its business', async () => {
    const unseen = sql`update invoices set listed_on = '2026-01-01' where tag = ${invoiceTag}`;
    const { result, fast } = await countingWays(() => overtaken(() => change(9, newKey()), unseen));
    expect([result.status, fast]).toEqual([200, 1]);
    expect(await rowOf(app, invoiceTag)).toMatchObject({ version: 2, listed_on: '2026-01-01' });
  });

  it('finds an application that was made meanwhile', async () => {
    const form = applicationForm(invoiceTag, { amountAppliedFor: 1000, feesCharged: 110, amountReceived: 890 });
    await postApplication(client, form); // the server knows the tenor now
    invoiceTag = (await saveInvoice(client)).tag;
    const other = applicationForm(invoiceTag, { amountAppliedFor: 1000, feesCharged: 110, amountReceived: 890 });
    const copied = sql`update invoices set application_tag = gen_random_uuid(), application_version = 1,
      application_reference = gen_random_uuid(), application_date = '2026-01-01', advance = 1, financing_period_id = 1,
      tenor_days = 7, fee_rate_bps = 300, discount_fee = 0.03, net_proceeds = 0.97 where tag = ${invoiceTag}`;
    const { result, ...ways } = await countingWays(() =>
      overtaken(() => postApplication(client, other, newKey()), copied),
    );
    expect(ways).toEqual({ fast: 0, left: 1 });
    expect(codes([result])).toEqual(['REFERENCE_CHANGED']);
    expect(await keysOf(client)).toEqual([]);
  });
});

describe('is left to the general way', () => {
  async function left(work: () => Promise<Answer>): Promise<string> {
    const { result, fast } = await countingWays(work);
    expect(fast).toBe(0);
    return codes([result])[0] ?? '';
  }

  it('what is not one’s own, whoever asks', async () => {
    const other = await buildClient(app);
    const foreign = (await saveInvoice(other)).tag;
    const form = { tag: foreign, version: 1 };
    expect(await left(() => postInvoice(client, invoiceForm(client, form)))).toBe('NOT_FOUND');
    const named = { ...form, businessTag: other.business.tag };
    expect(await left(() => postInvoice(client, invoiceForm(client, named)))).toBe('NOT_YOUR_BUSINESS');
    const { businessTag: _, ...own } = invoiceForm(other, form);
    const body = { userTag: other.person.tag, invoice: own };
    expect(await left(() => client.caller.post('/invoices', body))).toBe('FORBIDDEN');
    for (const perms of [['KSTAF'], ['BIDA', 'KADMIN']] as const) {
      const { caller } = await buildSignedIn(app, { perms, businessId: other.business.id });
      expect(await left(() => caller.post('/invoices', { invoice: own }))).toBe('FORBIDDEN');
    }
    const { caller: nobody } = await buildSignedIn(app, { status: 'Verified' });
    expect(await left(() => nobody.post('/invoices', { invoice: own }))).toBe('FORBIDDEN');
    expect((await rowOf(app, foreign)).version).toBe(1);
  });

  it('a price that was guessed from an invoice or a tenor that is another now', async () => {
    const form = { amountAppliedFor: 900_000, feesCharged: 99_000, amountReceived: 801_000 };
    const first = await postApplication(client, applicationForm(invoiceTag, { ...form, reference: invoiceTag }));
    const again = {
      ...form,
      reference: invoiceTag,
      tag: first.body.data.tag,
      version: 1,
      applicationDate: '2026-11-19',
    };
    await sql`update invoices set face_value = 900000 where tag = ${invoiceTag}`.execute(app.platform.db);
    expect(await left(() => postApplication(client, applicationForm(invoiceTag, again)))).toBe('ADVANCE_ABOVE_MAXIMUM');
    await sql`update invoices set face_value = 1000000 where tag = ${invoiceTag}`.execute(app.platform.db);
    await sql`update financing_periods set days = 31 where id = 3`.execute(app.platform.db);
    expect(await left(() => postApplication(client, applicationForm(invoiceTag, again)))).toBe('QUOTE_MISMATCH');
    await sql`update financing_periods set days = 30 where id = 3`.execute(app.platform.db);
    expect((await rowOf(app, invoiceTag)).application_version).toBe(1);
    const { result, fast } = await countingWays(() => postApplication(client, applicationForm(invoiceTag, again)));
    expect([result.status, fast]).toEqual([200, 1]);
  });

  it('a save without its version, one that changes nothing, and a key that was used', async () => {
    const headers = newKey();
    const form = invoiceForm(client, { tag: invoiceTag, amount: 3 });
    expect(await left(() => postInvoice(client, form))).toBe('saved');
    expect(await left(() => postInvoice(client, { ...form, version: 2 }, headers))).toBe('saved');
    expect((await rowOf(app, invoiceTag)).version).toBe(2);
    const other = { ...form, version: 2, amount: 4 };
    expect(await left(() => postInvoice(client, other, headers))).toBe('IDEMPOTENCY_MISMATCH');
    const made = await generally(() => postInvoice(client, other, { 'idempotency-key': 'one' }));
    const repeated = await countingWays(() => postInvoice(client, other, { 'idempotency-key': 'one' }));
    expect([repeated.fast, repeated.result.body]).toEqual([0, made.body]);
  });
});
