import { fill } from '#bench/fills/desk-queue.fill.ts';
import { queueViewNames } from '#contract/desk/schema.ts';
import { HOUR_MS } from '#contract/time/durations.ts';
import { selectAttention } from '#server/applications/attention.queries.ts';
import { findBlockingOverdue } from '#server/collections/overdue-block.service.ts';
import { selectDueIds as selectReminders } from '#server/collections/reminders.queries.ts';
import { readConfig } from '#server/config/config.ts';
import type { Database } from '#server/db/database.ts';
import { findHistory } from '#server/desk/case.queries.ts';
import {
  findQueuePage,
  type QueueMoment,
  type QueuePage,
  selectQueueCounts,
  selectQueuePage,
} from '#server/desk/queue.queries.ts';
import { selectKept, selectKeptByWeek } from '#server/desk/sla/sla-kept.queries.ts';
import { selectDueIds } from '#server/desk/sla/sla-sweep.queries.ts';
import { duePayouts } from '#server/payouts/board.queries.ts';
import { BUSINESSES, businessAt, type Measured, measureAll, onFilledDatabase, ROWS, statement } from './plans.ts';

/**
 * The cost of the decision desk's queues, counts and figures with a million applications; five thousand wait for a decision
 * (docs/decisions/0013-decision-desk.md).
 *
 *   node bench/plans/desk-queue.ts [invoices] [--plans] [--generic]
 */

const UNDECIDED = Math.min(5000, ROWS / 10);
const NOW = new Date('2026-11-20T09:00:00Z');
const DAY_MS = 24 * HOUR_MS;

const moment: QueueMoment = {
  personId: 1,
  now: NOW,
  soon: new Date(NOW.getTime() + HOUR_MS),
  today: '2026-11-20',
  monthBegan: new Date('2026-10-31T21:00:00Z'),
};

const reminders = { days: [-3, 0, 1, 3, 7, 14, 30], today: moment.today, until: 37 };
const blocking = { config: readConfig({}), clock: { now: () => NOW } };

function queue(db: Database, page: QueuePage): Measured {
  const search = page.searchPhrase === '' ? '' : `, search "${page.searchPhrase}"`;
  return {
    name: `queue: ${page.view}, page ${page.page}${search}`,
    run: async () => (await findQueuePage(db, page, moment))[0]?.total,
    statements: [selectQueuePage(db, page, moment).compile()],
  };
}

function plain(name: string, run: () => Promise<number | undefined>): Measured {
  return { name, run, statements: [] };
}

function everything(db: Database, largest: number): Measured[] {
  const page = { searchPhrase: '', page: 1, size: 10 };
  const undecided = { ...page, view: 'undecided' } as const;
  return [
    ...queueViewNames.map((view) => queue(db, { ...page, view })),
    queue(db, { ...undecided, page: UNDECIDED / 10 }),
    queue(db, { ...undecided, searchPhrase: 'client 500 ' }),
    queue(db, { ...undecided, searchPhrase: 'inv-099' }),
    queue(db, { ...undecided, searchPhrase: 'zq' }),
    queue(db, { ...page, view: 'disbursed', searchPhrase: 'zq' }),
    queue(db, { ...page, view: 'decidedThisMonth', searchPhrase: 'buyer 77 ' }),
    statement(db, 'payouts that are due', duePayouts.compile(db)),
    statement(db, 'counts of the queues', selectQueueCounts(moment).compile(db)),
    statement(db, 'promise kept, this month', selectKept(moment.monthBegan, NOW).compile(db)),
    statement(
      db,
      'promise kept, twelve weeks',
      selectKeptByWeek(new Date(NOW.getTime() - 84 * DAY_MS), NOW).compile(db),
    ),
    plain('promises to tell as missed', async () => (await selectDueIds(db, NOW, 500)).length),
    plain('reminders to send', async () => (await selectReminders(db, reminders, 500)).length),
    plain('what stops the largest client', async () => (await findBlockingOverdue(blocking, db, largest)).length),
    plain('what matters to the largest client', async () => (await selectAttention(db, largest, moment.today)).length),
    plain('history of the largest client', async () => {
      const client = { id: ROWS, businessId: largest, buyerId: BUSINESSES + 1 };
      return (await findHistory(db, client, moment.today)).applications;
    }),
  ];
}

await onFilledDatabase(
  (db) => fill(db, { invoices: ROWS, businesses: BUSINESSES, undecided: UNDECIDED }, NOW),
  async ({ db }) => measureAll(db, everything(db, (await businessAt(db, 0)).id)),
);
