import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { StartError } from '#server/installation/connect.ts';
import { appVersion } from '#server/machine/version.ts';
import { createTestPlatform, type TestPlatform } from '#testing/test-platform.ts';
import { until } from '#testing/until.ts';
import { dropDatabases, makeEmptyDatabase, onDatabase } from './earlier-databases.harness.ts';
import { migrate, migrateTo, migrationNames } from './migrate.ts';
import { recordApplied, selectApplied } from './record.ts';

let test: TestPlatform;
let db: Database;
beforeEach(async () => {
  test = await createTestPlatform();
  ({ db } = test.database.owner);
});
afterEach(() => test.close());

async function refusal(): Promise<string> {
  const failure: unknown = await migrate(db).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartError);
  const { message } = failure instanceof Error ? failure : { message: '' };
  expect(message).not.toContain('\n');
  return message;
}

function applied(name: string, oldestRelease: string | null): RawBuilder<unknown> {
  return sql`insert into kysely_applied values (${name}, now()::text, ${oldestRelease})`;
}

describe('a database of another version', () => {
  it('is refused in one sentence if it took another way', async () => {
    await sql`update kysely_applied set name = '0008-decision-desk' where name = '0008-sorting'`.execute(db);
    expect(await refusal()).toBe(
      'the database was made by another version of Kasente (its migration 0008-decision-desk is not known here): start the version that made it, or name an empty database. Nothing was changed.',
    );
  });

  it('is refused in one sentence if it kept no record of its migrations', async () => {
    await sql`drop table kysely_applied, kysely_migration`.execute(db);
    expect(await refusal()).toContain('(it has tables, but no record of migrations)');
  });

  it('is served if it is newer and its migrations only added, or say that this release works after them', async () => {
    await applied('9998-adds', null).execute(db);
    await applied('9999-takes-away', appVersion).execute(db);
    await sql`alter table invoices add column later text`.execute(db);
    expect(await migrate(db)).toEqual({
      newer: ['9998-adds', '9999-takes-away'],
      differences: { missing: [], altered: [], added: [] },
    });
  });

  it('is refused in one sentence if it is newer and took away what this release uses', async () => {
    await applied('9998-adds', null).execute(db);
    await applied('9999-takes-away', '1000.0.0').execute(db);
    expect(await refusal()).toBe(
      `the database is of a newer version of Kasente: after its migration 9999-takes-away none before 1000.0.0 works, and this is ${appVersion}. Start that one, or restore the backup that was made before it. Nothing was changed.`,
    );
  });

  it('is not refused where it is of this one', async () => {
    await expect(migrate(db)).resolves.toEqual({ newer: [], differences: { missing: [], altered: [], added: [] } });
  });
});

describe('a migration that has to wait for a table', () => {
  it('gives up after a moment, because every request on that table waits behind it', async () => {
    const name = await makeEmptyDatabase();
    await onDatabase(name, async (older) => {
      await older.inTransaction((change) => migrateTo(change, '0028-one-count'));
      await older.inTransaction(async (writing) => {
        await sql`lock table invoices in row exclusive mode`.execute(writing);
        await expect(migrate(older)).rejects.toThrow(
          'the database could not be brought to this version: somebody works on a table for more than 3 s, such as a backup. Nothing was changed. Start again when that is done.',
        );
      });
      await expect(migrate(older)).resolves.toEqual({
        newer: [],
        differences: { missing: [], altered: [], added: [] },
      });
    });
    await dropDatabases([name]);
  });
});

/** An application of release 1.0.0: UGX 1,000 invoiced, 900 advanced, 801 in cash. Columns of its row, and its payments. */
interface Paid {
  readonly row: Readonly<Record<string, string>>;
  /** Kind, amount, by whom a receipt was paid, and which of them it reverses, from 1. */
  readonly payments: readonly (readonly [string, number, (string | null)?, number?])[];
}

const DISBURSED = { status: 'Disbursed', due_on: '2026-12-21' };
const OUT = ['disbursement', 801] as const;

