import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
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
import { buildReadyInvoice } from '#testing/builders.ts';
import { type Answer, appOfFile } from '#testing/test-app.ts';
import { until } from '#testing/until.ts';

/** Saves that race each other and every other change, over real connections. */

const app = appOfFile();
let client: Client;
let invoiceTag: string;
afterAll(async () => {
  expect((await verifyAudit(app.platform)).faults).toEqual([]);
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

/** Locks the invoice's row, lets a save wait for it, changes the row, and commits. Returns the save's reply. */
async function overtaken(save: () => Promise<Answer>, meanwhile: RawBuilder<unknown>): Promise<Answer> {
  const { db } = app.platform;
  const waiting = await db.inTransaction(async (holder) => {
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
      const result = await overtaken(() => change(9, headers), sql`${statement} where tag = ${invoiceTag}`);
      expect(codes([result])).toEqual([code]);
      expect(await eventsOf(app, invoiceTag)).toEqual([]);
    }
    expect(await keysOf(client)).toEqual([]);
  });

  it('is made where what changed is not its business', async () => {
    const unseen = sql`update invoices set listed_on = '2026-01-01' where tag = ${invoiceTag}`;
    const result = await overtaken(() => change(9, newKey()), unseen);
    expect(result.status).toBe(200);
    expect(await rowOf(app, invoiceTag)).toMatchObject({ version: 2, listed_on: '2026-01-01' });
  });

  it('finds an application that was created while it waited', async () => {
    const form = applicationForm(invoiceTag, { amountAppliedFor: 1000, feesCharged: 110, amountReceived: 890 });
    const copied = sql`update invoices set application_tag = gen_random_uuid(), application_version = 1,
      application_reference = gen_random_uuid(), application_date = '2026-01-01', advance = 1, financing_period_id = 1,
      tenor_days = 7, fee_rate_bps = 300, discount_fee = 0.03, net_proceeds = 0.97 where tag = ${invoiceTag}`;
    const result = await overtaken(() => postApplication(client, form, newKey()), copied);
    expect(codes([result])).toEqual(['REFERENCE_CHANGED']);
    expect(await keysOf(client)).toEqual([]);
  });
});
