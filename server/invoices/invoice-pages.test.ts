import { CompiledQuery, sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { invoiceSorts } from '#contract/invoices/sorts.ts';
import { buildBusiness } from '#testing/builders.ts';
import { appOfFile, createTestApp } from '#testing/test-app.ts';
import { findMiscounts } from './invoice-counts.harness.ts';
import { type PageShape, pageStatement } from './invoice-page.queries.ts';
import { buildClient, type Client, saveApplication, saveInvoice } from './invoices.harness.ts';

/** Each page of a list has the rows at that position of the whole list, and every row carries the total. */

const app = appOfFile();
let client: Client;
let other: Client;
beforeAll(async () => {
  [client, other] = [await buildClient(app), await buildClient(app)];
  await fill(client, 75);
  await fill(other, 20);
});

/** Adds drafts and submitted invoices over seven months: some days have many, and a third have no application yet. */
async function fill({ person, buyer }: Client, rows: number): Promise<void> {
  await sql`insert into invoices (business_id, buyer_id, currency_id, invoice_number, invoice_number_key, invoice_date,
      face_value, status, listed_on, created_at, created_by, application_tag, application_version, application_reference,
      application_date, advance, financing_period_id, tenor_days, fee_rate_bps, discount_fee, net_proceeds,
      submitted_at, submitted_by, decision_target_ms, clock_runs_since, decide_by)
    select ${person.businessId}::integer, ${buyer.id}::integer, 1, 'P-' || n, ${`fill-${rows}-`} || n, '2026-01-01', 100000,
      status, day, now(), ${person.id}::integer, tag, version, tag, applied, advance, period, days, bps, advance / 10,
      advance - advance / 10, at, case when at is null then null else ${person.id}::integer end,
      case when at is null then null else 14400000 end, at, at
    from (select n, case when n % 3 = 0 then null else (1 + n * 7 % 11) * 1000 end as advance,
        date '2026-05-30' + (n * n * 13 % 190) / 9 * 9 as day, case when n % 3 = 1 then 'Submitted' else 'Draft' end as status
      from generate_series(1, ${sql.lit(rows)}) as n) as made,
      lateral (select case when advance is null then null else gen_random_uuid() end as tag,
        case when advance is null then null else 1 end as version, case when advance is null then null else day end as applied,
        case when advance is null then null else 3 end as period, case when advance is null then null else 30 end as days,
        case when advance is null then null else 1000 end as bps,
        case when status = 'Draft' then null else now() end as at) as application`.execute(app.platform.db);
}

interface Found {
  readonly tag: string;
  readonly total: number;
}

const SIZE = 13;

async function readPages(text: string, values: readonly unknown[]): Promise<Found[][]> {
  const pages: Found[][] = [];
  for (;;) {
    const { rows } = await app.platform.db.executeQuery<Found>(
      CompiledQuery.raw(text, [...values, pages.length * SIZE]),
    );
    if (rows.length === 0) return pages;
    pages.push(rows);
  }
}

/** The whole list at once, sorted independently of the product. */
async function wholeList({ sort, hasStatus }: PageShape, businessId: number | undefined): Promise<string[]> {
  const [direction, name] = sort.startsWith('-') ? ['desc', sort.slice(1)] : ['asc', sort];
  const columns = {
    date: sql`listed_on`,
    applied: sql`coalesce(advance, 0)`,
    received: sql`coalesce(net_proceeds, 0)`,
  };
  const column = name === 'date' || name === 'applied' ? columns[name] : columns.received;
  const { rows } = await sql<Found>`select tag from invoices
    where (${businessId ?? null}::integer is null or business_id = ${businessId ?? null}::integer)
      and (status = 'Draft' or not ${hasStatus}::boolean)
    order by (${column}) ${sql.raw(direction)}, id ${sql.raw(direction)}`.execute(app.platform.db);
  return rows.map(({ tag }) => tag);
}

async function expectSamePages(): Promise<void> {
  const { businessId } = client.person;
  const lists = [
    { whose: 'all', ofBusiness: undefined, value: [] },
    { whose: 'own', ofBusiness: businessId, value: [businessId] },
    { whose: 'named', ofBusiness: businessId, value: [client.business.tag] },
  ] as const;
  for (const { whose, ofBusiness, value } of lists) {
    for (const sort of invoiceSorts) {
      for (const hasStatus of [false, true]) {
        const shape: PageShape = { whose, sort, hasStatus, size: SIZE };
        const pages = await readPages(pageStatement(shape), [...value, ...(hasStatus ? ['Draft'] : [])]);
        expectWhole(pages, await wholeList(shape, ofBusiness), JSON.stringify(shape));
      }
    }
  }
}

function expectWhole(pages: readonly Found[][], whole: readonly string[], of: string): void {
  expect(
    pages.flat().map(({ tag }) => tag),
    of,
  ).toEqual(whole);
  expect(new Set(pages.flat().map(({ total }) => total))).toEqual(new Set([whole.length]));
  expect(pages.slice(0, -1).every((page) => page.length === SIZE)).toBe(true);
}

async function expectCountsRight(): Promise<void> {
  expect(await findMiscounts(app.platform.db)).toEqual([]);
}

describe('the pages of a list', () => {
  it('are the whole list, for every list and order', async () => {
    await expectSamePages();
  });

  it('are exact after rows came, went and moved, one by one and many at once', async () => {
    const { db } = app.platform;
    const { tag } = await saveInvoice(client);
    await saveApplication(client, tag, { applicationDate: '2026-03-01' });
    await db.deleteFrom('invoices').where('invoice_number', 'in', ['P-3', 'P-14', 'P-15']).execute();
    await sql`update invoices set listed_on = listed_on - 40 where id % 5 = 0`.execute(db);
    await fill(client, 11);
    await expectCountsRight();
    await expectSamePages();
  });

  it('are empty without invoices', async () => {
    const empty = await createTestApp();
    onTestFinished(() => empty.close());
    const text = pageStatement({ whose: 'all', sort: '-date', hasStatus: false, size: SIZE });
    expect((await empty.platform.db.executeQuery(CompiledQuery.raw(text, [0]))).rows).toEqual([]);
  });
});

describe('while others save, delete and date', () => {
  it('a page and its total are of one moment, and all are counted in the end', async () => {
    const busy = await buildClient(app);
    const writers = Array.from({ length: 6 }, async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        const { tag } = await saveInvoice(busy);
        await saveApplication(busy, tag, { applicationDate: '2026-10-03' });
        if (turn % 2 === 0) await busy.caller.call({ method: 'DELETE', url: `/invoices/${tag}` });
      }
    });
    let isDone = false;
    const done = Promise.all(writers).finally(() => {
      isDone = true;
    });
    const own: PageShape = { whose: 'own', sort: '-date', hasStatus: false, size: 100 };
    const all: PageShape = { ...own, whose: 'all' };
    while (!isDone) {
      for (const [shape, values] of [
        [own, [busy.person.businessId, 0]],
        [all, [100]],
      ] as const) {
        const { rows } = await app.platform.db.executeQuery<Found>(
          CompiledQuery.raw(pageStatement(shape), [...values]),
        );
        const passed = shape === all ? 100 : 0;
        expect(rows.length + passed).toBe(Math.min(rows[0]?.total ?? 0, 100 + passed));
      }
    }
    await done;
    const { body } = await busy.caller.post('/invoices/paged', { businessTag: busy.business.tag });
    expect(body[0].total).toBe(12);
    await expectCountsRight();
  });

  it('concurrent savers of many invoices, for many clients, never deadlock', async () => {
    const { db } = app.platform;
    const owners: number[] = [];
    while (owners.length < 32) owners.push((await buildBusiness(app)).id);
    // Each line has its own clients, in one transaction; adjacent lines go through them in opposite order.
    const lines = [0, 1, 2, 3].map((line) => owners.slice(line * 8, line * 8 + 8));
    const saves = lines.map((line, place) =>
      db.inTransaction(async (transaction) => {
        for (const businessId of place % 2 === 0 ? line : line.toReversed()) {
          await sql`insert into invoices (business_id, buyer_id, currency_id, invoice_number, invoice_number_key, invoice_date,
              face_value, listed_on, created_at, created_by)
            values (${businessId}, ${client.buyer.id}, 1, 'LINE', 'line', '2026-01-01', 100000, current_date, now(),
              ${client.person.id})`.execute(transaction);
        }
      }),
    );
    expect((await Promise.allSettled(saves)).map(({ status }) => status)).toEqual(saves.map(() => 'fulfilled'));
    await expectCountsRight();
  });
});
