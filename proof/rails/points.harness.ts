import { randomInt } from 'node:crypto';
import { kampalaDate } from '#contract/time/calendar.ts';
import { makeBatch } from '#server/transfers/batches/batches.harness.ts';
import { transfersOf } from '#server/transfers/transfers.harness.ts';
import { succeed } from '#testing/case-builders.ts';
import { until } from '#testing/until.ts';
import { approve, directions, payUnasked, type TransferOf, transactionOf } from './directions.harness.ts';
import {
  ask,
  fault,
  isStruck,
  killWaiting,
  ofApplication,
  ofTable,
  ofTransfer,
  orderAll,
  PAUSED,
  type Passage,
  type Point,
  rowOf,
  send,
  startCall,
  whenRow,
} from './killing.harness.ts';
import {
  type AccountDay,
  bringFiles,
  close,
  confirm,
  explain,
  importStatement,
  propose,
  readDay,
} from './officers.harness.ts';
import { type Fault, rails } from './rails.harness.ts';

/** The points at which a server is killed, from preparing a payment to closing its day. */

/** Whether the provider has the order. */
async function isTaken({ world, built }: Passage, row: TransferOf): Promise<boolean> {
  return (await transactionOf(world, built.rail, row)) !== undefined;
}

/** Keeps a transfer pending until its first status call; a request to pay waits for its phone anyway. */
const waiting = ({ direction }: Passage): Fault[] =>
  directions[direction].needsPhone ? [] : [{ fault: 'pending', asks: 1, operation: directions[direction].operation }];

/**
 * The end of a transfer is recorded in one batch with COMMIT: it is cut off, or committed without the server seeing it.
 */
function whileEndIsRecorded(isCut: boolean): Point {
  return async (passage) => {
    await fault(passage, ...waiting(passage));
    await orderAll(passage);
    const holding = await whenRow(passage, ({ said }) => said !== null);
    await approve(passage.world, passage.built);
    await killWaiting(passage, ofTable('journal_entries'), { holding, isCut });
    return isCut === ((await rowOf(passage))?.known_at === null);
  };
}

/** Points of payouts only. */
export const preparing = {
  'while it is prepared': async (passage) => {
    const prepared = directions[passage.direction].prepare;
    await killWaiting(passage, ofApplication(passage), { when: () => startCall(prepared(passage.built)) });
    return (await rowOf(passage)) === undefined;
  },
  'between preparing and order': async (passage) => {
    await directions[passage.direction].prepare(passage.built);
    await passage.server.kill();
    return (await rowOf(passage)) === undefined;
  },
} as const satisfies Record<string, Point>;

export const sending = {
  'while it is ordered': async (passage) => {
    const { prepare, order } = directions[passage.direction];
    await prepare(passage.built);
    await killWaiting(passage, ofApplication(passage), { when: () => startCall(order(passage.built)) });
    return (await rowOf(passage)) === undefined;
  },
  'before the claim': async (passage) => {
    await orderAll(passage);
    await killWaiting(passage, ofTransfer(await whenRow(passage, () => true)));
    return (await rowOf(passage))?.sent_at === null;
  },
  'after the claim, before the send': async (passage) => {
    const { world, built, direction } = passage;
    await directions[direction].prepare(built);
    // All calls share a token, so the fault names no number.
    await world.faults(built.rail, { ...PAUSED, operation: 'token' }, { fault: 'expire-tokens', seconds: 0 });
    await succeed(directions[direction].order(built));
    const row = await whenRow(passage, ({ sent_at }) => sent_at !== null);
    await passage.server.kill();
    return !(await isTaken(passage, row));
  },
  'in the send, before the provider takes it': async (passage) => {
    await fault(passage, { ...send(passage), fault: 'no-answer', taken: false });
    await orderAll(passage);
    const row = await whenRow(passage, ({ sent_at }) => sent_at !== null);
    await until(() => isStruck(passage));
    await passage.server.kill();
    return !(await isTaken(passage, row));
  },
  'in the send, after the provider took it': async (passage) => {
    await fault(passage, { ...send(passage), fault: 'no-answer', taken: true });
    await orderAll(passage);
    const row = await whenRow(passage, () => true);
    await until(() => isTaken(passage, row));
    await passage.server.kill();
    return (await rowOf(passage))?.said === null;
  },
  'after the answer, before its recording': async (passage) => {
    await fault(passage, { ...send(passage), ...PAUSED });
    await orderAll(passage);
    const row = await whenRow(passage, ({ sent_at }) => sent_at !== null);
    await killWaiting(passage, ofTransfer(row));
    return (await isTaken(passage, row)) && (await rowOf(passage))?.said === null;
  },
  'after the answer was recorded': async (passage) => {
    await fault(passage, ...waiting(passage));
    await orderAll(passage);
    await whenRow(passage, ({ said }) => said !== null);
    await passage.server.kill();
    return (await rowOf(passage))?.known_at === null;
  },
  'while the provider is asked': async (passage) => {
    await fault(passage, ...waiting(passage), { ...ask(passage), fault: 'no-answer', taken: true });
    await orderAll(passage);
    await whenRow(passage, ({ asks }) => asks === 2);
    await until(() => isStruck(passage));
    await passage.server.kill();
    return (await rowOf(passage))?.known_at === null;
  },
  'after it was asked, before that is recorded': async (passage) => {
    await fault(passage, ...waiting(passage), { ...ask(passage), ...PAUSED });
    await orderAll(passage);
    await killWaiting(passage, ofTransfer(await whenRow(passage, ({ asks }) => asks === 2)));
    return (await rowOf(passage))?.known_at === null;
  },
  'while the end is recorded, cut off': whileEndIsRecorded(true),
  'while the end is recorded, unheard': whileEndIsRecorded(false),
  'after the end was recorded, before its news': async (passage) => {
    await orderAll(passage);
    await whenRow(passage, ({ said }) => said !== null);
    await approve(passage.world, passage.built);
    await whenRow(passage, ({ known_at }) => known_at !== null);
    await passage.server.kill();
    return true;
  },
} as const satisfies Record<string, Point>;

