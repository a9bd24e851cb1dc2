import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { invoiceNumberKey } from '#contract/invoices/schema.ts';
import { buildBusiness, buildReadyInvoice, submittedColumns } from '#testing/builders.ts';
import {
  type BuiltCase,
  buildAskedCase,
  buildCaseClient,
  type CaseClient,
  onDesk,
  succeed,
} from '#testing/case-builders.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { appOfFile } from '#testing/test-app.ts';
import { until } from '#testing/until.ts';
import { upload } from '#testing/uploads.ts';
import { lockComparable } from './duplicates.queries.ts';

/** Invoices that look financed twice. */

const app = appOfFile({ FUNDING_LIMIT_HIGHEST: 'UGX:2000000000,USD:1000000' });

interface Given {
  readonly number?: string;
  readonly amount?: string;
  readonly date?: string;
  readonly currencyId?: number;
  /** The content of its documents. By default, no other invoice has the same. */
  readonly files?: string;
  /** The content of its contract, if it differs. */
  readonly contract?: string;
}

/** The type 'Contract or purchase order': one file often comes with every invoice. */
const CONTRACT = 3;

let buyerId = 0;
/** Amounts for invoices whose amount doesn't matter. Each is some per cent above the previous one. */
let amount = 0;
let first: CaseClient;
let second: CaseClient;
beforeEach(async () => {
  amount = 1_000_000;
  [buyerId, first, second] = [
    (await buildBusiness(app, { kind: 'buyer' })).id,
    await buildCaseClient(app),
    await buildCaseClient(app),
  ];
});

/** A ready draft of UGX 1,000,000.00 to the same buyer, dated 2026-11-20, with files of its own. */
async function ready(client: CaseClient, given: Given = {}): Promise<{ id: number; tag: string }> {
  const { id, tag } = await buildReadyInvoice(app, client.person);
  const number = given.number ?? `NUMBER-${id}`;
  amount = Math.round(amount * 1.03);
  await app.platform.db
    .updateTable('invoices')
    .set({
      buyer_id: buyerId,
      invoice_number: number,
      invoice_number_key: invoiceNumberKey(number),
      invoice_date: given.date ?? '2026-11-20',
      face_value: given.amount ?? `${amount}`,
      currency_id: given.currencyId ?? 1,
    })
    .where('id', '=', id)
    .execute();
  const documents = app.platform.db.selectFrom('documents').select(['id', 'document_type_id as type']);
  for (const document of await documents.where('invoice_id', '=', id).execute()) {
    const content =
      document.type === CONTRACT && given.contract !== undefined
        ? given.contract
        : `${given.files ?? id} ${document.type}`;
    const sha256 = createHash('sha256').update(content).digest();
    await app.platform.db
      .updateTable('documents')
      .set({ stored_sha256: sha256 })
      .where('id', '=', document.id)
      .execute();
  }
  return { id, tag };
}

/** Submits it without the limit, the flags and the messages of a submission. */
async function arrangeSubmitted(client: CaseClient, given: Given): Promise<void> {
  const { id } = await ready(client, given);
  const submitted = submittedColumns(app, client.person.id);
  await app.platform.db.updateTable('invoices').set(submitted).where('id', '=', id).execute();
}

async function submit(client: CaseClient, given: Given = {}): Promise<{ id: number; tag: string }> {
  const invoice = await ready(client, given);
  await succeed(client.caller.post(`/applications/${invoice.tag}/submit`));
  return invoice;
}

async function flagsOf({ id }: { readonly id: number }) {
  const rows = await app.platform.db
    .selectFrom('invoice_flags')
    .select(['other_invoice_id', 'kind', 'files'])
    .where('invoice_id', '=', id)
    .orderBy('kind')
    .execute();
  return rows.map(({ other_invoice_id: other, kind, files }) =>
    files.length === 0 ? [other, kind] : [other, kind, files],
  );
}

