import { randomInt } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { PlantedFault } from '#proof/planted/planted.ts';
import { atRate, byStatus, inTurns, LoadClient, type PreparedRequest, percentile, prepare } from './load.harness.ts';
import { busyServer, faultsOf } from './overload.harness.ts';

/** A flood of logins from everywhere, and the calls of people at work meanwhile. */

const HUNG_AFTER_MS = 30_000;
/** Too few to be load by themselves. */
const OTHER_CALLS_A_SECOND = 40;
const LOGINS_AT_ONCE = 8;

/** A different username and address each time, so that no limit by either applies. */
function strangersLogin(): PreparedRequest {
  const address = Array.from({ length: 3 }, () => randomInt(1, 255)).join('.');
  const headers = { 'x-forwarded-for': `41.${address}`, 'x-requested-with': 'fetch' };
  const username = `07${String(randomInt(100_000_000)).padStart(8, '0')}`;
  return prepare('login', 'POST /api/v1/users/login', headers, { username, password: 'Not-the-password-1' });
}

/** Floods a server with ten times the logins that it can handle, while people work. */
export async function floodOfLogins(seconds: number, planted?: PlantedFault) {
  const { server, next } = await busyServer(planted, { TRUST_PROXY: '1' });
  const strangers = new LoadClient(server.port, HUNG_AFTER_MS);
  const people = new LoadClient(server.port, HUNG_AFTER_MS);
  onTestFinished(() => {
    strangers.close();
    people.close();
  });
  const work = () => atRate(people, OTHER_CALLS_A_SECOND, seconds, next);
  await inTurns(people, 4, seconds / 4, next); // warm-up
  const quiet = await work();
  const carried = (await inTurns(strangers, LOGINS_AT_ONCE, seconds / 2, strangersLogin)).length / (seconds / 2);
  const [logins, others] = await Promise.all([atRate(strangers, carried * 10, seconds, strangersLogin), work()]);
  return {
    loginsSent: logins.length,
    loginsASecond: Math.round(carried * 10),
    loginAnswers: byStatus(logins),
    others: others.length,
    othersFailed: faultsOf(others, HUNG_AFTER_MS).length + others.filter(({ status }) => status === 503).length,
    p99Ms: percentile(others, 99),
    quietP99Ms: percentile(quiet, 99),
  };
}
