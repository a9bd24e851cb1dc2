import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { describeRounds, everybody, openSessions, ownLists, type ServerRound, serverRound } from '#bench/api/api.ts';
import { jsonRequest, type Loaded, LoadProcess } from '#bench/api/load.ts';
import { type BenchDatabase, invoicesFilling, withFilled } from '#bench/fills/filled.ts';
import { inTurns, median, medianRatio, perSecond, SECONDS, WARM_UP_SECONDS } from '#bench/rounds.ts';
import type { Row } from '#bench/row.ts';
import { API_ROOT } from '#contract/endpoint.ts';
import { startProductionServer } from './production-server.ts';

/**
 * Many logins at once: their rate against that of bare password hashes at the same concurrency, and the rate of lists beside them.
 * Right passwords, from another address each time.
 *
 *   node bench/server/login-flood.ts
 */

const COMMAND = 'node bench/server/login-flood.ts';
const LOGINS_GOAL = 0.9;
const LISTS_GOAL = 0.8;
const PASSWORD = 'Boda-boda-2026!';
/** The parameters and the concurrency of server/secrets/passwords.ts. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const AT_ONCE = Math.max(1, Math.min(availableParallelism(), 4) - 1);
/** More than are verified at once, but few enough that the queue refuses none. */
const FLOOD = 32;
const LISTING = 16;
/** A hash takes about 30 ms, so three seconds would give few samples. */
const FLOOD_SECONDS = 2 * SECONDS;

/** The number of passwords a second that this machine verifies without a server. */
async function bareHashes(hashed: string): Promise<number> {
  const until = performance.now() + FLOOD_SECONDS * 1000;
  const began = performance.now();
  let compared = 0;
  const compare = async (): Promise<void> => {
    while (performance.now() < until) {
      await verify(hashed, PASSWORD);
      compared += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, compare));
  return compared / ((performance.now() - began) / 1000);
}

async function setPasswords(database: BenchDatabase, hashed: string): Promise<void> {
  await database.query(`update persons set password_hash = $1 where username like '07010000%'`, [hashed]);
}

/** Repeated logins of the first {@link FLOOD} clients; the other clients load their lists. */
function logins() {
  return everybody((caller) => {
    const username = `0701${String(caller).padStart(6, '0')}`;
    return jsonRequest(
      `POST ${API_ROOT}/users/login`,
      { cookie: 'none=1', from: '41.__ADDRESS__' },
      { username, password: PASSWORD },
    );
  }).slice(0, FLOOD);
}

export async function run(): Promise<Row[]> {
  return withFilled([invoicesFilling(10_000)], async ([database]) => {
    if (database === undefined) throw new Error('no database');
    const hashed = await hash(PASSWORD, PARAMETERS);
    await setPasswords(database, hashed);
    await openSessions(database);
    const server = await startProductionServer(database, { TRUST_PROXY: '1' });
    const [listing, flooding] = [new LoadProcess(), new LoadProcess()];
    const seconds = { seconds: FLOOD_SECONDS, warmUpSeconds: WARM_UP_SECONDS };
    const lists = (await ownLists(database)).slice(-LISTING);
    const list = () => serverRound(listing, server, lists, seconds);
    const flood = () => flooding.run({ port: server.port, requests: logins(), ...seconds });
    const found: Found = { bare: [], alone: [], quiet: [], flooded: [] };
    try {
      await inTurns([
        async () => found.bare.push(await bareHashes(hashed)),
        async () => found.alone.push(await flood()),
        async () => found.quiet.push(await list()),
        async () => found.flooded.push((await Promise.all([list(), flood()]))[0]),
      ]);
      return rowsOf(found);
    } finally {
      listing.end();
      flooding.end();
      await server.stop();
    }
  });
}

interface Found {
  readonly bare: number[];
  readonly alone: Loaded[];
  readonly quiet: ServerRound[];
  readonly flooded: ServerRound[];
}

function rowsOf({ bare, alone, quiet, flooded }: Found): Row[] {
  const rates = (rounds: readonly Loaded[]) => rounds.map(({ rate }) => rate);
  const logged = medianRatio(rates(alone), bare);
  const kept = medianRatio(rates(flooded), rates(quiet));
  return [
    {
      work: `login flood, ${FLOOD} at once: logins against the bare hash, ${AT_ONCE} at once`,
      goal: `at least ${LOGINS_GOAL} of the bare hash`,
      figure: `${logged.toFixed(2)} of the bare hash`,
      holds: logged >= LOGINS_GOAL,
      command: COMMAND,
      detail: `${perSecond(rates(alone))} against ${perSecond(bare)}; p99 ${median(alone.map(({ p99Ms }) => p99Ms)).toFixed(0)} ms`,
    },
    {
      work: `login flood, ${FLOOD} at once: lists of ${LISTING} clients meanwhile`,
      goal: `at least ${LISTS_GOAL} of their quiet rate`,
      figure: `${kept.toFixed(2)} of their quiet rate`,
      holds: kept >= LISTS_GOAL,
      command: COMMAND,
      detail: `${describeRounds(flooded)}; quiet ${describeRounds(quiet)}`,
    },
  ];
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
