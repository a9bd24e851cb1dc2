import { setTimeout as sleep } from 'node:timers/promises';
import { openSessions, ownLists } from '#bench/api/api.ts';
import { invoiceSaves } from '#bench/api/api-save.ts';
import { LoadProcess, type Request } from '#bench/api/load.ts';
import { type BenchDatabase, invoicesFilling, withFilled } from '#bench/fills/filled.ts';
import type { Row } from '#bench/row.ts';
import { residentMb, startProductionServer } from './production-server.ts';

/**
 * The server's resident memory, without PostgreSQL: idle after the start, and over an hour of lists and saves. `npm run bench` makes
 * an hour's requests in some minutes at full speed.
 *
 *   node bench/server/memory.ts [--hour]
 */

const COMMAND = 'node bench/server/memory.ts --hour';
const IDLE_MB = 150;
/** The variation caused by garbage collection. */
const FLAT = 1.1;
const SETTLED_MS = 5_000;
const SAMPLE_MS = 250;
const HOUR_S = 3600;
const SHORT_S = Number(process.env.BENCH_MEMORY_SECONDS ?? 120);
/** The load runs in pieces, each with fresh versions of the drafts. */
const PIECE_S = 60;
const CONNECTIONS = 16;

/** The smallest of a range of samples: memory right after a garbage collection. */
function floor(samples: readonly number[], from: number, to: number): number {
  return Math.min(...samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to)));
}

/** Half of the callers load lists, the other half saves. */
async function mixed(database: BenchDatabase): Promise<Request[]> {
  const [saves, lists] = [await invoiceSaves(database), await ownLists(database)];
  return lists.map((list, caller) => (caller % 2 === 0 ? list : (saves[caller] ?? list))).slice(0, CONNECTIONS);
}

interface UnderLoad {
  readonly samples: readonly number[];
  readonly answered: number;
}

async function underLoad(database: BenchDatabase, port: number, pid: number, seconds: number): Promise<UnderLoad> {
  const load = new LoadProcess();
  const samples: number[] = [];
  const sample = async (): Promise<void> => void samples.push(await residentMb(pid));
  const timer = setInterval(() => void sample(), SAMPLE_MS);
  let answered = 0;
  try {
    for (let passed = 0; passed < seconds; passed += PIECE_S) {
      const piece = Math.min(PIECE_S, seconds - passed);
      const requests = await mixed(database);
      const { rate } = await load.run({ port, requests, seconds: piece, warmUpSeconds: 0 });
      answered += rate * piece;
    }
  } finally {
    clearInterval(timer);
    load.end();
  }
  return { samples, answered };
}

export async function run(): Promise<Row[]> {
  const seconds = process.argv.includes('--hour') ? HOUR_S : SHORT_S;
  return withFilled([invoicesFilling(10_000)], async ([database]) => {
    if (database === undefined) throw new Error('no database');
    await openSessions(database);
    const server = await startProductionServer(database);
    try {
      const started = await residentMb(server.pid);
      await sleep(SETTLED_MS);
      const idle = await residentMb(server.pid);
      const { samples, answered } = await underLoad(database, server.port, server.pid, seconds);
      const [middle, end] = [floor(samples, 1 / 3, 2 / 3), floor(samples, 2 / 3, 1)];
      await sleep(SETTLED_MS);
      return rowsOf({
        started,
        idle,
        middle,
        end,
        after: await residentMb(server.pid),
        most: Math.max(...samples),
        answered,
        seconds,
      });
    } finally {
      await server.stop();
    }
  });
}

type Found = Record<'started' | 'idle' | 'middle' | 'end' | 'after' | 'most' | 'answered' | 'seconds', number>;

function rowsOf({ started, idle, middle, end, after, most, answered, seconds }: Found): Row[] {
  const mb = (value: number) => `${value.toFixed(0)} MB`;
  return [
    {
      work: 'memory, idle after the start, without PostgreSQL',
      goal: `at most ${IDLE_MB} MB`,
      figure: mb(idle),
      holds: idle <= IDLE_MB,
      command: 'node bench/server/memory.ts',
      detail: `${mb(started)} when it began to serve`,
    },
    {
      work: 'memory under load: the last third of the time against the one before',
      goal: `flat: at most ${FLAT} times`,
      figure: `${(end / middle).toFixed(2)} times`,
      holds: end <= FLAT * middle,
      command: COMMAND,
      detail: `${mb(middle)}, then ${mb(end)} at the least, ${mb(most)} at the most, ${mb(after)} afterwards; ${Math.round(answered).toLocaleString('en')} requests in ${seconds} s`,
    },
  ];
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
