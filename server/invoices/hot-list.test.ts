import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoiceSorts } from '#contract/invoices/sorts.ts';
import { buildClient, type Client, saveInvoice } from '#server/invoices/invoices.harness.ts';
import { buildSignedIn } from '#server/testing/builders.ts';
import { buildDisbursedCase } from '#server/testing/case-builders.ts';
import { countingWays, generally } from '#server/testing/hot-ways.ts';
import { createTestApp, type TestApp, type TestCaller } from '#server/testing/test-app.ts';

/** A page in one statement with its session is the page of the general way. */

let app: TestApp;
let client: Client;
let other: Client;
let staff: TestCaller;
beforeAll(async () => {
  app = await createTestApp();
  [client, other] = [await buildClient(app), await buildClient(app)];
  staff = (await buildSignedIn(app, { perms: ['KSTAF'] })).caller;
  await fill(client, 1_204);
  await fill(other, 31);
});
afterAll(() => app.close());

/** Drafts over four months, of which nothing tells one day's from each other but their ids. */
async function fill({ person, buyer }: Client, rows: number): Promise<void> {
  await sql`insert into invoices (business_id, buyer_id, currency_id, invoice_number, invoice_number_key, invoice_date,
      face_value, status, listed_on, created_at, created_by)
    select ${person.businessId}::integer, ${buyer.id}::integer, 1, 'H-' || n, 'h-' || n, '2026-01-01', 100000, 'Draft',
      date '2026-08-01' + n * 37 % 111, now(), ${person.id}::integer
    from generate_series(1, ${sql.lit(rows)}) as n`.execute(app.platform.db);
}

async function list(caller: TestCaller, body: unknown) {
  const { status, body: rows } = await caller.post('/invoices/paged', body);
  expect(status).toBe(200);
  return rows;
}

it('says how late an advance is and what of it is outstanding, from the day after its date, either way', async () => {
  const { tag, id, client: owner } = await buildDisbursedCase(app);
  const named = await app.platform.db
    .selectFrom('businesses')
    .select('tag as businessTag')
    .where('id', '=', owner.person.businessId)
    .executeTakeFirstOrThrow();
  const overdueSince = async (date: string) => {
    await app.platform.db.updateTable('invoices').set({ due_on: date }).where('id', '=', id).execute();
    const read = () => Promise.all([list(owner.caller, named), list(owner.caller, { ...named, searchPhrase: 'I' })]);
    const [[atOnce], [found]] = await read();
    expect(atOnce).toMatchObject({ tag, status: 'Disbursed' });
    expect([atOnce, found]).toEqual([(await generally(read))[0][0], atOnce]);
    return atOnce.overdue;
  };
  expect(await overdueSince('2026-11-20')).toBeUndefined();
  expect(await overdueSince('2026-11-19')).toEqual({ days: 1, outstanding: 900_000 });
  expect(await overdueSince('2026-11-09')).toEqual({ days: 11, outstanding: 900_000 });
});

/** The first pages, some that are far from both ends, the last one, and one past it. */
const PAGES = [1, 52, 80, 121, 124];

describe('a page at once', () => {
  it('is that of the general way, for every list, order and status', async () => {
    const callers = [
      { caller: client.caller, businessTag: client.business.tag },
      { caller: staff, businessTag: client.business.tag.toUpperCase() },
      { caller: staff, businessTag: '' },
    ];
    for (const { caller, businessTag } of callers) {
      for (const [index, sort] of invoiceSorts.entries()) {
        // With a status every other page, so that each order has both.
        const bodies = PAGES.map((page) => ({
          page,
          sort,
          businessTag,
          status: (page + index) % 3 === 0 ? 'Draft' : '',
        }));
        const { result, fast } = await countingWays(() => Promise.all(bodies.map((body) => list(caller, body))));
        expect(fast).toBe(result.filter((rows) => rows.length > 0).length);
        expect(fast).toBeGreaterThanOrEqual(PAGES.length - 1);
        expect(result).toEqual(await generally(() => Promise.all(bodies.map((body) => list(caller, body)))));
      }
    }
  });

  it('is read so for staff, and for clients who name their business; all else goes the general way', async () => {
    const named = { businessTag: client.business.tag };
    const ways = async (caller: TestCaller, body: unknown) => {
      const { fast, left } = await countingWays(() => list(caller, body));
      return { fast, left };
    };
    const [atOnce, generalOnly, both] = [
      { fast: 1, left: 0 },
      { fast: 0, left: 0 },
      { fast: 0, left: 1 },
    ];
    expect(await ways(client.caller, named)).toEqual(atOnce);
    expect(await ways(staff, named)).toEqual(atOnce);
    expect(await ways(staff, {})).toEqual(atOnce);
    expect(await ways(staff, { status: 'Draft', sort: 'received' })).toEqual(atOnce);
    expect(await ways(client.caller, {})).toEqual(both);
    expect(await ways(client.caller, { ...named, status: 'Settled' })).toEqual(both); // nothing found
    expect(await ways(client.caller, { ...named, searchPhrase: 'H-1' })).toEqual(generalOnly);
    expect(await ways(client.caller, { ...named, size: 11 })).toEqual(generalOnly);
  });
});

describe('whose rows', () => {
  it('a client never sees another’s, however they ask', async () => {
    const foreign = new Set((await list(staff, { businessTag: other.business.tag, size: 100 })).map(tagOf));
    expect(foreign.size).toBe(31);
    for (const sort of invoiceSorts) {
      for (const status of ['', 'Draft']) {
        for (const page of [1, 60, 121]) {
          const named = { sort, status, page, businessTag: client.business.tag };
          for (const body of [named, { ...named, businessTag: '' }]) {
            const rows: unknown[] = await list(client.caller, body);
            expect(rows.map(tagOf).filter((tag) => foreign.has(tag))).toEqual([]);
          }
          for (const businessTag of [other.business.tag, randomUUID()]) {
            const answer = await client.caller.post('/invoices/paged', { ...named, businessTag });
            expect([answer.status, answer.body.code]).toEqual([403, 'NOT_YOUR_BUSINESS']);
          }
        }
      }
    }
  });

  it('somebody without a permission, deactivated or logged off is refused, with or without a business’s tag', async () => {
    const { caller: nobody } = await buildSignedIn(app);
    const gone = await buildClient(app);
    await saveInvoice(gone);
    const named = { businessTag: gone.business.tag };
    expect(await list(gone.caller, named)).toHaveLength(1);
    await app.platform.db
      .updateTable('persons')
      .set({ status: 'Deactivated', permissions: [] })
      .where('id', '=', gone.person.id)
      .execute();
    for (const body of [{}, named]) {
      expect((await gone.caller.post('/invoices/paged', body)).status).toBe(401);
      expect((await nobody.post('/invoices/paged', body)).status).toBe(403);
      expect((await app.visitor().post('/invoices/paged', body)).status).toBe(401);
    }
  });

  it('staff without the second factor that they need see nothing', async () => {
    const strict = await createTestApp({ SECOND_FACTOR: 'required' });
    try {
      const owner = await buildClient(strict);
      await saveInvoice(owner);
      const { caller } = await buildSignedIn(strict, { perms: ['KSTAF'] });
      for (const body of [{}, { businessTag: owner.business.tag }]) {
        const { status, body: answer } = await caller.post('/invoices/paged', body);
        expect([status, answer.code]).toEqual([403, 'SECOND_FACTOR_NEEDED']);
      }
    } finally {
      await strict.close();
    }
  });
});

function tagOf(row: unknown): unknown {
  return Reflect.get(Object(row), 'tag');
}
