import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { API_ROOT, endpoint } from '#contract/endpoint.ts';
import { Routes } from '#server/http/http.ts';
import type { Platform } from '#server/platform/platform.ts';
import { buildSignedIn } from '#testing/builders.ts';
import { Gathering } from '#testing/gathering.ts';
import { createTestApp } from '#testing/test-app.ts';
import { CALLS, FairTurns } from './fair-turns.ts';

const probe = endpoint({ method: 'GET', path: '/probe', summary: 'Waits', reply: z.string(), needs: 'session' });
const LIMITS = { atOnce: 4, atOnceEach: 2, waiting: 4 };

/** Adds a route that answers when the test says so, and lists whose calls it is answering. */
async function openProbe(
  env: Record<string, string> = {},
  openTurns = (platform: Platform) => new FairTurns(platform, LIMITS),
) {
  const app = await createTestApp(env);
  onTestFinished(() => app.close());
  const began = new Gathering<string>();
  const { promise: letGo, resolve: release } = Promise.withResolvers<void>();
  const turns = openTurns(app.platform);
  new Routes(app.server, app.platform, turns).signedIn(probe, async ({ caller }) => {
    began.add(caller.person.username);
    await letGo;
    return 'done';
  });
  const ask = async (cookies: Record<string, string>, remoteAddress: string, headers = {}) =>
    (await app.server.inject({ url: `${API_ROOT}${probe.path}`, cookies, remoteAddress, headers })).statusCode;
  const people = await Promise.all([buildSignedIn(app), buildSignedIn(app)]);
  const [one, other] = people.map(({ person, caller }) => ({
    username: person.username,
    ask: (remoteAddress: string) => ask(Object.fromEntries(caller.cookies), remoteAddress),
  }));
  if (one === undefined || other === undefined) throw new Error('nobody is there');
  const stranger = (remoteAddress: string, headers = {}) =>
    ask({ kasente_session: crypto.randomUUID() }, remoteAddress, headers);
  return { one, other, stranger, began, release, turns };
}

describe('turns of calls', () => {
  it('are a person’s, wherever they come from: a flood leaves others theirs, and is refused itself', async () => {
    const { one, other, began, release } = await openProbe();
    // After the first call, the server knows whose session it is.
    const first = [one.ask('192.0.2.1'), other.ask('192.0.2.2')];
    await began.reached(2);
    const flood = Array.from({ length: 9 }, (_, nth) => one.ask(`198.51.100.${nth}`));
    await began.reached(3);
    const next = other.ask('192.0.2.2');
    await began.reached(4);
    expect(began.all.filter((username) => username === other.username)).toHaveLength(2);
    release();
    expect(await Promise.all([...first, next])).toEqual([200, 200, 200]);
    const answered = await Promise.all(flood);
    expect(answered.filter((status) => status === 503).length).toBeGreaterThan(0);
    expect(answered.filter((status) => status !== 503 && status !== 200)).toEqual([]);
  });

  it('count for the address if the session is unknown, whatever the cookie says', async () => {
    const { one, stranger, began, release, turns } = await openProbe();
    const known = one.ask('192.0.2.1');
    await began.reached(1);
    const strangers = Array.from({ length: 200 }, () => stranger('192.0.2.1'));
    // The person has the same address, but turns of their own.
    const again = one.ask('192.0.2.1');
    await began.reached(2);
    release();
    expect(await Promise.all([known, again])).toEqual([200, 200]);
    const answers = await Promise.all(strangers);
    expect(new Set(answers)).toEqual(new Set([401, 503]));
    expect(turns.turns.refused).toBe(answers.filter((status) => status === 503).length);
  });

  it('look up two made-up cookies of an address at once, each for a moment, while a person there is answered', async () => {
    const pauses = new Gathering<string>();
    const { promise: end, resolve: endPauses } = Promise.withResolvers<void>();
    const pause = async () => {
      pauses.add('refused');
      await end;
    };
    const { one, stranger, began, release } = await openProbe(
      {},
      (platform) => new FairTurns(platform, CALLS, { pause }),
    );
    const flood = Array.from({ length: 6 }, () => stranger('192.0.2.1'));
    await pauses.reached(2);
    release();
    expect(await one.ask('192.0.2.2')).toBe(200);
    expect(began.all).toEqual([one.username]);
    expect(await one.ask('192.0.2.1')).toBe(200);
    expect(pauses.all).toHaveLength(2);
    endPauses();
    expect(await Promise.all(flood)).toEqual(Array.from({ length: 6 }, () => 401));
    expect(pauses.all).toHaveLength(6);
  });

  it.each(['true', '1', '10.0.0.0/8'])(
    'behind a proxy (TRUST_PROXY=%s) go by the address that it names',
    async (proxy) => {
      const { stranger } = await openProbe({ TRUST_PROXY: proxy });
      const flood = Array.from({ length: 200 }, () => stranger('10.0.0.1', { 'x-forwarded-for': '192.0.2.7' }));
      const other = stranger('10.0.0.1', { 'x-forwarded-for': '192.0.2.8' });
      expect(await other).toBe(401);
      expect(new Set(await Promise.all(flood))).toEqual(new Set([401, 503]));
    },
  );

  it('without a proxy do not go by an address that anybody can write', async () => {
    const { stranger } = await openProbe();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, nth) => stranger('192.0.2.7', { 'x-forwarded-for': `198.51.100.${nth}` })),
    );
    expect(answers.filter((status) => status === 503).length).toBeGreaterThan(100);
  });
});
