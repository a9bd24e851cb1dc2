import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildClient, type Client, invoiceForm, postInvoice, saveInvoice } from '#server/invoices/invoices.harness.ts';
import { buildBusiness } from '#testing/builders.ts';
import { buildReviewedCase, onDesk, statusOf } from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/** A change by another server, or by hand in the database, affects the very next call of a session. */

const app = appOfFile();

function invoicesOf({ person }: Client) {
  return app.database.db.selectFrom('invoices').selectAll().where('created_by', '=', person.id).execute();
}

async function endSession({ person }: Client): Promise<void> {
  await app.database.db.deleteFrom('sessions').where('person_id', '=', person.id).execute();
}

describe('a session that ended or changed elsewhere', () => {
  it('saves nothing once another server has ended it', async () => {
    const client = await buildClient(app);
    await saveInvoice(client);
    await endSession(client);
    const refused = await postInvoice(client, invoiceForm(client), { 'idempotency-key': 'ended' });
    expect([refused.status, refused.body.code]).toEqual([401, 'NOT_SIGNED_IN']);
    expect(await invoicesOf(client)).toHaveLength(1);
    const keys = app.database.db.selectFrom('idempotency_keys').select('key').where('key', '=', 'ended');
    expect(await keys.execute()).toEqual([]);
  });

  it('is told that it has ended before what is wrong with its form, and reads nothing', async () => {
    const client = await buildClient(app);
    const { tag } = await saveInvoice(client);
    await endSession(client);
    expect((await postInvoice(client, { amount: 'much' })).body.code).toBe('NOT_SIGNED_IN');
    const read = await client.caller.get(`/invoices/${tag}`);
    expect([read.status, JSON.stringify(read.body).includes(tag)]).toEqual([401, false]);
  });

  it('decides nothing any more once the role is gone', async () => {
    const built = await buildReviewedCase(app);
    const { id } = built.officer.person;
    await app.database.db.updateTable('persons').set({ permissions: [] }).where('id', '=', id).execute();
    expect((await onDesk(built.officer, built.tag, 'approve')).body.code).toBe('FORBIDDEN');
    expect(await statusOf(app, built)).toBe('In Review');
  });

  it('sees the rows of the business where its person is now', async () => {
    const client = await buildClient(app);
    const { tag } = await saveInvoice(client);
    const other = await buildBusiness(app);
    await app.database.db
      .updateTable('persons')
      .set({ business_id: other.id })
      .where('id', '=', client.person.id)
      .execute();
    expect((await client.caller.get(`/invoices/${tag}`)).status).toBe(404);
    expect((await client.caller.post('/invoices/paged', { page: 1, searchPhrase: '' })).body).toEqual([]);
  });

  it('ends for all of many calls at once', async () => {
    const client = await buildClient(app);
    await saveInvoice(client);
    await endSession(client);
    const calls = Array.from({ length: 20 }, () => postInvoice(client, invoiceForm(client)));
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([401]));
    expect(await invoicesOf(client)).toHaveLength(1);
  });

  it('keeps what was done where its activity cannot be written down', async () => {
    const client = await buildClient(app);
    await saveInvoice(client);
    const owner = app.database.owner.db;
    await sql`create function refuse_activity() returns trigger language plpgsql as $$ begin raise 'planted'; end $$`.execute(
      owner,
    );
    await sql`create trigger refuse_activity before update on sessions execute function refuse_activity()`.execute(
      owner,
    );
    onTestFinished(async () => void (await sql`drop function refuse_activity() cascade`.execute(owner)));
    app.clock.advance(2);
    expect((await postInvoice(client, invoiceForm(client))).status).toBe(200);
    expect(await invoicesOf(client)).toHaveLength(2);
  });
});