/** The next part of a payout is ordered in the same step that records the last one. */
export const nextPart = {
  'while its next part is ordered': async (passage) => {
    const { built } = passage;
    await fault(passage, { ...send(passage), ...PAUSED });
    await orderAll(passage);
    const ofAccount = `select from payout_accounts where business_id = ${built.client.person.businessId} for update`;
    await killWaiting(passage, ofAccount);
    return (await rowOf(passage))?.known_at === null;
  },
  'after its next part was ordered': async (passage) => {
    await orderAll(passage);
    await until(async () => (await transfersOf(passage.world.app, passage.built)).length > 1);
    await passage.server.kill();
    return true;
  },
} as const satisfies Record<string, Point>;

/** Completes the payment, and lets an hour pass since its provider was last asked. */
async function whenAskedLongAgo(passage: Passage): Promise<TransferOf> {
  const { world, built } = passage;
  await orderAll(passage);
  await whenRow(passage, ({ said }) => said !== null);
  await approve(world, built);
  const row = await whenRow(passage, ({ known_at }) => known_at !== null);
  await world.app.database.owner.pool.query(
    `update provider_records set asked_at = asked_at - interval '1 hour' where transfer_id = $1`,
    [row.id],
  );
  return row;
}

function askAbout({ built }: Passage, { created_at, currency }: TransferOf): void {
  const day = { rail: built.rail, currency, day: kampalaDate(created_at) };
  startCall(built.officer.caller.post('/transfers/ask', day));
}

export const asking = {
  'while its day is asked about': async (passage) => {
    const row = await whenAskedLongAgo(passage);
    await fault(passage, { ...ask(passage), fault: 'no-answer', taken: true });
    askAbout(passage, row);
    await until(() => isStruck(passage));
    await passage.server.kill();
    return true;
  },
  'after its day was asked about, before that is kept': async (passage) => {
    const row = await whenAskedLongAgo(passage);
    const ofRecord = `select from provider_records where transfer_id = ${row.id} for update`;
    await killWaiting(passage, ofRecord, { when: () => askAbout(passage, row) });
    return true;
  },
} as const satisfies Record<string, Point>;

/** A transfer whose provider knows the end but does not report it; officers have been told that it is late. */
async function whenSilent(passage: Passage, isPaid: boolean): Promise<TransferOf> {
  const { world, built, direction } = passage;
  const { rail, msisdn } = built;
  const { operation } = directions[direction];
  world.noise[rail] = [
    ...world.noise[rail],
    { fault: 'error-before', status: 503, operation: `${operation}-status`, msisdn },
  ];
  const refused = { ...send(passage), fault: 'refuse', reason: rails[rail].refusals[direction] };
  await fault(passage, { ...send(passage), fault: 'lose-answer' }, ...(isPaid ? [] : [refused]));
  await orderAll(passage);
  const row = await whenRow(passage, ({ said }) => said !== null);
  await until(async () => {
    await approve(world, built);
    return ((await transactionOf(world, rail, row))?.state ?? 'pending') !== 'pending';
  });
  await world.app.database.owner.pool.query('update transfers set told_at = now() where id = $1', [row.id]);
  return row;
}

/** Another officer confirms the payment: cut off, or committed without the server seeing it. */
function whileConfirmed(isCut: boolean): Point {
  return async (passage) => {
    const { world, built } = passage;
    const holding = await whenSilent(passage, true);
    await succeed(propose(world, built, holding));
    const call = await confirm(world, holding);
    await killWaiting(passage, ofTable('journal_entries'), {
      when: () => startCall(call(built.payer)),
      holding,
      isCut,
    });
    return isCut === ((await rowOf(passage))?.known_at === null);
  };
}

export const endingByHand = {
  'while an officer says how it ended': async (passage) => {
    const row = await whenSilent(passage, randomInt(2) === 0);
    const call = () => startCall(propose(passage.world, passage.built, row));
    await killWaiting(passage, ofApplication(passage), { when: call });
    return (await rowOf(passage))?.is_ending === false;
  },
  'while another officer confirms it, cut off': whileConfirmed(true),
  'while another officer confirms it, unheard': whileConfirmed(false),
} as const satisfies Record<string, Point>;