describe('flags of possible duplicates', () => {
  it('mark the same buyer, number and amount of another client, however the number is written', async () => {
    const one = await submit(first, { number: 'INV 42/a', amount: '1000000' });
    const other = await submit(second, { number: 'inv-42-A', amount: '1000000', date: '2026-10-01' });
    expect(await flagsOf(other)).toEqual([[one.id, 'sameNumberAndAmount']]);
    expect(await flagsOf(one)).toEqual([]);
  });

  it('mark the same number with another amount only as a similar number', async () => {
    const one = await submit(first, { number: 'INV-42', amount: '1000000' });
    const other = await submit(second, { number: 'INV-42', amount: '1500000' });
    expect(await flagsOf(other)).toEqual([[one.id, 'nearNumber']]);
  });

  it.each([
    ['O for 0', 'INV-1O7', 'INV-107'],
    ['I for 1', 'INV-I07', 'INV-107'],
    ['l for 1', 'INV-l07', 'INV-107'],
    ['S for 5', 'INV-S07', 'INV-507'],
    ['no punctuation', 'INV107', 'INV-1/07'],
    ['what cannot be seen', 'INV\u200b-1\u034f0\u00ad7\ufe0f', 'INV-107'],
    ['Cyrillic letters', '\u0406\u041dV-107', 'IHV-107'],
    ['Greek letters and accents', '\u0399\u039dV-1\u030107', 'INV-107'],
    ['digits of another script', 'INV-\u0661\u0660\u0667', 'INV-107'],
  ])('mark numbers that look alike: %s', async (_, number, lookalike) => {
    const one = await submit(first, { number });
    const other = await submit(second, { number: lookalike });
    expect(await flagsOf(other)).toEqual([[one.id, 'nearNumber']]);
  });

  it.each([
    ['2026-11-13', true],
    ['2026-11-20', true],
    ['2026-11-27', true],
    ['2026-11-12', false],
  ])('mark the same buyer and amount dated %s beside 2026-11-20: %s', async (date, flagged) => {
    const one = await submit(first, { amount: '1000000', date });
    const other = await submit(second, { amount: '1000000' });
    expect(await flagsOf(other)).toEqual(flagged ? [[one.id, 'nearAmountAndDate']] : []);
  });

  it.each([
    ['2020202', true],
    ['2020203', false],
    ['1980000', true],
    ['1979999', false],
  ])('mark an amount of %s beside 2000000, within one per cent: %s', async (other, flagged) => {
    const one = await submit(first, { amount: other });
    const duplicate = await submit(second, { amount: '2000000' });
    expect(await flagsOf(duplicate)).toEqual(flagged ? [[one.id, 'nearAmountAndDate']] : []);
  });

  it('also compare files as uploaded, because releases before PDFs were rewritten stored the same file differently', async () => {
    const [one, other] = [await ready(first), await ready(second)];
    const set = (columns: { sha256?: Buffer; stored_sha256?: Buffer }, { id }: { id: number }) =>
      app.platform.db.updateTable('documents').set(columns).where('invoice_id', '=', id).execute();
    for (const invoice of [one, other]) await set({ sha256: createHash('sha256').update('sent').digest() }, invoice);
    await succeed(first.caller.post(`/applications/${one.tag}/submit`));
    await succeed(second.caller.post(`/applications/${other.tag}/submit`));
    expect(await flagsOf(other)).toMatchObject([[one.id, 'sameFile', expect.any(Array)]]);
  });

  it('do not mark the same amount in another currency', async () => {
    await submit(first, { amount: '1000000', currencyId: 1 });
    const other = await ready(second, { amount: '1000000', currencyId: 2 });
    await app.platform.db
      .insertInto('funding_limits')
      .values({
        business_id: second.person.businessId,
        currency_id: 2,
        amount: '1000000',
        set_at: app.clock.now(),
        set_by: second.person.id,
      })
      .execute();
    await succeed(second.caller.post(`/applications/${other.tag}/submit`));
    expect(await flagsOf(other)).toEqual([]);
  });

  it('mark the same files by their content, and name them', async () => {
    const one = await submit(first, { files: 'one scan' });
    const other = await submit(second, { files: 'one scan' });
    expect(await flagsOf(other)).toEqual([
      [one.id, 'sameFile', ['Contract or purchase order', 'Invoice copy', 'Proof of delivery or completed work']],
    ]);
  });

  it('are limited to the most important ones, another client’s before one’s own', async () => {
    const contract = `standing contract ${buyerId}`;
    const reused = await submit(first, { contract });
    const duplicate = await submit(first, { number: 'INV-7', amount: '1000000' });
    const lookalike = await submit(first, { number: 'INV-1O7' });
    for (let own = 0; own < 51; own += 1) await arrangeSubmitted(second, { contract });
    const flags = await flagsOf(await submit(second, { number: 'INV-7', amount: '1000000', contract }));
    expect(flags).toContainEqual([duplicate.id, 'sameNumberAndAmount']);
    expect(flags).toContainEqual([reused.id, 'sameFile', ['Contract or purchase order']]);
    const own = flags.filter(([other]) => other !== duplicate.id && other !== reused.id);
    expect(own).toHaveLength(19);
    expect(await flagsOf(await submit(second, { number: 'INV-107', contract }))).toContainEqual([
      lookalike.id,
      'nearNumber',
    ]);
  });

  it.each([
    ['answered', (built: BuiltCase) => built.client.caller.post(`/applications/${built.tag}/answer`)],
    ['recalled', (built: BuiltCase) => onDesk(built.officer, built.tag, 'recall_request')],
  ])('mark the same file of a request, once it is %s', async (_, end) => {
    const content = samplePdf(randomUUID());
    const one = await submit(first);
    const sha256 = createHash('sha256').update(content).digest();
    const documents = app.platform.db.updateTable('documents').where('invoice_id', '=', one.id);
    await documents.set({ stored_sha256: sha256 }).where('document_type_id', '=', CONTRACT).execute();
    const other = await buildAskedCase(app, { client: second, typeIds: [CONTRACT] });
    await succeed(upload(second.caller, { invoiceTag: other.tag, typeId: CONTRACT }, content));
    const copied = () => flagsOf(other).then((flags) => flags.filter(([id]) => id === one.id));
    expect(await copied()).toEqual([]);
    await succeed(end(other));
    expect(await copied()).toEqual([[one.id, 'sameFile', ['Contract or purchase order']]]);
  });

  it('mark neither drafts nor another buyer’s invoices', async () => {
    await ready(first, { number: 'INV-9', amount: '1000000', files: 'a' });
    buyerId = (await buildBusiness(app, { kind: 'buyer' })).id;
    await submit(first, { number: 'INV-9', amount: '1000000', files: 'b' });
    buyerId = (await buildBusiness(app, { kind: 'buyer' })).id;
    expect(await flagsOf(await submit(second, { number: 'INV-9', amount: '1000000', files: 'a' }))).toEqual([]);
  });

  it('mark one of two invoices that are submitted concurrently', async () => {
    const [one, other] = await Promise.all([
      ready(first, { number: 'INV-77', amount: '1000000' }),
      ready(second, { number: 'INV 77', amount: '1000000' }),
    ]);
    await Promise.all([
      succeed(first.caller.post(`/applications/${one.tag}/submit`)),
      succeed(second.caller.post(`/applications/${other.tag}/submit`)),
    ]);
    expect([...(await flagsOf(one)), ...(await flagsOf(other))]).toHaveLength(1);
  });

  it.each([
    ['after another submission to the same buyer', true, 'others', true],
    ['after another with the same file', false, 'same', true],
    ['beside any other', false, 'others', false],
  ])('are looked for %s', async (_, isSameBuyer, files, waits) => {
    const one = await ready(first, { files: 'same' });
    const buyerOfOne = buyerId;
    if (!isSameBuyer) buyerId = (await buildBusiness(app, { kind: 'buyer' })).id;
    const other = await ready(second, { files });
    let submitted: Promise<unknown> = Promise.resolve();
    await app.platform.db.inTransaction(async (change) => {
      lockComparable(change, { id: one.id, buyerId: buyerOfOne });
      await change.selectFrom('currencies').select('id').execute();
      submitted = succeed(second.caller.post(`/applications/${other.tag}/submit`));
      if (waits) await until(isSomebodyWaiting);
      else await submitted;
    });
    await submitted;
  });

  it('are hidden from the client', async () => {
    const one = await submit(first, { files: 'one scan' });
    const other = await submit(second, { files: 'one scan' });
    expect(await flagsOf(other)).not.toEqual([]);
    const { body } = await second.caller.get(`/applications/${other.tag}/progress`);
    expect(JSON.stringify(body)).not.toContain('flag');
    expect(JSON.stringify(body)).not.toContain(one.tag);
  });
});

async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`.execute(app.platform.db);
  return rows.length > 0;
}

describe('the same number for the same buyer', () => {
  const form = async (number: string) => ({
    invoice: { invoiceNumber: number, date: '2026-11-20', currencyId: 1, buyerId, amount: 1_000_000 },
  });

  it('is refused while the other invoice is in force', async () => {
    await submit(first, { number: 'INV 42/a' });
    const { status, body } = await first.caller.post('/invoices', await form('inv-42-A'));
    expect([status, body.code]).toEqual([409, 'INVOICE_NUMBER_TAKEN']);
  });

  it('is accepted after the other invoice was withdrawn', async () => {
    const { tag } = await submit(first, { number: 'INV 43' });
    await succeed(first.caller.post(`/applications/${tag}/withdraw`));
    await succeed(first.caller.post('/invoices', await form('INV 43')));
  });
});