const paidOnes: readonly Paid[] = [
  { row: { ...DISBURSED, outstanding: '900' }, payments: [OUT] },
  { row: { ...DISBURSED, outstanding: '600' }, payments: [OUT, ['receipt', 300, 'buyer']] },
  {
    row: {
      ...{ ...DISBURSED, status: 'Settled', outstanding: '0', surplus_owed: '60' },
      ...{ settled_on: '2026-12-01', settled_at: '2026-12-01' },
    },
    payments: [OUT, ['receipt', 1000, 'buyer'], ['surplus', 40]],
  },
  { row: { status: 'Approved' }, payments: [OUT, ['disbursement', -801, null, 1]] },
  {
    row: { ...DISBURSED, outstanding: '900' },
    payments: [OUT, ['receipt', 300, 'client'], ['receipt', -300, 'client', 2]],
  },
];

/** A database of release 1.0.0 with those applications. */
async function fillPaid(older: Database): Promise<void> {
  await older.inTransaction((change) => migrateTo(change, '0029-change-in-place'));
  await sql`insert into businesses (name, industry_id, district_id, is_client, is_buyer, active, created_at)
    values ('A client', 1, 1, true, false, true, now()), ('A buyer', 1, 1, false, true, true, now())`.execute(older);
  await sql`insert into persons (username, username_kind, password_hash, status, phone, business_id, created_at)
    values ('0700000001', 'phone', '-', 'Active', '0700000001', 1, now())`.execute(older);
  for (const [index, { row, payments }] of paidOnes.entries()) {
    const all = {
      ...{ business_id: 1, buyer_id: 2, currency_id: 1, invoice_number: `N${index}`, invoice_number_key: `n${index}` },
      ...{ invoice_date: '2026-11-01', listed_on: '2026-11-01', face_value: '1000', created_at: '2026-11-01' },
      ...{ created_by: 1, submitted_by: 1, submitted_at: '2026-11-02', decided_by: 1, decided_at: '2026-11-03' },
      ...{ application_tag: crypto.randomUUID(), application_version: 1, application_reference: crypto.randomUUID() },
      ...{ application_date: '2026-11-02', advance: '900', financing_period_id: 1, tenor_days: 30, fee_rate_bps: 1100 },
      ...{ discount_fee: '99', net_proceeds: '801', ...row },
    };
    const [columns, values] = [Object.keys(all).map((name) => sql.ref(name)), Object.values(all)];
    const { rows } = await sql<{ id: number }>`insert into invoices (${sql.join(columns)})
      values (${sql.join(values)}) returning id`.execute(older);
    const ids: number[] = [];
    for (const [nth, [kind, amount, payer = null, reverses]] of payments.entries()) {
      const reversed = reverses === undefined ? null : (ids[reverses - 1] ?? null);
      const entry = await sql<{ id: number }>`insert into ledger_entries (invoice_id, kind, amount, paid_on, method,
          reference, payer, reverses, reason, recorded_at, recorded_by)
        values (${rows[0]?.id}, ${kind}, ${amount}, '2026-11-21', ${kind === 'receipt' ? 'bank' : 'mobileMoney'},
          ${`${index}-${nth}`}, ${payer}, ${reversed}, ${reversed === null ? null : 'A mistake'}, now(), 1)
        returning id`.execute(older);
      ids.push(...entry.rows.map(({ id }) => id));
    }
  }
}

