import { readConfig } from '#server/config/config.ts';
import { findRailKinds, openRails } from '#server/rails/open-rails.ts';
import { orderTransfer } from '#server/transfers/transfers.service.ts';
import type { PaidCase, RailsWorld } from './rails.harness.ts';

/** Thousands of released payouts, each of an application of its own: copies of a few that were made by hand. */

const AT_ONCE = 16;
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
  const { rows } = await pool.query<{ invoiceId: number; payoutId: number }>(
    `insert into payouts (invoice_id, kind, account_id, amount, prepared_at, prepared_by, released_at, released_by)
     select id, 'disbursement', (select id from payout_accounts where business_id = invoices.business_id), $2,
       now(), $3, now(), $4 from invoices where id = any($1)
     returning invoice_id as "invoiceId", id as "payoutId"`,
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

/** Orders the transfers of payouts as a release does, each in a transaction of its own. */
export async function orderAll(
  world: RailsWorld,
  { rail: id, payer }: PaidCase,
  copies: readonly Copy[],
): Promise<void> {
  const { platform } = world.app;
  const kinds = await findRailKinds();
  const rail = openRails(readConfig(world.settings, kinds), platform.clock).find(id);
  if (rail === undefined) throw new Error(`${id} has no settings`);
  const waiting = [...copies];
  const orderOne = async ({ invoiceId, payoutId, number }: Copy): Promise<void> => {
    await platform.db.inTransaction((change) =>
      orderTransfer(platform, change, rail, {
        ...{ direction: 'out', invoice_id: invoiceId, payout_id: payoutId, number, label: `PAY-${payoutId}` },
        ...{ amount: '801000.00', currency: 'UGX' },
        ...{ created_at: platform.clock.now(), created_by: payer.person.id },
      }),
    );
  };
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await orderOne(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
