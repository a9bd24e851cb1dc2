import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '#server/config/config.ts';
import { findRailKinds, openRails } from '#server/rails/open-rails.ts';
import { type NewTransfer, orderTransfer } from '#server/transfers/transfers.service.ts';
import { approveOnPhone } from './directions.harness.ts';
import type { PaidCase, RailsWorld } from './rails.harness.ts';

/** Thousands of transfers, each of an application of its own: copies of a few that were made by hand. */

const AT_ONCE = 16;
const PHONES_LOOK_EVERY_MS = 500;
const NET_PROCEEDS = 80_100_000;

/** What a copy of an invoice has of its own. */
const own: Readonly<Record<string, string>> = {
  tag: 'gen_random_uuid()',
  application_tag: 'gen_random_uuid()',
  application_reference: 'gen_random_uuid()',
  invoice_number: "invoice_number || '-' || nth",
  invoice_number_key: "invoice_number_key || 'C' || nth",
};

/** A payout that is to be released. */
export interface Copy {
  readonly invoiceId: number;
  readonly payoutId: number;
  /** The payout's, by which its provider knows it. */
  readonly reference: string;
  /** In plain form; the provider has a wallet for it. */
  readonly number: string;
}

/** Makes that many copies of an approved application with a payout that was released, before its transfer is ordered. */
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

/** Seven digits that the builders of other cases do not use. */
function numberOf(id: number): string {
  return String(9_999_999 - id);
}

type Ordered = Pick<NewTransfer, 'direction' | 'payout_id' | 'amount' | 'reference'>;

/** Orders a transfer of each copy as a release or a client does, each in a transaction of its own. */
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
      orderTransfer(platform, change, rail, {
        ...{ ...orderOf(copy), invoice_id: invoiceId, number, label: `PAY-${invoiceId}`, currency: 'UGX' },
        ...{ created_at: platform.clock.now(), created_by: payer.person.id },
      }),
    );
  });
}

/** Does something with each, a few at once. */
async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Orders the transfers of payouts. */
export function orderAll(world: RailsWorld, built: PaidCase, copies: readonly Copy[]): Promise<void> {
  return orderEach(world, built, copies, ({ payoutId, reference }) => ({
    ...{ direction: 'out', payout_id: payoutId, amount: '801000.00', reference },
  }));
}

/** Has the phones of copies that were paid out asked for a part. */
export function askAll(world: RailsWorld, built: PaidCase, copies: readonly Copy[]): Promise<void> {
  return orderEach(world, built, copies, () => ({
    ...{ direction: 'in', payout_id: null, amount: '300000.00', reference: randomUUID() },
  }));
}

/** Approves what is asked on each phone, once its provider has it, for as long as that goes on. */
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
