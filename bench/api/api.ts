import { CALLERS, OPEN_SESSIONS, tokenOf } from '#bench/fills/callers.fill.ts';
import type { BenchDatabase } from '#bench/fills/filled.ts';
import { median, perSecond, SECONDS, WARM_UP_SECONDS } from '#bench/rounds.ts';
import { processorSeconds, type ServerProcess } from '#bench/server/production-server.ts';
import { API_ROOT } from '#contract/endpoint.ts';
import { jsonRequest, type Load, type Loaded, type LoadProcess, type Request } from './load.ts';

/** What the benches of the API share: 64 callers with sessions, and how a round of theirs is measured and told. */

/** The cookie of a caller, as the server sets it where people come by http. */
export function cookieOf(kind: 'client' | 'staff', caller: number): string {
  return `kasente_session=${tokenOf(kind, caller)}`;
}

/** Renews everybody's sessions, so that none runs out in the middle. */
export async function openSessions(database: BenchDatabase): Promise<void> {
  await database.query('delete from sessions');
  await database.query(OPEN_SESSIONS);
}

/** One for each of the 64 callers. */
export function everybody(request: (caller: number) => Request): Request[] {
  return Array.from({ length: CALLERS }, (_, caller) => request(caller));
}

/** Every client's first page of their own list, as the web asks for it. */
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
  /** Processor time a second that the server took, without PostgreSQL's. */
  readonly serverCores: number;
}

/** One round of load on a server. */
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

/** The rounds in a sentence: rate, times and who used the processor. */
export function told(rounds: readonly ServerRound[]): string {
  const of = (figure: (round: ServerRound) => number) => median(rounds.map(figure));
  return [
    perSecond(rounds.map(({ rate }) => rate)),
    `p50 ${of(({ p50Ms }) => p50Ms).toFixed(1)} ms, p99 ${of(({ p99Ms }) => p99Ms).toFixed(1)} ms`,
    `server ${of(({ serverCores }) => serverCores).toFixed(2)} cores, load generator ${of(({ ownCores }) => ownCores).toFixed(2)}`,
  ].join('; ');
}
