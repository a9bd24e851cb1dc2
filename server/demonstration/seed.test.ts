import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { statuses, statusTraits } from '#contract/applications/lifecycle.ts';
import { isMissed } from '#contract/applications/sla.ts';
import { balanceOf } from '#contract/payments/balance.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#contract/time/durations.ts';
import { anchorAudit, verifyAudit } from '#server/audit/audit.service.ts';
import { createTestPlatform, type TestPlatform } from '#server/testing/test-platform.ts';
import { seedDemonstration } from './seed.ts';

/** The test's clock stands at Friday 20 November 2026, 12:00 in Kampala. */

describe('the demonstration', () => {
  let base: TestPlatform;
  beforeAll(async () => {
    base = await createTestPlatform();
    expect(await seedDemonstration(base.platform)).toBe(true);
  });
  afterAll(() => base.close());

  const invoices = () => base.platform.db.selectFrom('invoices').selectAll().orderBy('id').execute();

  it('has people as sign-up makes them: with a gender, a sector and a district', async () => {
    const people = await base.platform.db
      .selectFrom('persons')
      .innerJoin('districts', 'districts.id', 'persons.district_id')
      .innerJoin('sectors', 'sectors.id', 'persons.industry_id')
      .where('gender', 'is not', null)
      .select(['username', 'persons.status'])
      .orderBy('persons.id')
      .execute();
    expect(people).toEqual([
      { username: 'admin@kasente.test', status: 'Active' },
      { username: 'staff@kasente.test', status: 'Active' },
      { username: '0700000001', status: 'Active' },
      { username: '0700000002', status: 'Active' },
      { username: 'newcomer@kasente.test', status: 'Verified' },
    ]);
  });

  it('has a few invoices in every status, of both clients', async () => {
    const rows = await invoices();
    for (const status of statuses) {
      const owners = new Set(rows.filter((row) => row.status === status).map(({ business_id }) => business_id));
      expect([status, owners.size]).toEqual([status, 2]);
    }
  });

  it('came to each of them by the steps of the table, with key facts accepted and nothing in the future', async () => {
    const { db, clock } = base.platform;
    const taken = await db.selectFrom('application_steps').selectAll().orderBy('id').execute();
    const accepted = await db.selectFrom('key_facts_acceptances').select('invoice_id').execute();
    for (const { id, status } of await invoices()) {
      const steps = taken.filter(({ invoice_id }) => invoice_id === id);
      const path = ['Draft', ...steps.map(({ to_status }) => to_status)];
      expect(path.at(-1)).toBe(status);
      expect(steps.map(({ from_status }) => from_status)).toEqual(path.slice(0, -1));
      const times = steps.map(({ at }) => at.getTime());
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(Math.max(0, ...times)).toBeLessThanOrEqual(clock.now().getTime());
      expect(accepted.some(({ invoice_id }) => invoice_id === id)).toBe(status !== 'Draft');
    }
  });

  it('has ledgers that add up to what the invoices say, one overdue, one with a surplus', async () => {
    const ledger = await base.platform.db.selectFrom('ledger_entries').selectAll().execute();
    const paid = (await invoices()).filter(({ status }) => status === 'Disbursed' || status === 'Settled');
    const balances = paid.map((row) => {
      const balance = balanceOf(
        row.advance ?? 0,
        ledger.filter(({ invoice_id }) => invoice_id === row.id),
      );
      expect([row.invoice_number, balance.disbursed, balance.outstanding]).toEqual([
        row.invoice_number,
        row.net_proceeds,
        row.outstanding,
      ]);
      return balance;
    });
    expect(balances.some(({ surplusOwed }) => surplusOwed > 0)).toBe(true);
    const open = paid.filter(({ status }) => status === 'Disbursed').map(({ due_on }) => due_on ?? '');
    expect(open.some((due) => due < '2026-11-20')).toBe(true);
    expect(open.some((due) => due >= '2026-11-20' && due <= '2026-11-27')).toBe(true);
  });

  it('has cases that wait, few of them late, with questions, holders, a first approval and duplicates', async () => {
    const { db } = base.platform;
    const waiting = (await invoices()).filter(({ status }) => statusTraits[status].undecided);
    const late = waiting.filter((row) => isMissed(keptOf(row), base.platform.clock.now()));
    expect([waiting.length, late.length]).toEqual([8, 1]);
    expect(waiting.filter(({ holder_id }) => holder_id !== null)).toHaveLength(3);
    expect(waiting.filter(({ first_approved_by }) => first_approved_by !== null)).toHaveLength(1);
    expect(
      await db.selectFrom('information_requests').select('id').where('closed_at', 'is', null).execute(),
    ).toHaveLength(2);
    expect(await db.selectFrom('invoice_flags').select('kind').execute()).toContainEqual({ kind: 'nearAmountAndDate' });
  });

  it('leaves each client UGX 50,000,000 of their limit, set by the administrator', async () => {
    const { db } = base.platform;
    const limits = await db
      .selectFrom('funding_limits')
      .innerJoin('persons', 'persons.id', 'funding_limits.set_by')
      .select(['funding_limits.business_id', 'amount', 'username'])
      .execute();
    expect(limits).toHaveLength(2);
    const rows = await invoices();
    for (const { business_id, amount, username } of limits) {
      const used = rows
        .filter((row) => row.business_id === business_id && row.currency_id === 1)
        .map(({ status, advance, outstanding }) => {
          const { uses } = statusTraits[status];
          return uses === 'nothing' ? 0 : ((uses === 'advance' ? advance : outstanding) ?? 0);
        });
      expect(amount - used.reduce((sum, one) => sum + one, 0)).toBe(5_000_000_000);
      expect(username).toBe('admin@kasente.test');
    }
  });

  it('is on record, has told nobody anything, and is put there once', async () => {
    await anchorAudit(base.platform);
    const { events, uncovered, faults } = await verifyAudit(base.platform);
    expect(events).toBeGreaterThan(50);
    expect({ uncovered, faults }).toEqual({ uncovered: 0, faults: [] });
    expect(await base.platform.db.selectFrom('messages').select('id').execute()).toEqual([]);
    expect(await seedDemonstration(base.platform)).toBe(false);
  });
});

