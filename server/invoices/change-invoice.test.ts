import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildBusiness, buildInvoice, buildReadyInvoice, buildSignedIn } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import {
  buildClient,
  type Client,
  eventsOf,
  invoiceForm,
  postInvoice,
  rowOf,
  saveApplication,
  saveInvoice,
} from './invoices.harness.ts';

const app = appOfFile();
let client: Client;
beforeEach(async () => {
  client = await buildClient(app);
});

describe('an own draft', () => {
  it('is changed, its version counts on, and the record has before and after', async () => {
    const { tag } = await saveInvoice(client, { invoiceNumber: 'INV-1' });
    const otherBuyer = await buildBusiness(app, { kind: 'buyer' });
    const change = {
      tag,
      version: 1,
      invoiceNumber: 'INV-2',
      date: '2026-11-01',
      currencyId: 2,
      buyerId: otherBuyer.id,
      amount: 0.5,
    };
    const answer = await postInvoice(client, invoiceForm(client, change));
    expect(answer.body).toEqual({ success: true, data: { tag, version: 2, invoice: { tag, amount: 0.5 } } });
    const { body } = await client.caller.get(`/invoices/${tag}`);
    expect(body).toMatchObject({ ...change, version: 2 });
    const events = await eventsOf(app, tag);
    expect(events.map(({ action }) => action)).toEqual(['invoice.created', 'invoice.changed']);
    expect(events[1]).toMatchObject({
      before: { invoiceNumber: 'INV-1', faceValue: 100_000_000 },
      after: {
        invoiceNumber: 'INV-2',
        invoiceDate: '2026-11-01',
        currencyId: 2,
        buyerId: otherBuyer.id,
        faceValue: 50,
      },
    });
  });

  it('is changed in place when its amount alone is: no index is written', async () => {
    const { tag } = await saveInvoice(client);
    const counts = sql<{ updated: number; inPlace: number }>`
      select n_tup_upd::integer as updated, n_tup_hot_upd::integer as "inPlace"
      from pg_stat_xact_user_tables where relname = 'invoices'`;
    // Statistics may not include the connection's earlier work yet.
    const [before, after] = await app.platform.db.inTransaction(async (change) => {
      const first = await counts.execute(change);
      await sql`update invoices set face_value = face_value + 1, version = version + 1 where tag = ${tag}`.execute(
        change,
      );
      return [first.rows[0], (await counts.execute(change)).rows[0]];
    });
    expect(after).toEqual({ updated: (before?.updated ?? 0) + 1, inPlace: (before?.inPlace ?? 0) + 1 });
  });

  it('is unchanged by an identical save: no version, no event', async () => {
    const form = invoiceForm(client);
    const { tag } = await saveInvoice(client, form);
    for (const version of [1, undefined]) {
      const answer = await postInvoice(client, { ...form, tag, version });
      expect(answer.body.data).toEqual({ tag, version: 1, invoice: { tag, amount: 1_000_000 } });
    }
    expect(await eventsOf(app, tag)).toHaveLength(1);
  });

  it('is not changed by a stale version, and without one is', async () => {
    const { tag } = await saveInvoice(client);
    await saveInvoice(client, { tag, version: 1, amount: 2_000_000 });
    const stale = await postInvoice(
      client,
      invoiceForm(client, { tag, version: 1, amount: 3_000_000, buyerId: 999_999 }),
    );
    expect(stale.status).toBe(409);
    expect(stale.body).toEqual({
      success: false,
      code: 'STALE_VERSION',
      msg: 'Somebody changed this elsewhere. Load it again to see the latest',
    });
    expect((await rowOf(app, tag)).face_value).toBe(200_000_000);
    expect((await saveInvoice(client, { tag, amount: 4_000_000 })).version).toBe(3);
  });

  it('keeps an inactive buyer, but does not get one', async () => {
    const { tag } = await saveInvoice(client);
    await app.platform.db.updateTable('businesses').set({ active: false }).where('id', '=', client.buyer.id).execute();
    expect((await saveInvoice(client, { tag, amount: 5_000_000 })).version).toBe(2);
    const otherBuyer = await buildBusiness(app, { kind: 'buyer' });
    await saveInvoice(client, { tag, buyerId: otherBuyer.id });
    expect((await postInvoice(client, invoiceForm(client, { tag }))).status).toBe(422);
  });

  it('may be named by its application’s tag', async () => {
    const { tag } = await saveInvoice(client);
    const application = await saveApplication(client, tag);
    const saved = await saveInvoice(client, { tag: application.tag, amount: 1_500_000 });
    expect(saved).toEqual({ tag, version: 2, invoice: { tag, amount: 1_500_000 } });
  });

  it('is not changed after submission, whatever else is wrong', async () => {
    const { tag } = await buildReadyInvoice(app, client.person);
    await client.caller.post(`/applications/${tag}/submit`);
    const stored = await rowOf(app, tag);
    const answer = await postInvoice(client, invoiceForm(client, { tag, version: 99, buyerId: client.business.id }));
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({
      success: false,
      code: 'NOT_EDITABLE',
      msg: 'This application has been submitted and can no longer be changed',
    });
    expect(await rowOf(app, tag)).toEqual(stored);
  });
});

