import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildBusiness, buildInvoice, buildReadyInvoice, buildSignedIn } from '#testing/builders.ts';
import { appOfFile, createTestApp, type TestApp, type TestCaller } from '#testing/test-app.ts';
import { buildClient, type Client, saveApplication, saveInvoice } from './invoices.harness.ts';

const app = appOfFile();
let client: Client;
let staff: TestCaller;
beforeEach(async () => {
  client = await buildClient(app);
  staff = (await buildSignedIn(app, { perms: ['KSTAF'] })).caller;
});

interface Row {
  readonly tag: string;
  readonly invoice_number: string;
  readonly status: string;
  readonly total?: number;
}

async function list(caller: TestCaller, body?: unknown): Promise<Row[]> {
  const answer = await caller.post('/invoices/paged', body);
  expect(answer.status).toBe(200);
  return answer.body;
}

async function numbers(caller: TestCaller, body?: unknown): Promise<string[]> {
  return (await list(caller, body)).map(({ invoice_number }) => invoice_number);
}

async function totalOf(caller: TestCaller, body?: unknown): Promise<number> {
  return (await list(caller, body))[0]?.total ?? 0;
}

describe('a row', () => {
  it('shows the invoice, its application and the two businesses', async () => {
    const { tag } = await saveInvoice(client, { invoiceNumber: 'INV-1', amount: 1_000_000.5, currencyId: 2 });
    const draft = {
      tag,
      invoice_number: 'INV-1',
      amount: 1_000_000.5,
      currency: 'USD',
      owner: client.business.name,
      status: 'Draft',
      application_date: null,
      amount_applied_for: null,
      amount_received: null,
      fees_charged: null,
      buyer: client.buyer.name,
      total: 1,
    };
    expect(await list(client.caller, { page: 1, businessTag: client.business.tag })).toEqual([draft]);
    await saveApplication(client, tag, { applicationDate: '2026-11-19' });
    const applied = {
      ...draft,
      application_date: '2026-11-19',
      amount_applied_for: 900_000,
      amount_received: 801_000,
      fees_charged: 99_000,
    };
    expect(await list(client.caller)).toEqual([applied]);
    const forStaff = { ...applied, owner_tag: client.business.tag, buyer_tag: client.buyer.tag };
    expect(await list(staff, { businessTag: client.business.tag })).toEqual([forStaff]);
    expect(await list(staff, { businessTag: client.buyer.tag, asBuyer: true })).toEqual([forStaff]);
  });
});

