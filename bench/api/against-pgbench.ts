import { type BenchDatabase, type Filling, withFilled } from '#bench/fills/filled.ts';
import { inTurns, medianRatio, perSecond, SECONDS } from '#bench/rounds.ts';
import type { Row } from '#bench/row.ts';
import { type ServerProcess, startProductionServer } from '#bench/server/production-server.ts';
import { describeRounds, openSessions, type ServerRound } from './api.ts';
import { LoadProcess } from './load.ts';
import { findPgbench, HOW_TO_INSTALL, pgbench } from './pgbench.ts';

/** A server's database, and the load generator. */
export interface Bench {
  readonly database: BenchDatabase;
  readonly server: ServerProcess;
  readonly load: LoadProcess;
}

/** A call of 64 callers that is compared with pgbench. */
export interface Contest {
  readonly work: string;
  /** The share of pgbench's rate that the server has to reach. */
  readonly goal: number;
  /** pgbench's script. */
  readonly limit: string;
  /** Measures the server in a round, counted from 0. */
  readonly measure: (bench: Bench, round: number) => Promise<ServerRound>;
  /** A remark on the ratio, in front of the details. */
  readonly remark?: (ratio: number) => string;
}

interface Setting {
  readonly command: string;
  readonly filling: Filling;
  readonly settings?: Readonly<Record<string, string>>;
  /** Prepares the database once the server is running. */
  readonly prepare?: (database: BenchDatabase) => Promise<unknown>;
}

/** Measures the calls and pgbench in turns on one database; the figure is the median of the rounds' ratios. */
export async function againstPgbench(
  { command, filling, settings, prepare }: Setting,
  contests: readonly Contest[],
): Promise<Row[]> {
  const program = await findPgbench();
  const shared = ({ work, goal }: Contest) => ({ work, goal: `${goal.toFixed(2)} of pgbench`, command });
  if (program === undefined)
    return contests.map((contest) => ({ ...shared(contest), figure: HOW_TO_INSTALL, holds: 'unmeasured' }));
  return withFilled([filling], async ([database]) => {
    if (database === undefined) throw new Error('no database');
    const bench = { database, server: await startProductionServer(database, settings), load: new LoadProcess() };
    try {
      await prepare?.(database);
      const rows: Row[] = [];
      for (const contest of contests) {
        await openSessions(database);
        const limit: number[] = [];
        const served: ServerRound[] = [];
        await inTurns([
          async () => limit.push(await pgbench(program, database, contest.limit, SECONDS)),
          async () => served.push(await contest.measure(bench, served.length)),
        ]);
        const rates = served.map(({ rate }) => rate);
        const ratio = medianRatio(rates, limit);
        const remark = contest.remark === undefined ? '' : `${contest.remark(ratio)}; `;
        rows.push({
          ...shared(contest),
          figure: `${ratio.toFixed(2)} of pgbench`,
          holds: ratio >= contest.goal,
          detail: `${remark}${describeRounds(served)}; pgbench ${perSecond(limit)}`,
        });
      }
      return rows;
    } finally {
      bench.load.end();
      await bench.server.stop();
    }
  });
}