/** A released payout in a file that the bank has paid. */
async function whenPaidByFile(passage: Passage): Promise<TransferOf> {
  await orderAll(passage);
  await bringFiles(passage.world, passage.built.officer);
  return whenRow(passage, ({ batch_id }) => batch_id !== null);
}

function importOf({ world, built }: Passage, rail: 'bank' | typeof built.rail): () => void {
  return () => startCall(importStatement(world, built.officer, rail));
}

/** The bank's statement ends a payout: cut off, or committed without the server seeing it. */
function whileStatementEndsIt(isCut: boolean): Point {
  return async (passage) => {
    const row = await whenPaidByFile(passage);
    const ofPayout = `select from payouts where id = ${row.payout_id} for update`;
    await killWaiting(passage, ofPayout, { when: importOf(passage, 'bank'), isCut });
    return isCut === ((await rowOf(passage))?.known_at === null);
  };
}

export const byFile = {
  'while its file is made': async (passage) => {
    await orderAll(passage);
    const when = () => startCall(makeBatch(passage.built.officer));
    await killWaiting(passage, ofTable('payout_batches'), { when });
    return (await rowOf(passage))?.batch_id === null;
  },
  'after its file was made, before anybody has it': async (passage) => {
    await orderAll(passage);
    startCall(makeBatch(passage.built.officer));
    await whenRow(passage, ({ batch_id }) => batch_id !== null);
    await passage.server.kill();
    return true;
  },
  'between the statement that has it and its end': async (passage) => {
    const row = await whenPaidByFile(passage);
    await killWaiting(passage, ofTransfer(row), { when: importOf(passage, 'bank') });
    return (await rowOf(passage))?.known_at === null;
  },
  'while a statement ends it, cut off': whileStatementEndsIt(true),
  'while a statement ends it, unheard': whileStatementEndsIt(false),
} as const satisfies Record<string, Point>;

/** The journal's entries for an unasked payment. */
async function entriesOf({ world, built }: Passage): Promise<readonly string[]> {
  const { transactions } = await world.providers[built.rail].book();
  const own = transactions.find(({ kind, msisdn }) => kind === 'payment' && msisdn === built.msisdn);
  const { rows } = await world.app.platform.pool.query<{ kind: string }>(
    'select kind from journal_entries where method = $1 and reference = $2 order by id',
    [built.rail, own?.financialId],
  );
  return rows.map(({ kind }) => kind);
}

/** A statement's entries are written with COMMIT: cut off, or committed without the server seeing it. */
function whileImported(isCut: boolean): Point {
  return async (passage) => {
    await payUnasked(passage.world, passage.built);
    await killWaiting(passage, ofTable('suspense'), { when: importOf(passage, passage.built.rail), isCut });
    return isCut === ((await entriesOf(passage)).length === 0);
  };
}

export const byStatement = {
  'while its statement is imported, cut off': whileImported(true),
  'while its statement is imported, unheard': whileImported(false),
  'between the import and its credit': async (passage) => {
    await payUnasked(passage.world, passage.built);
    await killWaiting(passage, ofApplication(passage), { when: importOf(passage, passage.built.rail) });
    return (await entriesOf(passage)).join() === 'arrival';
  },
} as const satisfies Record<string, Point>;

/** A day with a charge that is in the bank's statement but not in the journal. */
async function chargedDay({ world, built }: Passage): Promise<AccountDay> {
  const { statement, ...day } = world.bank.charge();
  await succeed(importStatement(world, built.officer, 'bank', statement));
  return day;
}

/** Closes a day: cut off, or committed without the server seeing it. */
export async function killWhileClosed(passage: Passage, day: AccountDay, isCut: boolean): Promise<boolean> {
  const when = () => startCall(close(passage.built.payer, day));
  await killWaiting(passage, ofTable('reconciled_days'), { when, isCut });
  const closed = 'select from reconciled_days where (rail, day) = ($1, $2)';
  const { rows } = await passage.world.app.platform.pool.query(closed, [day.rail, day.day]);
  return isCut === (rows.length === 0);
}

function whileClosed(isCut: boolean): Point {
  return async (passage) => {
    const { officer } = passage.built;
    const day = await chargedDay(passage);
    for (const one of (await readDay(officer, day)).differences) await succeed(explain(officer, day, one));
    return killWhileClosed(passage, day, isCut);
  };
}

export const closing = {
  'while a difference is explained': async (passage) => {
    const { officer } = passage.built;
    const day = await chargedDay(passage);
    const [named] = (await readDay(officer, day)).differences;
    if (named === undefined) throw new Error('the charge is not named');
    await killWaiting(passage, ofTable('explained_differences'), {
      when: () => startCall(explain(officer, day, named)),
    });
    const { rows } = await passage.world.app.platform.pool.query('select from explained_differences where day = $1', [
      day.day,
    ]);
    return rows.length === 0;
  },
  'while its day is closed, cut off': whileClosed(true),
  'while its day is closed, unheard': whileClosed(false),
} as const satisfies Record<string, Point>;
