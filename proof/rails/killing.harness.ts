import { z } from 'zod';
import type { ServerProcess } from '#server/testing/servers/server-process.ts';
import { until } from '#server/testing/until.ts';
import { type DirectionId, directions, order, type TransferOf, transferOf } from './directions.harness.ts';
import type { Fault, PaidCase, RailsWorld } from './rails.harness.ts';

/**
 * How a server is killed at a point. Nothing is planted in it: it waits where PostgreSQL holds a row from it, or the provider
 * its answer, and dies there.
 */

/** One case on its way to its point. */
export interface Passage {
  readonly world: RailsWorld;
  readonly built: PaidCase;
  readonly direction: DirectionId;
  readonly server: Victim;
}

/** A server that is to die. */
export interface Victim {
  /** SIGKILL; returns when it is gone. */
  kill(): Promise<void>;
  /** SIGSTOP: what it sent is done, and it hears nothing of that. */
  freeze(): void;
}

export function victim({ child, stop }: ServerProcess): Victim {
  return { kill: async () => void (await stop('SIGKILL')), freeze: () => void child.kill('SIGSTOP') };
}

/** Brings a case to the point and kills the server there; whether that was the point, by what both books say after it. */
export type Point = (passage: Passage) => Promise<boolean>;

/** All that people do until it is sent. */
export function orderAll({ built, direction }: Passage): Promise<void> {
  return order(built, direction);
}

export function rowOf({ world, built, direction }: Passage): Promise<TransferOf | undefined> {
  return transferOf(world, built, direction);
}

/** Waits until the transfer is so. */
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
  /** What has the server come to it. */
  readonly when?: () => void;
  /** The transfer that the waiting transaction has locked: others may wait for a table, too. */
  readonly holding?: TransferOf;
  /** Whether its connection ends with it; if not, what it sent is done before it dies, COMMIT too. */
  readonly isCut?: boolean;
}

/** Holds what that statement locks until the server waits for it, and kills the server there. */
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
/** Between two statements that were sent together a connection is idle for a moment. */
const AT_WORK = `${THERE} and (state = 'active' or state <> 'idle' and state_change > clock_timestamp() - interval '0.3 s')`;

async function isLocked({ app }: RailsWorld, { id }: TransferOf): Promise<boolean> {
  const free = 'select from transfers where id = $1 for update skip locked';
  return (await app.database.owner.pool.query(free, [id])).rows.length === 0;
}

export const ofApplication = ({ built }: Passage): string => `select from invoices where id = ${built.id} for update`;
export const ofTransfer = ({ id }: TransferOf): string => `select from transfers where id = ${id} for update`;
export const ofTable = (name: string): string => `lock table ${name} in share mode`;

/** Whether the call came that is not answered: the provider has the call, and says nothing. */
export async function isStruck({ world, built }: Passage): Promise<boolean> {
  const standing = z.array(z.object({ fault: z.string(), msisdn: z.string().optional() }));
  const faults = standing.parse(
    await (await fetch(`${world.providers[built.rail].process.url}/simulator/faults`)).json(),
  );
  return !faults.some(({ fault: name, msisdn }) => name === 'no-answer' && msisdn === built.msisdn);
}

/** The call is cut off. */
export function startCall(call: Promise<unknown>): void {
  call.catch(() => undefined);
}

/** Faults that strike this case's number. */
export function fault({ world, built }: Passage, ...faults: readonly Fault[]): Promise<void> {
  return world.faults(built.rail, ...faults.map((one) => ({ ...one, msisdn: built.msisdn })));
}

export const PAUSED = { fault: 'late-answer', ms: 1_000 } as const;
export const send = ({ direction }: Passage) => ({ operation: directions[direction].operation, count: 1 });
export const ask = ({ direction }: Passage) => ({ operation: `${directions[direction].operation}-status`, count: 1 });
