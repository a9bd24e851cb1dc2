import { sql } from 'kysely';
import { type BenchDatabase, type Filling, inBulk, withFilled } from '#bench/fills/filled.ts';
import { fillPeople, RARE_NAME } from '#bench/fills/people.fill.ts';
import { inTurns, medianRatio } from '#bench/rounds.ts';
import type { Row } from '#bench/row.ts';
import { startProductionServer } from '#bench/server/production-server.ts';
import { API_ROOT } from '#contract/endpoint.ts';
import { type ServerRound, serverRound } from './api.ts';
import { jsonRequest, LoadProcess } from './load.ts';

/**
 * The time of a users search with a million people against ten thousand: an officer's whole call, in turns with the same call on the
 * smaller database. bench/plans/people-list.ts shows the plans.
 *
 *   node bench/api/people-search.ts
 */

const COMMAND = 'node bench/api/people-search.ts';
const GOAL = 1.3;
const FEW = 10_000;
const MANY = 1_000_000;
const TOKEN = 'officer';

const phrases: readonly (readonly [string, string])[] = [
  ['a rare name', RARE_NAME],
  ['a whole phone number', '0700 007 919'],
  ['one business', 'Traders 1234 '],
  ['a common name', 'sarah'],
  ['nobody', 'nabireqz'],
];

function peopleFilling(people: number): Filling {
  return {
    kind: `people_${people}`,
    files: ['fills/people.fill.ts'],
    fill: async (db) => {
      await inBulk(db, 'persons', (bulk) => fillPeople(bulk, people));
      await sql`insert into persons (username, username_kind, email, password_hash, status, permissions, created_at)
        values ('officer@kasente.test', 'email', 'officer@kasente.test', 'none', 'Active', array['KSTAF'], now())`.execute(
        db,
      );
      await sql`vacuum (analyze)`.execute(db);
    },
  };
}

async function openSession(database: BenchDatabase): Promise<void> {
  await database.query(
    `insert into sessions (token_hash, person_id, created_at, last_active_at, ip, second_factor)
     select sha256($1), id, now(), now(), '127.0.0.1', true from persons where username = 'officer@kasente.test'
     on conflict (token_hash) do update set last_active_at = now()`,
    [Buffer.from(TOKEN)],
  );
}

function rowOf(
  [name, phrase]: readonly [string, string],
  few: readonly ServerRound[],
  many: readonly ServerRound[],
): Row {
  const times = (rounds: readonly ServerRound[]) => rounds.map(({ p50Ms }) => p50Ms);
  const ratio = medianRatio(times(many), times(few));
  const last = (rounds: readonly ServerRound[]) => rounds.at(-1)?.p50Ms.toFixed(2);
  return {
    work: `users search, ${name} ("${phrase}"), at 1,000,000 people against 10,000`,
    goal: `at most ${GOAL} times the time`,
    figure: `${ratio.toFixed(2)} times`,
    holds: ratio <= GOAL,
    command: COMMAND,
    detail: `p50 ${last(many)} ms against ${last(few)} ms in the last round`,
  };
}

export async function run(): Promise<Row[]> {
  return withFilled([peopleFilling(FEW), peopleFilling(MANY)], async (databases) => {
    const load = new LoadProcess();
    const servers = await Promise.all(databases.map((database) => startProductionServer(database)));
    try {
      const rows: Row[] = [];
      for (const asked of phrases) {
        for (const database of databases) await openSession(database);
        const [line, cookie] = [`POST ${API_ROOT}/persons`, `kasente_session=${TOKEN}`];
        const request = jsonRequest(line, { cookie }, { page: 1, searchPhrase: asked[1] });
        const found = servers.map((): ServerRound[] => []);
        await inTurns(
          servers.map((server, index) => async () => found[index]?.push(await serverRound(load, server, [request]))),
        );
        const [few = [], many = []] = found;
        rows.push(rowOf(asked, few, many));
      }
      return rows;
    } finally {
      load.end();
      for (const server of servers) await server.stop();
    }
  });
}

if (import.meta.main) console.table(await run(), ['work', 'goal', 'figure', 'holds', 'detail']);