describe('whose invoices', () => {
  it('a client sees their own only, with or without saying so, and may not ask for another’s', async () => {
    const other = await buildClient(app);
    await saveInvoice(other, { invoiceNumber: 'OTHER-1' });
    await saveInvoice(client, { invoiceNumber: 'OWN-1' });
    for (const body of [undefined, {}, { businessTag: '' }, { businessTag: client.business.tag.toUpperCase() }]) {
      expect(await numbers(client.caller, body)).toEqual(['OWN-1']);
    }
    expect(await numbers(client.caller, { searchPhrase: 'OTHER' })).toEqual([]);
    for (const businessTag of [other.business.tag, randomUUID()]) {
      const answer = await client.caller.post('/invoices/paged', { businessTag });
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({
        success: false,
        code: 'NOT_YOUR_BUSINESS',
        msg: 'This belongs to another business',
      });
    }
  });

  it('staff see all, drafts too, or one business’s; of an unknown one nothing', async () => {
    const other = await buildClient(app);
    await saveInvoice(other, { invoiceNumber: 'OTHER-2' });
    const { tag } = await buildReadyInvoice(app, client.person);
    await client.caller.post(`/applications/${tag}/submit`);
    const rows = await list(staff, { size: 2 });
    expect(rows).toMatchObject([
      { tag, status: 'Submitted', owner: client.business.name },
      { invoice_number: 'OTHER-2', status: 'Draft', owner: other.business.name },
    ]);
    expect(await numbers(staff, { businessTag: other.business.tag })).toEqual(['OTHER-2']);
    expect(await list(staff, { businessTag: other.business.tag, withoutDrafts: true })).toEqual([]);
    const submitted = { businessTag: client.business.tag, withoutDrafts: true };
    await saveInvoice(client, { invoiceNumber: 'STILL-A-DRAFT' });
    expect(await list(staff, submitted)).toMatchObject([{ tag, total: 1 }]);
    expect(await list(staff, { ...submitted, size: 5 })).toMatchObject([{ tag, total: 1 }]);
    expect(await numbers(staff, { ...submitted, searchPhrase: 'STILL' })).toEqual([]);
    expect(await list(staff, { ...submitted, status: 'Draft' })).toEqual([]);
    expect(await list(staff, { businessTag: randomUUID() })).toEqual([]);
  });

  it('are a buyer’s for staff who ask for them, searched, filtered and sorted like a client’s', async () => {
    const other = await buildClient(app);
    await saveInvoice(client, { invoiceNumber: 'FIRST', amount: 300_000 });
    await saveInvoice(other, { invoiceNumber: 'SECOND', buyerId: client.buyer.id });
    await saveInvoice(other, { invoiceNumber: 'ELSEWHERE' });
    const asBuyer = { businessTag: client.buyer.tag, asBuyer: true };
    expect(await list(staff, { ...asBuyer, size: 1 })).toMatchObject([{ invoice_number: 'SECOND', total: 2 }]);
    expect(await numbers(staff, { ...asBuyer, size: 1, page: 2 })).toEqual(['FIRST']);
    expect(await numbers(staff, { ...asBuyer, sort: 'date' })).toEqual(['FIRST', 'SECOND']);
    expect(await numbers(staff, { ...asBuyer, sort: 'applied', status: 'Draft' })).toEqual(['FIRST', 'SECOND']);
    expect(await numbers(staff, { ...asBuyer, searchPhrase: 'first' })).toEqual(['FIRST']);
    expect(await numbers(staff, { ...asBuyer, searchPhrase: other.business.name })).toEqual(['SECOND']);
    expect(await numbers(staff, { ...asBuyer, withoutDrafts: true })).toEqual([]);
    expect(await numbers(staff, { businessTag: client.buyer.tag })).toEqual([]);
    expect(await numbers(staff, { businessTag: randomUUID(), asBuyer: true })).toEqual([]);
  });

  it('are never those that others sell to a client', async () => {
    const seller = await buildClient(app);
    await app.platform.db
      .updateTable('businesses')
      .set({ is_buyer: true })
      .where('id', '=', client.business.id)
      .execute();
    await saveInvoice(seller, { buyerId: client.business.id });
    for (const businessTag of ['', client.business.tag, client.buyer.tag]) {
      const answer = await client.caller.post('/invoices/paged', { businessTag, asBuyer: true });
      expect([answer.status, answer.body.code]).toEqual([403, 'NOT_YOUR_BUSINESS']);
    }
    expect(await numbers(client.caller, { asBuyer: false })).toEqual([]);
  });

  it('are hidden from somebody without a permission', async () => {
    const { caller } = await buildSignedIn(app);
    expect((await caller.post('/invoices/paged', {})).status).toBe(403);
    expect((await app.visitor().post('/invoices/paged', {})).status).toBe(401);
  });
});

describe('pages', () => {
  it('are of 10, newest application first, then newest created, and the first row carries the total', async () => {
    const tags: string[] = [];
    for (let number = 10; number < 22; number += 1) {
      tags.push((await saveInvoice(client, { invoiceNumber: `INV-${number}` })).tag);
    }
    await saveApplication(client, tags[0] ?? '', { applicationDate: '2026-11-18' });
    await saveApplication(client, tags[11] ?? '', { applicationDate: '2026-11-19' });
    const order = [20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 21, 10].map((number) => `INV-${number}`);
    const first = await list(client.caller, { page: 1 });
    expect(first.map(({ invoice_number }) => invoice_number)).toEqual(order.slice(0, 10));
    expect(first.map(({ total }) => total)).toEqual([12, ...Array<undefined>(9).fill(undefined)]);
    const second = await list(client.caller, { page: 2 });
    expect(second.map(({ invoice_number }) => invoice_number)).toEqual(order.slice(10));
    expect(second.map(({ total }) => total)).toEqual([12, undefined]);
    expect(await list(client.caller, { page: 3 })).toEqual([]);
    expect(await numbers(client.caller, { page: 3, size: 5 })).toEqual(order.slice(10));
    expect(await numbers(staff, { businessTag: client.business.tag, size: 100 })).toEqual(order);
  });

  it.each([{ page: 0 }, { page: '1' }, { size: 0 }, { size: 101 }, { status: 'Paid' }, { sort: 'owner' }])(
    'are refused for %j',
    async (body) => {
      expect((await client.caller.post('/invoices/paged', body)).status).toBe(400);
    },
  );

  it('far past the last one are empty', async () => {
    await saveInvoice(client);
    for (const filter of [{}, { status: 'Draft' }, { searchPhrase: 'INV' }]) {
      expect(await list(client.caller, { page: 10_000_000, size: 100, ...filter })).toEqual([]);
    }
  });
});

