import { CALLERS, OPEN_SESSIONS, tokenOf } from '#bench/fills/callers.fill.ts';
import type { BenchDatabase } from '#bench/fills/filled.ts';
import { median, perSecond, SECONDS, WARM_UP_SECONDS } from '#bench/rounds.ts';
import { processorSeconds, type ServerProcess } from '#bench/server/production-server.ts';
import { API_ROOT } from '#contract/endpoint.ts';
import { jsonRequest, type Load, type Loaded, type LoadProcess, type Request } from './load.ts';

/** Shared by the benches of the API: 64 callers with sessions, and the measurement of a round. */

/** A caller's session cookie over http. */
export function cookieOf(kind: 'client' | 'staff', caller: number): string {
  return `kasente_session=${tokenOf(kind, caller)}`;
}

/** Renews all sessions, so that none expires during a round. */
export async function openSessions(database: BenchDatabase): Promise<void> {
  await database.query('delete from sessions');
  await database.query(OPEN_SESSIONS);
}

/** A request for each of the 64 callers. */
export function everybody(request: (caller: number) => Request): Request[] {
  return Array.from({ length: CALLERS }, (_, caller) => request(caller));
}

/** Each client's first page of their own list, as the web requests it. */
export async function ownLists(database: BenchDatabase): Promise<Request[]> {
  const businesses = await database.query<{ tag: string }>('select tag from businesses where id <= $1 order by id', [
    CALLERS,
  ]);
  return everybody((caller) => {
    const body = { page: 1, searchPhrase: '', businessTag: businesses[caller]?.tag ?? '' };
    return jsonRequest(`POST ${API_ROOT}/invoices/paged`, { cookie: cookieOf('client', caller) }, body);
  });
}

export interface ServerRound extends Loaded {
  /** The server's processor time a second, without PostgreSQL. */
  readonly serverCores: number;
}

/** Measures a round of load on a server. */
export async function serverRound(
  load: LoadProcess,
  server: ServerProcess,
  requests: readonly Request[],
  given: Partial<Load> = {},
): Promise<ServerRound> {
  const before = processorSeconds(server.pid);
  const began = performance.now();
  const loaded = await load.run({
    port: server.port,
    requests,
    seconds: SECONDS,
    warmUpSeconds: WARM_UP_SECONDS,
    ...given,
  });
  const seconds = (performance.now() - began) / 1000;
  return { ...loaded, serverCores: (processorSeconds(server.pid) - before) / seconds };
}

/** The medians of rounds: rate, times and processor use. */
export function describeRounds(rounds: readonly ServerRound[]): string {
  const of = (figure: (round: ServerRound) => number) => median(rounds.map(figure));
  return [
    perSecond(rounds.map(({ rate }) => rate)),
    `p50 ${of(({ p50Ms }) => p50Ms).toFixed(1)} ms, p99 ${of(({ p99Ms }) => p99Ms).toFixed(1)} ms`,
    `server ${of(({ serverCores }) => serverCores).toFixed(2)} cores, load generator ${of(({ ownCores }) => ownCores).toFixed(2)}`,
  ].join('; ');
}