describe('the payments of release 1.0.0', () => {
  it('are in the journal, to the shilling', async () => {
    const name = await makeEmptyDatabase();
    await onDatabase(name, async (older) => {
      await fillPaid(older);
      await migrate(older);
      const { rows } = await sql<{ number: string; balances: Record<string, number> }>`
        select invoice_number as number, json_object_agg(account, balance) as balances from (
          select invoice_number, account, sum(line.amount) as balance from journal_lines as line
          join journal_entries as entry on entry.id = entry_id join invoices on invoices.id = invoice_id
          group by invoice_number, account having sum(line.amount) <> 0) as balance
        group by invoice_number order by invoice_number`.execute(older);
      const out = { cashMobileMoney: -801, feesNotEarned: -99 };
      const owing = (advances: number, buyersOwe: number) => ({ advances, buyersOwe, financedInvoices: -buyersOwe });
      expect(rows).toEqual([
        { number: 'N0', balances: { ...out, ...owing(900, 1000) } },
        { number: 'N1', balances: { ...out, cashBank: 300, ...owing(600, 700) } },
        { number: 'N2', balances: { cashMobileMoney: -841, cashBank: 1000, feesNotEarned: -99, clientPayable: -60 } },
        { number: 'N4', balances: { ...out, ...owing(900, 1000) } },
      ]);
    });
    await dropDatabases([name]);
  });

  it('are refused where a row differs from them by a cent, and nothing is changed', async () => {
    const name = await makeEmptyDatabase();
    await onDatabase(name, async (older) => {
      await fillPaid(older);
      await sql`update invoices set outstanding = 599.99 where invoice_number = 'N1'`.execute(older);
      await expect(migrate(older)).rejects.toThrow(
        /the payments of invoice \d+ do not add up: 599\.99 owed in its row and 600\.00 in the journal/,
      );
      expect((await selectApplied(older)).at(-1)?.name).toBe('0029-change-in-place');
      const { rows } = await sql`select to_regclass('journal_entries') as journal`.execute(older);
      expect(rows).toEqual([{ journal: null }]);
    });
    await dropDatabases([name]);
  });
});

describe('a request under way', () => {
  it('reads the invoices too once it has read the businesses, and the migration waits for it', async () => {
    const name = await makeEmptyDatabase();
    await onDatabase(name, async (older) => {
      await older.inTransaction((change) => migrateTo(change, '0027-message-states'));
      const migrated = await older.inTransaction(async (request) => {
        await sql`select from businesses`.execute(request);
        const migrating = migrate(older);
        migrating.catch(() => undefined);
        await until(async () => {
          const { rows } = await sql`select from pg_locks join pg_stat_activity using (pid)
            where not granted and locktype = 'relation' and datname = ${name}`.execute(older);
          return rows.length > 0;
        });
        await sql`set local lock_timeout = 100`.execute(request);
        await sql`select from invoices`.execute(request);
        return { migrating };
      });
      await expect(migrated.migrating).resolves.toMatchObject({ newer: [] });
    });
    await dropDatabases([name]);
  });
});

describe('the record of migrations', () => {
  it('names each, and keeps for release 0.1.0 those that it knows or does not bear', async () => {
    expect((await selectApplied(db)).map(({ name }) => name)).toEqual(migrationNames);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    const known = migrationNames.filter((one) => one <= '0024-held-texts');
    expect(rows.map((row) => row.name)).toEqual([...known, '0060-without-copies']);
  });

  it('says which releases work after a migration, and keeps 0.1.0 out where it does not', async () => {
    await recordApplied(db, '9998-adds', { up: async () => undefined });
    await recordApplied(db, '9999-takes-away', { up: async () => undefined, oldestRelease: '1.2.0' });
    expect((await selectApplied(db)).at(-1)).toEqual({ name: '9999-takes-away', oldestRelease: '1.2.0' });
    const { rows } = await sql`select name from kysely_migration where name > '0060-without-copies'`.execute(db);
    expect(rows).toEqual([{ name: '9999-takes-away' }]);
  });
});

describe('a schema that somebody changed', () => {
  it('is refused where it lacks what this release uses, by name', async () => {
    await sql`alter table persons drop column designation`.execute(db);
    await sql`drop index invoices_of_all`.execute(db);
    expect(await refusal()).toBe(
      'the database lacks what this version uses (column persons.designation, index invoices_of_all): somebody changed it by hand. Put that back as docs/upgrading.md says, or restore a backup.',
    );
  });

  it('is reported by name if it differs from this release’s or has more', async () => {
    await sql`alter table audit_events disable trigger user`.execute(db);
    await sql`create policy everybody on persons using (true)`.execute(db);
    const { differences } = await migrate(db);
    expect(differences.missing).toEqual([]);
    expect(differences.added).toEqual(['policy persons.everybody']);
    expect(differences.altered).not.toEqual([]);
    expect(new Set(differences.altered.map((part) => part.split('.')[0]))).toEqual(new Set(['trigger audit_events']));
  });
});