describe('on another day', () => {
  let base: TestPlatform;
  afterEach(() => base.close());

  it.each([
    ['Sunday, 03:00', 39 * HOUR_SECONDS],
    ['Monday, a minute after opening', 68 * HOUR_SECONDS + 60],
    ['the second of January', 43 * DAY_SECONDS],
  ])('%s, it is as it is', async (_, seconds) => {
    base = await createTestPlatform();
    base.clock.advance(seconds);
    expect(await seedDemonstration(base.platform)).toBe(true);
    const now = base.clock.now();
    const rows = await base.platform.db.selectFrom('invoices').selectAll().execute();
    expect(new Set(rows.map(({ status }) => status)).size).toBe(statuses.length);
    const late = rows.filter((row) => statusTraits[row.status].undecided && isMissed(keptOf(row), now));
    expect(late).toHaveLength(1);
    const entries = await base.platform.db.selectFrom('ledger_entries').select(['paid_on', 'recorded_at']).execute();
    expect(entries.filter(({ recorded_at }) => recorded_at > now)).toEqual([]);
    expect(entries.filter(({ paid_on }) => paid_on > kampalaDate(now))).toEqual([]);
  });
});

interface Row {
  readonly clock_runs_since: Date | null;
  readonly clock_used_ms: number;
  readonly decide_by: Date | null;
  readonly promise_missed_at: Date | null;
  readonly decided_at: Date | null;
}

function keptOf(row: Row) {
  const clock = { runsSince: row.clock_runs_since, usedMs: row.clock_used_ms, decideBy: row.decide_by };
  return { clock, missedAt: row.promise_missed_at, decidedAt: row.decided_at };
}