describe('deleting', () => {
  it('removes an own draft with its documents, and frees its number', async () => {
    const invoice = await buildReadyInvoice(app, client.person);
    const { caller } = client;
    expect((await caller.call({ method: 'DELETE', url: `/invoices/${invoice.tag}` })).body).toEqual({ success: true });
    expect((await caller.get(`/invoices/${invoice.tag}`)).status).toBe(404);
    const documents = app.platform.db.selectFrom('documents').selectAll().where('invoice_id', '=', invoice.id);
    expect(await documents.execute()).toEqual([]);
    expect((await eventsOf(app, invoice.tag)).at(-1)).toMatchObject({
      action: 'invoice.deleted',
      actor_tag: client.person.tag,
      before: { invoiceNumber: invoice.invoiceNumber, application: { advance: 90_000_000 } },
      after: null,
    });
    expect((await caller.call({ method: 'DELETE', url: `/invoices/${invoice.tag}` })).status).toBe(404);
    await saveInvoice(client, { invoiceNumber: invoice.invoiceNumber, buyerId: invoice.buyerId });
  });

  it('ends the record of each of its documents too', async () => {
    const { id, tag } = await buildReadyInvoice(app, client.person);
    const columns = ['tag', 'document_type_id as typeId', 'file_name as fileName', 'sha256'] as const;
    const documents = app.platform.db.selectFrom('documents').select(columns).where('invoice_id', '=', id);
    const stored = await documents.execute();
    expect(stored).toHaveLength(3);
    await client.caller.call({ method: 'DELETE', url: `/invoices/${tag}` });
    for (const { tag: documentTag, typeId, fileName, sha256 } of stored)
      expect(await eventsOf(app, documentTag)).toMatchObject([
        {
          action: 'document.deleted',
          actor_tag: client.person.tag,
          before: { invoiceTag: tag, typeId, fileName, sha256: sha256.toString('hex') },
          after: null,
        },
      ]);
  });

  it('leaves a submitted one', async () => {
    const { tag } = await buildReadyInvoice(app, client.person);
    await client.caller.post(`/applications/${tag}/submit`);
    const answer = await client.caller.call({ method: 'DELETE', url: `/invoices/${tag}` });
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe('NOT_EDITABLE');
    expect((await client.caller.get(`/invoices/${tag}`)).status).toBe(200);
  });

  it('is not for staff', async () => {
    const { tag } = await buildInvoice(app, client.person);
    const { caller } = await buildSignedIn(app, { perms: ['KADMIN'] });
    expect((await caller.call({ method: 'DELETE', url: `/invoices/${tag}` })).status).toBe(403);
    expect((await caller.get(`/invoices/${tag}`)).body.tag).toBe(tag);
  });
});

describe('changes of one draft', () => {
  it('a repeated change under its key answers as at first instead of being stale', async () => {
    const { tag } = await saveInvoice(client);
    const form = invoiceForm(client, { tag, version: 1, amount: 2_000_000 });
    const headers = { 'idempotency-key': randomUUID() };
    const [first, repeat] = [await postInvoice(client, form, headers), await postInvoice(client, form, headers)];
    expect(first.body).toEqual({ success: true, data: { tag, version: 2, invoice: { tag, amount: 2_000_000 } } });
    expect(repeat.body).toEqual(first.body);
    expect((await postInvoice(client, form)).body.code).toBe('STALE_VERSION');
  });

  it('ten changes of one version are one change and nine refusals', async () => {
    const { tag } = await saveInvoice(client);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        postInvoice(client, invoiceForm(client, { tag, version: 1, amount: 100 + index })),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'STALE_VERSION')).toHaveLength(9);
    expect((await rowOf(app, tag)).version).toBe(2);
    expect(await eventsOf(app, tag)).toHaveLength(2);
  });
});
