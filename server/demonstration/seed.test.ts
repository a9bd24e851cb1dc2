import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { statuses, statusTraits } from '#contract/applications/lifecycle.ts';
import { isMissed } from '#contract/applications/sla.ts';
import { balanceOf } from '#contract/payments/balance.ts';
import { bucketOf, overdueBucketNames } from '#contract/payments/buckets.ts';
import { accountState } from '#contract/payouts/account.ts';
import { addDays, daysBetween, kampalaDate } from '#contract/time/calendar.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#contract/time/durations.ts';
import { anchorAudit, verifyAudit } from '#server/audit/audit.service.ts';
import { systemActor } from '#server/calls/caller.ts';
import { findSummaries } from '#server/collections/collections.service.ts';
import { readBook } from '#server/figures/figures.service.ts';
import { selectStandingOf } from '#server/journal/journal.queries.ts';
import { appOfFile, appOfTest } from '#testing/test-app.ts';
import { seedDemonstration } from './seed.ts';

/** The test's clock shows Friday 20 November 2026, 12:00 in Kampala. */

describe('the demonstration', () => {
  const base = appOfFile();
  beforeAll(async () => {
    expect(await seedDemonstration(base.platform)).toBe(true);
  });

  const invoices = () => base.platform.db.selectFrom('invoices').selectAll().orderBy('id').execute();

  it('has people as sign-up creates them, with a gender, a sector and a district', async () => {
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
      { username: '0700000003', status: 'Active' },
      { username: 'newcomer@kasente.test', status: 'Verified' },
    ]);
  });

  it('has a few invoices in every status, of the clients who are not late', async () => {
    const rows = (await invoices()).filter(({ invoice_number }) => !invoice_number.startsWith('MCT'));
    for (const status of statuses) {
      const owners = new Set(rows.filter((row) => row.status === status).map(({ business_id }) => business_id));
      expect([status, owners.size]).toEqual([status, 2]);
    }
  });

  it('has steps that the table allows, with accepted key facts and nothing in the future', async () => {
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

  it('has ledgers that match the invoices, one overdue, one with a surplus', async () => {
    const paid = (await invoices()).filter(({ status }) => status === 'Disbursed' || status === 'Settled');
    const ids = paid.map(({ id }) => id);
    const journal = await selectStandingOf(base.platform.db, ids);
    const balances = paid.map((row) => {
      const balance = balanceOf(
        row.advance ?? 0,
        journal.filter(({ invoiceId }) => invoiceId === row.id),
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
    const buckets = new Set(open.map((due) => bucketOf(daysBetween(due, '2026-11-20'))));
    expect(overdueBucketNames.filter((bucket) => !buckets.has(bucket))).toEqual([]);
    expect(open.some((due) => due >= '2026-11-20' && due <= '2026-11-27')).toBe(true);
  });

  it('has advances in both currencies, a dispute, and promises kept, broken and open', async () => {
    const { platform } = base;
    const paid = (await invoices()).filter(({ status }) => status === 'Disbursed' || status === 'Settled');
    const kinds = new Set(paid.map(({ currency_id, status }) => `${currency_id} ${status}`));
    expect([...kinds].sort()).toEqual(['1 Disbursed', '1 Settled', '2 Disbursed', '2 Settled']);
    const open = paid.filter(({ status }) => status === 'Disbursed');
    const listed = open.map(({ id, repayment_reference: reference }) => ({ id, reference, daysLate: 1 }));
    const summaries = [...(await findSummaries(platform.db, listed, kampalaDate(platform.clock.now()))).values()];
    expect(summaries.filter(({ disputed }) => disputed)).toHaveLength(1);
    const states = summaries.flatMap(({ promise }) => promise?.state ?? []);
    expect(states.sort()).toEqual(['broken', 'kept', 'open']);
  });

  it('has figures that match the journal', async () => {
    const { db, clock } = base.platform;
    const balances = db
      .selectFrom('journal_lines as line')
      .innerJoin('journal_entries as entry', 'entry.id', 'line.entry_id')
      .innerJoin('currencies', 'currencies.id', 'entry.currency_id')
      .where('account', '=', 'advances')
      .groupBy('currencies.code')
      .select(['currencies.code', sql<string>`sum(line.amount)::text`.as('sum')]);
    const journal = Object.fromEntries((await balances.execute()).map(({ code, sum }) => [code, sum]));
    const { currencies } = await readBook({ platform: base.platform, caller: systemActor('test', clock.now()) });
    expect(Object.fromEntries(currencies.map((one) => [one.currency, one.all.outstanding]))).toEqual(journal);
    expect(Object.keys(journal).sort()).toEqual(['UGX', 'USD']);
    const inBuckets = currencies[0]?.due.filter(({ applications }) => applications > 0).map(({ group }) => group);
    expect(inBuckets).toEqual(expect.arrayContaining([...overdueBucketNames]));
  });

  it('has an advance with more time, a written-off one with a recovery, and a payout in dollars to release', async () => {
    const { db } = base.platform;
    const kinds = db
      .selectFrom('journal_entries')
      .select(['kind', 'invoice_id'])
      .where('kind', 'in', ['extension', 'writeOff']);
    const entries = await kinds.orderBy('kind').execute();
    expect(entries.map(({ kind }) => kind)).toEqual(['extension', 'writeOff']);
    const [extended, lost] = entries.map(({ invoice_id: id }) => id ?? undefined);
    const rows = await invoices();
    const row = (id: number | undefined) => rows.find((one) => one.id === id);
    // A due date may have moved past a Sunday or holiday.
    expect(daysBetween(row(extended)?.paid_out_on ?? '', row(extended)?.due_on ?? '')).toBeGreaterThanOrEqual(14);
    expect(row(lost)).toMatchObject({ status: 'Disbursed', outstanding: 0 });
    const recovered = db
      .selectFrom('journal_lines')
      .innerJoin('journal_entries', 'journal_entries.id', 'entry_id')
      .where('account', '=', 'recoveries')
      .select(['invoice_id', 'journal_lines.amount']);
    expect(await recovered.execute()).toEqual([{ invoice_id: lost, amount: -60_000_000 }]);
    const prepared = db
      .selectFrom('payouts')
      .innerJoin('invoices', 'invoices.id', 'payouts.invoice_id')
      .where('released_at', 'is', null)
      .select('currency_id')
      .orderBy('currency_id');
    expect(await prepared.execute()).toEqual([{ currency_id: 1 }, { currency_id: 2 }]);
  });

  it('has more time and a write-off that wait for a second officer', async () => {
    const { db } = base.platform;
    const [extensions, proposals] = await Promise.all([
      db.selectFrom('extensions').select('offered_by').where('agreed_at', 'is', null).execute(),
      db.selectFrom('write_off_proposals').select('proposed_by').where('confirmed_at', 'is', null).execute(),
    ]);
    const officer = await db.selectFrom('persons').select('id').where('username', '=', 'staff@kasente.test').execute();
    expect([
      extensions.map(({ offered_by: id }) => ({ id })),
      proposals.map(({ proposed_by: id }) => ({ id })),
    ]).toEqual([officer, officer]);
  });

  it('has waiting cases, few of them late, with questions, assignees, a first approval and duplicates', async () => {
    const { db } = base.platform;
    const waiting = (await invoices()).filter(({ status }) => statusTraits[status].undecided);
    const late = waiting.filter((row) => isMissed(keptOf(row), base.platform.clock.now()));
    expect([waiting.length, late.length]).toEqual([10, 1]);
    expect(waiting.filter(({ holder_id }) => holder_id !== null)).toHaveLength(5);
    expect(waiting.filter(({ first_approved_by }) => first_approved_by !== null)).toHaveLength(1);
    expect(
      await db.selectFrom('information_requests').select('id').where('closed_at', 'is', null).execute(),
    ).toHaveLength(2);
    expect(await db.selectFrom('invoice_flags').select('kind').execute()).toContainEqual({ kind: 'nearAmountAndDate' });
  });

  it('has payout accounts that wait, are usable and frozen, and a payout that its second officer can release', async () => {
    const { db, clock, config } = base.platform;
    const accounts = await db
      .selectFrom('payout_accounts')
      .select(['verified_at as verifiedAt', 'skips_wait as skipsWait'])
      .select(['frozen_at as frozenAt', 'replaced_at as replacedAt'])
      .execute();
    const states = new Set(accounts.map((one) => accountState(one, clock.now(), config.payoutAccountWaitMs)));
    expect([...states].sort()).toEqual(['frozen', 'unverified', 'usable', 'waiting']);
    const payouts = await db.selectFrom('payouts').selectAll().execute();
    const entries = await db.selectFrom('journal_entries').select('tag').where('kind', '=', 'disbursement').execute();
    const released = payouts.flatMap(({ entry_tag: tag }) => tag ?? []);
    expect(new Set(released)).toEqual(new Set(entries.map(({ tag }) => tag)));
    const open = payouts.filter(({ entry_tag: tag }) => tag === null);
    const officers = await db
      .selectFrom('persons')
      .select('username')
      .where(
        'id',
        'in',
        open.map(({ prepared_by: by }) => by),
      )
      .execute();
    expect(officers).toEqual([{ username: 'staff@kasente.test' }]);
  });

  it('leaves each client UGX 50,000,000 of their limit, set by the administrator', async () => {
    const { db } = base.platform;
    const limits = await db
      .selectFrom('funding_limits')
      .innerJoin('persons', 'persons.id', 'funding_limits.set_by')
      .select(['funding_limits.business_id', 'amount', 'username'])
      .execute();
    expect(limits).toHaveLength(3);
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

  it('has posted its earned fees up to today, and the whole fee of an advance whose term is over', async () => {
    const today = kampalaDate(base.clock.now());
    const earned = await base.platform.db
      .selectFrom('journal_entries')
      .where('kind', '=', 'feeEarned')
      .groupBy('invoice_id')
      .select(['invoice_id', sql<number>`sum(amount)`.as('sum')])
      .execute();
    const paidOut = (await invoices()).filter(({ paid_out_on }) => paid_out_on !== null);
    const extensions = await base.platform.db
      .selectFrom('extensions')
      .select(['invoice_id', 'fee', 'due_on'])
      .execute();
    expect(earned).toHaveLength(paidOut.length);
    for (const { id, paid_out_on, tenor_days, discount_fee } of paidOut) {
      const more = extensions.find(({ invoice_id }) => invoice_id === id);
      const isWhole =
        earned.find(({ invoice_id }) => invoice_id === id)?.sum === (discount_fee ?? 0) + (more?.fee ?? 0);
      expect(isWhole).toBe((more?.due_on ?? addDays(paid_out_on ?? '', tenor_days ?? 0)) <= today);
    }
  });

  it('is logged, sent no messages, and is seeded once', async () => {
    await anchorAudit(base.platform);
    const { events, uncovered, faults } = await verifyAudit(base.platform);
    expect(events).toBeGreaterThan(50);
    expect({ uncovered, faults }).toEqual({ uncovered: 0, faults: [] });
    expect(await base.platform.db.selectFrom('messages').select('id').execute()).toEqual([]);
    expect(await seedDemonstration(base.platform)).toBe(false);
  });
});

describe('on another day', () => {
  const base = appOfTest();

  it.each([
    ['Sunday, 03:00', 39 * HOUR_SECONDS],
    ['Monday, a minute after opening', 68 * HOUR_SECONDS + 60],
    ['the second of January', 43 * DAY_SECONDS],
  ])('%s, it is as it is', async (_, seconds) => {
    base.clock.advance(seconds);
    expect(await seedDemonstration(base.platform)).toBe(true);
    const now = base.clock.now();
    const rows = await base.platform.db.selectFrom('invoices').selectAll().execute();
    expect(new Set(rows.map(({ status }) => status)).size).toBe(statuses.length);
    const late = rows.filter((row) => statusTraits[row.status].undecided && isMissed(keptOf(row), now));
    expect(late).toHaveLength(1);
    // Only the third client may not submit.
    const days = ({ due_on: due }: (typeof rows)[number]) => daysBetween(due ?? '', kampalaDate(now));
    const blocking = rows.filter((row) => row.status === 'Disbursed' && days(row) > 3);
    expect(blocking.filter(({ invoice_number }) => !invoice_number.startsWith('MCT'))).toEqual([]);
    expect(blocking.length).toBeGreaterThan(0);
    const entries = await base.platform.db
      .selectFrom('journal_entries')
      .select(['occurred_on', 'recorded_at'])
      .execute();
    expect(entries.filter(({ recorded_at }) => recorded_at > now)).toEqual([]);
    expect(entries.filter(({ occurred_on }) => occurred_on > kampalaDate(now))).toEqual([]);
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
