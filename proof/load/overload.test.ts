import { describe, expect, it, onTestFinished } from 'vitest';
import { noTurns } from '#proof/planted/no-turns.ts';
import { createApp } from '#server/app.ts';
import { POOL_SIZE } from '#server/db/database.ts';
import { buildClient, type Client } from '#server/invoices/invoices.harness.ts';
import type { FairTurns } from '#server/traffic/fair-turns.ts';
import { canaryFound, full, proved } from '#testing/evidence/record.ts';
import { Gathering } from '#testing/gathering.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';
import { until } from '#testing/until.ts';
import { counted, inTurns, LoadClient, type Outcome, type PreparedRequest } from './load.harness.ts';
import { calls, cookiesOf, faultsOf, flood } from './overload.harness.ts';

/** Far more requests than the server's capacity. */

/** One person's running and waiting calls (server/traffic/fair-turns.ts). */
const LET_IN = 8 + 100;
const COME = LET_IN + 40;

describe('while no connection to the database is free', { timeout: 120_000 }, () => {
  type Ask = (client: Client) => PreparedRequest;

  /** Calls to a server on a socket, while all its database connections are held. */
  async function stampede(app: TestApp, { turns, ask = calls.session }: { turns?: FairTurns; ask?: Ask } = {}) {
    const { platform } = app;
    const server = await createApp(platform, undefined, turns);
    onTestFinished(() => server.close());
    const port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
    const load = new LoadClient(port, 20_000);
    onTestFinished(() => load.close());
    const client = await buildClient(app);
    const request = () => ask(client);
    expect(await load.send(request())).toMatchObject({ status: 200 });
    const { pool } = platform;
    const held = await Promise.all(Array.from({ length: POOL_SIZE }, () => pool.connect()));
    const answered = new Gathering<Outcome>();
    const everybody = Array.from({ length: COME }, () => load.send(request()));
    for (const one of everybody) void one.then((outcome) => answered.add(outcome));
    const release = async (): Promise<Outcome[]> => {
      for (const one of held) one.release();
      return Promise.all(everybody);
    };
    return { address: `http://127.0.0.1:${port}`, headers: cookiesOf(client), load, request, answered, release };
  }

  it('would be found if everybody waited (canary)', async () => {
    const app = await createTestApp();
    onTestFinished(() => app.close());
    const { answered, release } = await stampede(app, { turns: noTurns(app.platform) });
    await until(async () => app.platform.pool.waitingCount === COME);
    expect(answered.all).toEqual([]);
    await release();
    canaryFound('overload', `without turns ${COME} of ${COME} waited, none was told`);
  });

  it('refuses at once the calls beyond the queue, answers the rest, and answers everybody right after', async () => {
    const app = await createTestApp();
    onTestFinished(() => app.close());
    const { address, headers, load, request, answered, release } = await stampede(app);
    const refused = [...(await answered.reached(COME - LET_IN))];
    expect(refused.filter(({ status }) => status !== 503)).toEqual([]);
    expect(refused.filter(({ retryAfter }) => !/^[2-6]$/.test(retryAfter ?? ''))).toEqual([]);
    const told = await fetch(`${address}/api/v1/currencies`, { headers });
    expect(await told.json()).toEqual({
      success: false,
      msg: 'Kasente is busy or restarting. Try again in a moment',
      code: 'UNAVAILABLE',
    });
    const inTab = await fetch(`${address}/api/v1/files/view/x`, {
      headers: { ...headers, 'sec-fetch-dest': 'document' },
    });
    expect(inTab.status).toBe(503);
    expect(await inTab.text()).toContain('<h1>The document cannot be shown</h1>');
    expect((await fetch(`${address}/livez`)).status).toBe(200);
    const all = await release();
    expect(all.filter(({ status }) => status === 200)).toHaveLength(LET_IN);
    const metrics = await (await fetch(`${address}/metrics`)).text();
    expect(metrics).toContain(`kasente_requests_shed_total ${COME - LET_IN + 2}`);
    const after = await inTurns(load, 4, 0.1, request);
    expect(faultsOf(after, 10_000)).toEqual([]);
    expect(after.filter(({ status }) => status !== 200)).toEqual([]);
    proved(
      'overload',
      `${COME} calls while the database is held: ${LET_IN} waited and were answered, the others refused at once`,
    );
  });

  it('refuses saves in the same way', async () => {
    const app = await createTestApp();
    onTestFinished(() => app.close());
    const { answered, release } = await stampede(app, { ask: calls.save });
    const refused = await answered.reached(COME - LET_IN);
    expect(refused.filter(({ status }) => status !== 503)).toEqual([]);
    const all = await release();
    expect(all.filter(({ status }) => status === 200)).toHaveLength(LET_IN);
  });
});

describe.runIf(full)('ten times the load that the machine carries', () => {
  it('would be found if the server took all of it (canary)', async () => {
    const { faults, sent, answers } = await flood('no-turns');
    expect(faults.length).toBeGreaterThan(sent / 10);
    canaryFound(
      'overload',
      `without turns, ${sent} calls at ten times the load (${answers}): ${faults.length} hung, cut, or too late`,
    );
  });

  it('is shed: every call gets an answer or a 503, and all is as before within 10 s', async () => {
    const found = await flood();
    expect(counted(found.faults)).toEqual({}); // counted, because a list of a hundred thousand helps nobody
    expect(found.grownMb).toBeLessThan(150);
    expect(found.recoveredMs).toBeLessThan(10_000);
    expect(found.slowestHealthMs).toBeLessThan(2_000);
    expect(found.slowestPageMs).toBeLessThan(2_000);
    proved(
      'overload',
      `${found.carried} a second carried (p99 ${found.p99Ms} ms); ${found.sent} calls at ten times that: ${found.answers}, 0 hung; the slowest answer after ${found.slowestMs} ms, health within ${found.slowestHealthMs} ms, a page within ${found.slowestPageMs} ms; memory grew by ${found.grownMb} MB; as before after ${found.recoveredMs} ms`,
    );
  });
});
