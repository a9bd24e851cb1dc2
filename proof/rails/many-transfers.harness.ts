import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '#server/config/config.ts';
import { findRailKinds, openRails } from '#server/rails/open-rails.ts';
import { type NewTransfer, orderTransfer } from '#server/transfers/transfers.service.ts';
import { approveOnPhone } from './directions.harness.ts';
import type { PaidCase, RailsWorld } from './rails.harness.ts';

/** Thousands of transfers, each for its own application: copies of a few cases. */

const AT_ONCE = 16;
const PHONES_LOOK_EVERY_MS = 500;
const NET_PROCEEDS = 80_100_000;

/** The columns in which a copy of an invoice differs. */
const own: Readonly<Record<string, string>> = {
  tag: 'gen_random_uuid()',
  application_tag: 'gen_random_uuid()',
  application_reference: 'gen_random_uuid()',
  invoice_number: "invoice_number || '-' || nth",
  invoice_number_key: "invoice_number_key || 'C' || nth",
};

/** A released payout without a transfer. */
export interface Copy {
  readonly invoiceId: number;
  readonly payoutId: number;
  /** The payout's reference at its provider. */
  readonly reference: string;
  /** The payee's number, in local format; the provider has its wallet. */
  readonly number: string;
}

/** Copies an approved application with its released payout, whose transfer has not been ordered yet. */
export async function copiesOf(world: RailsWorld, built: PaidCase, copies: number): Promise<Copy[]> {
  const { pool } = world.app.database.owner;
  const { rows: columns } = await pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_name = 'invoices' and is_identity = 'NO' and is_generated = 'NEVER'`,
  );
  const names = columns.map(({ name }) => name);
  const { rows: invoices } = await pool.query<{ id: number }>(
    `insert into invoices (${names.join(', ')}) select ${names.map((name) => own[name] ?? name).join(', ')}
     from invoices cross join generate_series(1, $2::integer) as nth where id = $1 returning id`,
    [built.id, copies],
  );
  const { rows } = await pool.query<Pick<Copy, 'invoiceId' | 'payoutId' | 'reference'>>(
    `insert into payouts (invoice_id, kind, account_id, amount, prepared_at, prepared_by, released_at, released_by)
     select id, 'disbursement', (select id from payout_accounts where business_id = invoices.business_id), $2,
       now(), $3, now(), $4 from invoices where id = any($1)
     returning invoice_id as "invoiceId", id as "payoutId", reference`,
    [invoices.map(({ id }) => id), NET_PROCEEDS / 100, built.officer.person.id, built.payer.person.id],
  );
  const numbered = rows.map((row) => ({ ...row, number: `0${built.msisdn.slice(3, 5)}${numberOf(row.payoutId)}` }));
  await world.providers[built.rail].wallets(
    ...numbered.map(({ number }) => ({ msisdn: `256${number.slice(1)}`, name: 'Sarah Nabirye', balance: 0 })),
  );
  return numbered;
}

/** Seven digits that the builders do not use. */
function numberOf(id: number): string {
  return String(9_999_999 - id);
}

type Ordered = Pick<NewTransfer, 'direction' | 'payout_id' | 'amount' | 'reference'>;

/** Orders a transfer for each copy, as a release or a client does, each in its own transaction. */
async function orderEach(
  world: RailsWorld,
  { rail: id, payer }: PaidCase,
  copies: readonly Copy[],
  orderOf: (copy: Copy) => Ordered,
): Promise<void> {
  const { platform } = world.app;
  const kinds = await findRailKinds();
  const rail = openRails(readConfig(world.settings, kinds), platform.clock).find(id);
  if (rail === undefined) throw new Error(`${id} has no settings`);
  await inTurns(copies, async (copy) => {
    const { invoiceId, number } = copy;
    await platform.db.inTransaction((change) =>
      orderTransfer({ platform, change, caller: { now: platform.clock.now() } }, rail, {
        ...orderOf(copy),
        invoice_id: invoiceId,
        number,
        label: `PAY-${invoiceId}`,
        currency: 'UGX',
        created_by: payer.person.id,
      }),
    );
  });
}

/** Works through the items, a few at a time. */
async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Orders the payouts of copies. */
export function orderAll(world: RailsWorld, built: PaidCase, copies: readonly Copy[]): Promise<void> {
  return orderEach(world, built, copies, ({ payoutId, reference }) => ({
    direction: 'out',
    payout_id: payoutId,
    amount: '801000.00',
    reference,
  }));
}

/** Sends requests to pay a part of the debt to the phones of the paid-out copies. */
export function askAll(world: RailsWorld, built: PaidCase, copies: readonly Copy[]): Promise<void> {
  return orderEach(world, built, copies, () => ({
    direction: 'in',
    payout_id: null,
    amount: '300000.00',
    reference: randomUUID(),
  }));
}

/** Approves each request on its phone once its provider has it, until `goesOn` returns false. */
export async function answerPhones(world: RailsWorld, goesOn: () => boolean): Promise<void> {
  const answered = new Set<string>();
  while (goesOn()) {
    const asked = await world.app.platform.db
      .selectFrom('transfers')
      .where('direction', '=', 'in')
      .where('state', '=', 'sent')
      .where('said', 'is not', null)
      .select(['rail', 'number', 'reference'])
      .execute();
    await inTurns(
      asked.filter(({ reference }) => !answered.has(reference)),
      async (request) => {
        await approveOnPhone(world, request);
        answered.add(request.reference);
      },
    );
    await wait(PHONES_LOOK_EVERY_MS);
  }
}