describe('sorted', () => {
  it('are by date, by the amount applied for and by what is received, either way; nothing is less than any amount', async () => {
    const amounts = { 'S-1': 200_000, 'S-2': 900_000, 'S-3': 500_000 } as const;
    for (const [invoiceNumber, amountAppliedFor] of Object.entries(amounts)) {
      const { tag } = await saveInvoice(client, { invoiceNumber });
      const [feesCharged, amountReceived] = [amountAppliedFor * 0.11, amountAppliedFor * 0.89];
      await saveApplication(client, tag, { amountAppliedFor, feesCharged, amountReceived });
    }
    await saveInvoice(client, { invoiceNumber: 'S-4' });
    const largest = ['S-2', 'S-3', 'S-1', 'S-4'];
    const newest = ['S-4', 'S-3', 'S-2', 'S-1'];
    for (const [sort, order] of [
      ['', newest],
      ['-date', newest],
      ['date', newest.toReversed()],
      ['-applied', largest],
      ['applied', largest.toReversed()],
      ['-received', largest],
      ['received', largest.toReversed()],
    ] as const) {
      expect(await numbers(client.caller, { sort }), sort).toEqual(order);
      expect(await numbers(staff, { sort, businessTag: client.business.tag }), sort).toEqual(order);
      // All clients' invoices: read in the order of an index, and gathered by a search.
      const own = (await list(staff, { sort, size: 100 })).filter(({ invoice_number }) =>
        order.includes(invoice_number),
      );
      expect(
        own.map(({ invoice_number }) => invoice_number),
        sort,
      ).toEqual(order);
      expect(await numbers(staff, { sort, searchPhrase: client.buyer.name }), sort).toEqual(order);
    }
    expect(await numbers(client.caller, { sort: '-applied', page: 2, size: 3 })).toEqual(['S-4']);
    expect(await numbers(client.caller, { sort: 'applied', status: 'Draft', searchPhrase: 'S-', size: 2 })).toEqual([
      'S-4',
      'S-1',
    ]);
  });
});

describe('totals', () => {
  it('follow creating and deleting, for the client and for staff', async () => {
    const before = await totalOf(staff);
    const { tag } = await saveInvoice(client);
    await saveInvoice(client);
    expect([await totalOf(client.caller), await totalOf(staff)]).toEqual([2, before + 2]);
    expect(await totalOf(staff, { businessTag: client.business.tag })).toBe(2);
    await client.caller.call({ method: 'DELETE', url: `/invoices/${tag}` });
    expect([await totalOf(client.caller), await totalOf(staff)]).toEqual([1, before + 1]);
  });

  it('are not moved by a refused save', async () => {
    await saveInvoice(client, { invoiceNumber: 'INV-5' });
    const taken = { invoiceNumber: 'INV-5', date: '2026-11-20', currencyId: 1, buyerId: client.buyer.id, amount: 1 };
    expect((await client.caller.post('/invoices', { invoice: taken })).status).toBe(409);
    expect(await totalOf(client.caller)).toBe(1);
  });

  it('stay exact when many are made at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => saveInvoice(client)));
    expect(await totalOf(client.caller)).toBe(20);
  });
});

