import { z } from 'zod';
import type { ServerProcess } from '#testing/servers/server-process.ts';
import { until } from '#testing/until.ts';
import { type DirectionId, directions, order, type TransferOf, transferOf } from './directions.harness.ts';
import type { Fault, PaidCase, RailsWorld } from './rails.harness.ts';

/**
 * Kills a server at a chosen point without changing its code: it waits for a row lock in PostgreSQL or for a provider's
 * reply, and is killed there.
 */

/** A case on its way to the chosen point. */
export interface Passage {
  readonly world: RailsWorld;
  readonly built: PaidCase;
  readonly direction: DirectionId;
  readonly server: Victim;
}

/** A server to be killed. */
export interface Victim {
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
  /** Sends SIGSTOP: PostgreSQL still executes what was sent, but the server sees no result. */
  freeze(): void;
}

export function victim({ child, stop }: ServerProcess): Victim {
  return { kill: async () => void (await stop('SIGKILL')), freeze: () => void child.kill('SIGSTOP') };
}

/** Brings a case to the point and kills the server there; returns whether the point was hit, by both books. */
export type Point = (passage: Passage) => Promise<boolean>;

/** All steps until the transfer is ordered. */
export function orderAll({ built, direction }: Passage): Promise<void> {
  return order(built, direction);
}

export function rowOf({ world, built, direction }: Passage): Promise<TransferOf | undefined> {
  return transferOf(world, built, direction);
}

/** Waits until the transfer's row meets a condition. */
export async function whenRow(passage: Passage, holds: (row: TransferOf) => boolean): Promise<TransferOf> {
  let found: TransferOf | undefined;
  await until(async () => {
    found = await rowOf(passage);
    return found !== undefined && holds(found);
  });
  if (found === undefined) throw new Error('there is no transfer');
  return found;
}

interface Waiting {
  /** Starts the call that reaches the lock. */
  readonly when?: () => void;
  /**
   * The transfer that the waiting transaction must have locked, because other transactions may wait for the same table.
   */
  readonly holding?: TransferOf;
  /** Whether its connection is cut. If not, PostgreSQL first executes everything that it sent, including COMMIT. */
  readonly isCut?: boolean;
}

/** Holds a lock until the server waits for it, and kills the server there. */
export async function killWaiting(
  { world, server }: Passage,
  lock: string,
  { when, holding, isCut = true }: Waiting = {},
): Promise<void> {
  const { pool } = world.app.database.owner;
  const client = await pool.connect();
  const some = async (query: string, value: unknown) => (await pool.query<{ pid: number }>(query, [value])).rows;
  let waiting: readonly number[] = [];
  try {
    await client.query('begin');
    await client.query(lock);
    when?.();
    const [own] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
    await until(async () => {
      waiting = (await some(BLOCKED, own?.pid)).map(({ pid }) => pid);
      return waiting.length > 0 && (holding === undefined || (await isLocked(world, holding)));
    });
    if (isCut) {
      await server.kill();
      await some(CUT, waiting);
      await until(async () => (await some(THERE, waiting)).length === 0);
    } else server.freeze();
  } finally {
    await client.query('rollback');
    client.release();
  }
  await until(async () => (await some(AT_WORK, waiting)).length === 0);
  await server.kill();
}

const BLOCKED = 'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
const CUT = 'select pg_terminate_backend(pid) from unnest($1::integer[]) as pid';
const THERE = 'select pid from pg_stat_activity where pid = any($1)';
/** A connection is briefly idle between two statements of one batch. */
const AT_WORK = `${THERE} and (state = 'active' or state <> 'idle' and state_change > clock_timestamp() - interval '0.3 s')`;

async function isLocked({ app }: RailsWorld, { id }: TransferOf): Promise<boolean> {
  const free = 'select from transfers where id = $1 for update skip locked';
  return (await app.database.owner.pool.query(free, [id])).rows.length === 0;
}

export const ofApplication = ({ built }: Passage): string => `select from invoices where id = ${built.id} for update`;
export const ofTransfer = ({ id }: TransferOf): string => `select from transfers where id = ${id} for update`;
export const ofTable = (name: string): string => `lock table ${name} in share mode`;

/** Whether the unanswered call has reached the provider. */
export async function isStruck({ world, built }: Passage): Promise<boolean> {
  const standing = z.array(z.object({ fault: z.string(), msisdn: z.string().optional() }));
  const faults = standing.parse(
    await (await fetch(`${world.providers[built.rail].process.url}/simulator/faults`)).json(),
  );
  return !faults.some(({ fault: name, msisdn }) => name === 'no-answer' && msisdn === built.msisdn);
}

/** Starts a call that the kill will cut off. */
export function startCall(call: Promise<unknown>): void {
  call.catch(() => undefined);
}

/** Sets faults for this case's number. */
export function fault({ world, built }: Passage, ...faults: readonly Fault[]): Promise<void> {
  return world.faults(built.rail, ...faults.map((one) => ({ ...one, msisdn: built.msisdn })));
}

export const PAUSED = { fault: 'late-answer', ms: 1_000 } as const;
export const send = ({ direction }: Passage) => ({ operation: directions[direction].operation, count: 1 });
export const ask = ({ direction }: Passage) => ({ operation: `${directions[direction].operation}-status`, count: 1 });
