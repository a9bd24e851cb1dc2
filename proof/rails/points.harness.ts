import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { succeed } from '#server/testing/case-builders.ts';
import { until } from '#server/testing/until.ts';
import { approve, type DirectionId, directions, transferOf } from './directions.harness.ts';
import { type Fault, type PaidCase, type RailsWorld, rails } from './rails.harness.ts';

/**
 * Where a server is killed. Nothing is planted in it: it waits where PostgreSQL holds a row from it, or the provider its
 * answer, and dies there.
 */

/** One case on its way to its point. */
export interface Passage {
  readonly world: RailsWorld;
  readonly built: PaidCase;
  readonly direction: DirectionId;
  /** SIGKILL; returns when the server is gone. */
  kill(): Promise<void>;
}

/** Brings a case to the point and kills the server there; whether that was the point, by what both books say after it. */
type Point = (passage: Passage) => Promise<boolean>;

/** All that people do until it is sent. */
export async function order({ built, direction }: Pick<Passage, 'built' | 'direction'>): Promise<void> {
  await directions[direction].prepare(built);
  await succeed(directions[direction].order(built));
}

type Row = NonNullable<Awaited<ReturnType<typeof transferOf>>>;

function rowOf({ world, built, direction }: Passage): Promise<Row | undefined> {
  return transferOf(world, built, direction);
}

/** Waits until the transfer is so. */
async function whenRow(passage: Passage, holds: (row: Row) => boolean): Promise<Row> {
  let found: Row | undefined;
  await until(async () => {
    found = await rowOf(passage);
    return found !== undefined && holds(found);
  });
  if (found === undefined) throw new Error('there is no transfer');
  return found;
}

/** Whether the provider has the order. */
async function isTaken({ world, built }: Passage, { reference }: Row): Promise<boolean> {
  const { transactions } = await world.providers[built.rail].book();
  return transactions.some(({ id }) => id === rails[built.rail].idOf(reference));
}