describe('filters', () => {
  it('select by status', async () => {
    const { tag } = await buildReadyInvoice(app, client.person);
    await client.caller.post(`/applications/${tag}/submit`);
    await saveInvoice(client, { invoiceNumber: 'DRAFT-1' });
    expect(await list(client.caller, { status: 'Submitted' })).toMatchObject([{ tag, total: 1 }]);
    expect(await numbers(client.caller, { status: 'Draft' })).toEqual(['DRAFT-1']);
    const forStaff = await list(staff, { status: 'Submitted', businessTag: client.business.tag });
    expect(forStaff).toMatchObject([{ tag, total: 1 }]);
    const everybodys = await list(staff, { status: 'Submitted', size: 100 });
    expect(new Set(everybodys.map(({ status }) => status))).toEqual(new Set(['Submitted']));
    expect(everybodys[0]?.total).toBe(everybodys.length);
  });

  it('select by part of the number or the buyer, without case; for staff also of the client', async () => {
    const name = `Nile ${randomUUID()}`;
    const buyer = await buildBusiness(app, { kind: 'buyer', name: `${name} Buyer` });
    const stranger = await buildBusiness(app, { name: `${name} Seller` });
    const { person } = await buildSignedIn(app, { perms: ['BIDA'], businessId: stranger.id });
    await buildInvoice(app, { ...person, businessId: stranger.id }, { invoiceNumber: 'STRANGE-1' });
    await saveInvoice(client, { invoiceNumber: 'Xylo-77', buyerId: buyer.id });
    await saveInvoice(client, { invoiceNumber: 'Other-1' });

    expect(await numbers(client.caller, { searchPhrase: 'XYLO' })).toEqual(['Xylo-77']);
    expect(await numbers(client.caller, { searchPhrase: name.toLowerCase() })).toEqual(['Xylo-77']);
    expect(await numbers(client.caller, { searchPhrase: client.business.name })).toEqual([]);
    const found = await list(staff, { searchPhrase: name });
    expect(found.map(({ invoice_number }) => invoice_number).sort()).toEqual(['STRANGE-1', 'Xylo-77']);
    expect(found[0]?.total).toBe(2);
    expect(await numbers(staff, { searchPhrase: `${name} seller` })).toEqual(['STRANGE-1']);
    expect(await numbers(staff, { searchPhrase: ' xylo-77 ' })).toEqual(['Xylo-77']);
    expect(await numbers(staff, { searchPhrase: 'o-77', businessTag: client.business.tag })).toEqual(['Xylo-77']);
    expect(await numbers(staff, { searchPhrase: name, status: 'Submitted' })).toEqual([]);
  });

  it('take % _ and \\ for themselves', async () => {
    await saveInvoice(client, { invoiceNumber: 'Z_Q%\\w' });
    await saveInvoice(client, { invoiceNumber: 'ZXQY-w' });
    for (const searchPhrase of ['_', '%', '\\', 'Z_Q', 'Q%\\w']) {
      expect(await numbers(client.caller, { searchPhrase })).toEqual(['Z_Q%\\w']);
    }
    // Staff also search the names of all businesses, by words; these phrases have at most one word.
    for (const searchPhrase of ['_', '%', '\\']) expect(await numbers(staff, { searchPhrase })).toEqual(['Z_Q%\\w']);
  });

  it('find and count the same page by page, newest first', async () => {
    const word = randomUUID().slice(0, 8);
    const saved: string[] = [];
    for (let number = 0; number < 7; number += 1) {
      await saveInvoice(client, { invoiceNumber: `${word}-${number}` });
      saved.unshift(`${word}-${number}`);
    }
    for (const caller of [client.caller, staff]) {
      const pages = await Promise.all([1, 2, 3].map((page) => list(caller, { page, size: 3, searchPhrase: word })));
      expect(pages.flat().map(({ invoice_number }) => invoice_number)).toEqual(saved);
      expect(pages.map((page) => page[0]?.total)).toEqual([7, 7, 7]);
    }
  });
});

describe('a list of more than 10,000', () => {
  it('counts all of them, a filter or a search as far as 10,000, where it ends', async () => {
    const large = await createTestApp();
    onTestFinished(() => large.close());
    const owner = await buildClient(large);
    const { caller } = await buildSignedIn(large, { perms: ['KADMIN'] });
    await fillWithDrafts(large, owner, 10_005);
    for (const [who, body] of [
      [owner.caller, {}],
      [caller, {}],
      [caller, { businessTag: owner.business.tag }],
    ] as const) {
      expect(await totalOf(who, body)).toBe(10_005);
      expect(await numbers(who, { ...body, page: 1001 })).toHaveLength(5);
      for (const filter of [{ status: 'Draft' }, { searchPhrase: 'bulk' }, { searchPhrase: 'lk' }]) {
        expect(await totalOf(who, { ...body, ...filter })).toBe(10_000);
        expect(await numbers(who, { ...body, ...filter, size: 3 })).toEqual(['bulk-10005', 'bulk-10004', 'bulk-10003']);
        expect(await numbers(who, { ...body, ...filter, page: 1000 })).toHaveLength(10);
        expect(await list(who, { ...body, ...filter, page: 1001 })).toEqual([]);
      }
    }
    const asBuyer = { businessTag: owner.buyer.tag, asBuyer: true };
    expect(await totalOf(caller, asBuyer)).toBe(10_000);
    expect(await numbers(caller, { ...asBuyer, page: 1000 })).toHaveLength(10);
    expect(await list(caller, { ...asBuyer, page: 1001 })).toEqual([]);
    expect(await numbers(caller, { searchPhrase: 'bulk-777' })).toHaveLength(10);
    expect(await totalOf(caller, { searchPhrase: 'bulk-777' })).toBe(11);
  });
});

async function fillWithDrafts(large: TestApp, { person, buyer }: Client, rows: number): Promise<void> {
  const drafts = Array.from({ length: rows }, (_, index) => ({
    business_id: person.businessId,
    buyer_id: buyer.id,
    currency_id: 1,
    invoice_number: `bulk-${index + 1}`,
    invoice_number_key: `bulk-${index + 1}`,
    invoice_date: '2026-11-20',
    face_value: '1.00',
    listed_on: '2026-11-20',
    created_at: large.clock.now(),
    created_by: person.id,
  }));
  for (let from = 0; from < rows; from += 2500)
    await large.platform.db
      .insertInto('invoices')
      .values(drafts.slice(from, from + 2500))
      .execute();
}
