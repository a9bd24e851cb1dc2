import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProviderSession } from './provider-session.ts';
import { forEver, ScriptedProvider } from './scripted-provider.harness.ts';

describe('ProviderSession', () => {
  let provider: ScriptedProvider;
  let url: string;
  let now: Date;
  let session: ProviderSession;
  const call = (signal = forEver()) => session.call({ method: 'GET', url: `${url}/status`, headers: {} }, signal);

  beforeEach(async () => {
    provider = new ScriptedProvider(/^\/token$/);
    url = await provider.listen();
    now = new Date('2026-11-23T09:00:00Z');
    session = new ProviderSession({
      now: () => now,
      secrets: ['hush-hush-secret'],
      tokenRequest: { method: 'POST', url: `${url}/token`, headers: { authorization: 'Basic aHVzaA==' } },
    });
  });
  afterEach(() => provider.close());

  const bearers = () => provider.calls.all.map(({ headers }) => headers.authorization);

  it('fetches one token for fifty calls at once', async () => {
    const { promise: go, resolve } = Promise.withResolvers<void>();
    provider.token = async () => {
      await go;
      return provider.freshToken();
    };
    const all = Array.from({ length: 50 }, () => call());
    await provider.tokenCalls.reached(1);
    resolve();
    expect((await Promise.all(all)).every((reply) => reply.answered)).toBe(true);
    expect(provider.tokenCalls.all).toHaveLength(1);
    expect(new Set(bearers())).toEqual(new Set(['Bearer token-number-1']));
  });

  it('keeps a token until 30 seconds before its end', async () => {
    provider.token = () => provider.freshToken('180');
    await call();
    now = new Date(now.getTime() + 149_000);
    await call();
    now = new Date(now.getTime() + 1000);
    await call();
    expect(bearers()).toEqual(['Bearer token-number-1', 'Bearer token-number-1', 'Bearer token-number-2']);
  });

  it('renews a token once where the answer is 401', async () => {
    provider.answer = ({ headers }) => ({
      status: headers.authorization === 'Bearer token-number-1' ? 401 : 200,
      json: {},
    });
    expect(await call()).toMatchObject({ status: 200 });
    expect(bearers()).toEqual(['Bearer token-number-1', 'Bearer token-number-2']);
  });

  it('renews it once for fifty calls whose token ended on its way', async () => {
    await call();
    provider.answer = ({ headers }) => ({
      status: headers.authorization === 'Bearer token-number-1' ? 401 : 200,
      json: {},
    });
    const replies = await Promise.all(Array.from({ length: 50 }, () => call()));
    expect(replies.every((reply) => reply.answered && reply.status === 200)).toBe(true);
    expect(provider.tokenCalls.all).toHaveLength(2);
  });

  it('does not try a third time', async () => {
    provider.answer = () => ({ status: 401, json: {} });
    expect(await call()).toMatchObject({ answered: true, status: 401 });
    expect(provider.calls.all).toHaveLength(2);
  });

  it.each([
    ['a refused login', { status: 401, json: { error: 'login_failed' } }, 'no token: answered 401'],
    ['another shape', { status: 200, json: { token: 'x' } }, 'no token: answered 200'],
    ['no end', { status: 200, json: { access_token: 'x', expires_in: 'soon' } }, 'no token: answered 200'],
    ['a page of HTML', { status: 200, text: '<html>' }, 'no token: answered 200'],
    ['a redirect', { status: 302, location: '/elsewhere' }, 'no token: answered 302'],
    ['a broken connection', 'cut', 'no token: no answer (UND_ERR_SOCKET)'],
    ['an answer without an end', 'endless', 'no token: an answer without an end'],
  ] as const)('sends nothing without a token: %s', async (_what, script, why) => {
    provider.token = () => script;
    expect(await call()).toEqual({ answered: false, why });
    expect(provider.calls.all).toEqual([]);
  });

  it('lets a caller go who waits no longer, and the token come for the others', async () => {
    const { promise: go, resolve } = Promise.withResolvers<void>();
    provider.token = async () => {
      await go;
      return provider.freshToken();
    };
    const hurried = new AbortController();
    const [one, other] = [call(hurried.signal), call()];
    await provider.tokenCalls.reached(1);
    hurried.abort();
    expect(await one).toEqual({ answered: false, why: 'no answer in time' });
    resolve();
    expect(await other).toMatchObject({ answered: true });
    expect(provider.tokenCalls.all).toHaveLength(1);
    expect(await call(AbortSignal.abort())).toEqual({ answered: false, why: 'no answer in time' });
  });

  it('keeps words on one short line, without our secrets and tokens', async () => {
    provider.answer = () => ({ status: 401, json: {} });
    await call();
    const said = session.words('answered', 500, undefined, 'token-number-1 and token-number-2\n', 'hush-hush-secret!');
    expect(said).toBe('answered 500 ••• and ••• •••!');
    expect(session.words('é'.repeat(300))).toHaveLength(200);
  });
});