/** Holds what that statement locks until the server waits for it, kills the server there, and lets go. */
async function killWaiting(
  passage: Passage,
  lock: string,
  { when, isCut = true }: { readonly when?: () => void; readonly isCut?: boolean } = {},
): Promise<void> {
  const client = await passage.world.app.database.owner.pool.connect();
  try {
    await client.query('begin');
    await client.query(lock);
    when?.();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const blocked = `select pid from pg_stat_activity where ${rows[0]?.pid} = any(pg_blocking_pids(pid))`;
    await until(async () => (await passage.world.app.database.owner.pool.query(blocked)).rows.length > 0);
    await passage.kill();
    // A COMMIT that is on its way already is done, where the machine that sends it dies alone.
    if (isCut) await client.query(`select pg_terminate_backend(pid) from (${blocked}) as blocked`);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const ofApplication = ({ built }: Passage): string => `select from invoices where id = ${built.id} for update`;
const ofTransfer = ({ id }: Row): string => `select from transfers where id = ${id} for update`;
/** The entry of a payment is written together with everything else that follows, and with COMMIT. */
const OF_THE_JOURNAL = 'lock table journal_entries in share mode';

/** Whether the call came that is not answered: the provider has the call, and says nothing. */
async function isStruck({ world, built }: Passage): Promise<boolean> {
  const standing = z.array(z.object({ fault: z.string(), msisdn: z.string().optional() }));
  const faults = standing.parse(
    await (await fetch(`${world.providers[built.rail].process.url}/simulator/faults`)).json(),
  );
  return !faults.some(({ fault: name, msisdn }) => name === 'no-answer' && msisdn === built.msisdn);
}

/** The call is cut off. */
function startCall(call: Promise<unknown>): void {
  call.catch(() => undefined);
}

/** Faults that strike this case's number. */
function fault({ world, built }: Passage, ...faults: readonly Fault[]): Promise<void> {
  return world.faults(built.rail, ...faults.map((one) => ({ ...one, msisdn: built.msisdn })));
}

const PAUSED = { fault: 'late-answer', ms: 1_000 } as const;
const send = ({ direction }: Passage) => ({ operation: directions[direction].operation, count: 1 });
const ask = ({ direction }: Passage) => ({ operation: `${directions[direction].operation}-status`, count: 1 });
/** Not decided before it is asked about; a request waits for its phone as it is. */
const waiting = ({ direction }: Passage): Fault[] =>
  directions[direction].needsPhone ? [] : [{ fault: 'pending', asks: 1, operation: directions[direction].operation }];

/** The end of the recording: cut off, or committed and nobody is told of it. */
function whileEndIsRecorded(isCut: boolean): Point {
  return async (passage) => {
    await fault(passage, ...waiting(passage));
    await order(passage);
    await whenRow(passage, ({ said }) => said !== null);
    await approve(passage.world, passage.built);
    await killWaiting(passage, OF_THE_JOURNAL, { isCut });
    return true;
  };
}

export const points = {
  'while it is prepared': async (passage) => {
    const prepared = directions[passage.direction].prepare;
    await killWaiting(passage, ofApplication(passage), { when: () => startCall(prepared(passage.built)) });
    return (await rowOf(passage)) === undefined;
  },
  'between preparing and order': async (passage) => {
    await directions[passage.direction].prepare(passage.built);
    await passage.kill();
    return (await rowOf(passage)) === undefined;
  },
  'while it is ordered': async (passage) => {
    const { prepare, order } = directions[passage.direction];
    await prepare(passage.built);
    await killWaiting(passage, ofApplication(passage), { when: () => startCall(order(passage.built)) });
    return (await rowOf(passage)) === undefined;
  },
  'before the claim': async (passage) => {
    await order(passage);
    await killWaiting(passage, ofTransfer(await whenRow(passage, () => true)));
    return (await rowOf(passage))?.sent_at === null;
  },
  'after the claim, before the send': async (passage) => {
    const { world, built, direction } = passage;
    await directions[direction].prepare(built);
    // A login is everybody's.
    await world.faults(built.rail, { ...PAUSED, operation: 'token' }, { fault: 'expire-tokens', seconds: 0 });
    await succeed(directions[direction].order(built));
    const row = await whenRow(passage, ({ sent_at }) => sent_at !== null);
    await passage.kill();
    return !(await isTaken(passage, row));
  },
  'in the send, before the provider takes it': async (passage) => {
    await fault(passage, { ...send(passage), fault: 'no-answer', taken: false });
    await order(passage);
    const row = await whenRow(passage, ({ sent_at }) => sent_at !== null);
    await until(() => isStruck(passage));
    await passage.kill();
    return !(await isTaken(passage, row));
  },
  'in the send, after the provider took it': async (passage) => {
    await fault(passage, { ...send(passage), fault: 'no-answer', taken: true });
    await order(passage);
    const row = await whenRow(passage, () => true);
    await until(() => isTaken(passage, row));
    await passage.kill();
    return (await rowOf(passage))?.said === null;
  },
  'after the answer, before its recording': async (passage) => {
    await fault(passage, { ...send(passage), ...PAUSED });
    await order(passage);
    const row = await whenRow(passage, ({ sent_at }) => sent_at !== null);
    await killWaiting(passage, ofTransfer(row));
    return (await isTaken(passage, row)) && (await rowOf(passage))?.said === null;
  },
  'after the answer was recorded': async (passage) => {
    await fault(passage, ...waiting(passage));
    await order(passage);
    await whenRow(passage, ({ said }) => said !== null);
    await passage.kill();
    return (await rowOf(passage))?.known_at === null;
  },
  'while the provider is asked': async (passage) => {
    await fault(passage, ...waiting(passage), { ...ask(passage), fault: 'no-answer', taken: true });
    await order(passage);
    await whenRow(passage, ({ asks }) => asks === 2);
    await until(() => isStruck(passage));
    await passage.kill();
    return (await rowOf(passage))?.known_at === null;
  },
  'after it was asked, before that is recorded': async (passage) => {
    await fault(passage, ...waiting(passage), { ...ask(passage), ...PAUSED });
    await order(passage);
    await killWaiting(passage, ofTransfer(await whenRow(passage, ({ asks }) => asks === 2)));
    return (await rowOf(passage))?.known_at === null;
  },
  'while the end is recorded, cut off': whileEndIsRecorded(true),
  'while the end is recorded, unheard': whileEndIsRecorded(false),
  'after the end was recorded, before its news': async (passage) => {
    await order(passage);
    await whenRow(passage, ({ said }) => said !== null);
    await approve(passage.world, passage.built);
    await whenRow(passage, ({ known_at }) => known_at !== null);
    await passage.kill();
    return true;
  },
} as const satisfies Record<string, Point>;
export type PointName = keyof typeof points;

/** What only a payout has. */
const ofPayouts: readonly PointName[] = ['while it is prepared', 'between preparing and order'];

/** Every point of every direction, in turn. */
export const stops = Object.keys(directions)
  .filter((id): id is DirectionId => id in directions)
  .flatMap((direction) =>
    Object.keys(points)
      .filter((name): name is PointName => name in points)
      .filter((name) => direction === 'out' || !ofPayouts.includes(name))
      .map((name) => ({ direction, name, id: `${direction} ${name}` })),
  );

/** What else goes wrong with a case after its server was killed; each is bounded. */
const noisesOf = (operation: string): readonly Fault[] => [
  { fault: 'lose-answer', operation, count: 1 },
  { fault: 'error-after', status: 500, operation, count: 1 },
  { fault: 'error-before', status: 503, operation, count: 1 },
  { fault: 'late-answer', ms: 3_000, operation, count: 1 },
  { fault: 'lose-answer', operation: `${operation}-status`, count: 1 },
  { fault: 'late-answer', ms: 3_000, operation: `${operation}-status`, count: 1 },
  { fault: 'callback', how: 'twice' },
  { fault: 'callback', how: 'late', seconds: 2 },
  { fault: 'callback', how: 'never' },
  ...['reference', 'amount', 'status', 'host'].map((wrong) => ({ fault: 'forged-callback', wrong, count: 1 })),
];

/** Two faults for what is still to come of a case; one of ten is refused. */
export function noiseFor({ rail, msisdn }: PaidCase, direction: DirectionId): readonly Fault[] {
  const { operation } = directions[direction];
  const noises = noisesOf(operation);
  const chosen = [0, 0].map(() => noises[randomInt(noises.length)] ?? {});
  const refused = { fault: 'refuse', reason: rails[rail].refusals[direction], operation, count: 1 };
  return [...chosen, ...(randomInt(10) === 0 ? [refused] : [])].map((one) => ({ ...one, msisdn }));
}

/** Does what a kill left undone of the order. */
export async function orderRest({ world, built, direction }: Omit<Passage, 'kill'>): Promise<void> {
  if ((await transferOf(world, built, direction)) !== undefined) return;
  const { db } = world.app.platform;
  const prepared = await db.selectFrom('payouts').where('invoice_id', '=', built.id).select('id').executeTakeFirst();
  if (prepared === undefined) await directions[direction].prepare(built);
  await succeed(directions[direction].order(built));
}
