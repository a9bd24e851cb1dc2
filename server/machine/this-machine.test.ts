import { afterEach, describe, expect, it } from 'vitest';
import { seedDemonstration } from '#server/demonstration/seed.ts';
import { canaryFound, proved } from '#testing/evidence/record.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';

/** Calls that only this machine may make, made from elsewhere. Uses `inject`, which accepts any address and headers. */

const TOKEN = 'a token that only Prometheus brings';
const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://kasente.example',
  DATABASE_URL: 'postgres://unused/kasente',
  SECRET_KEY: 'a secret of thirty-two characters',
};

interface From {
  readonly remoteAddress?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const elsewhere: readonly [what: string, from: From][] = [
  ['another machine', { remoteAddress: '192.168.1.7' }],
  ['another machine over IPv6', { remoteAddress: '::ffff:192.168.1.7' }],
  ['a name that leads here (DNS rebinding)', { headers: { host: 'attacker.example:3000' } }],
  ['a name that begins like ours', { headers: { host: 'localhost.attacker.example' } }],
  ['a name that begins like our address', { headers: { host: '127.0.0.1.attacker.example' } }],
  ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'].map(
    (name): [string, From] => [`a tunnel or proxy that sends ${name}`, { headers: { [name]: '41.75.160.1' } }],
  ),
];
const here: readonly From[] = [
  {},
  { remoteAddress: '127.0.0.1', headers: { host: '127.0.0.1:3000' } },
  { remoteAddress: '::1', headers: { host: '[::1]:3000' } },
  { remoteAddress: '::ffff:127.0.0.1', headers: { host: 'localhost' } },
];

let app: TestApp;
afterEach(() => app.close());

async function statusOf(url: string, { remoteAddress, headers = {} }: From): Promise<number> {
  const answer = await app.server.inject({
    url,
    headers: { 'x-requested-with': 'fetch', ...headers },
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
  });
  // Without such a page, the reply may be the web application's own page, if it was built.
  return answer.body.includes('id="root"') ? 404 : answer.statusCode;
}

async function logIn(username: string, { remoteAddress, headers = {} }: From, password = 'Kasente-demo-1') {
  const answer = await app.server.inject({
    method: 'POST',
    url: '/api/v1/users/login',
    headers: { 'x-requested-with': 'fetch', ...headers },
    payload: { username, password },
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
  });
  return answer.json().code ?? answer.statusCode;
}

const PAGES = ['/dev/messages', '/api/v1/dev/messages', '/metrics'];
const LOGINS = ['admin@kasente.test', 'ADMIN@kasente.test', 'staff@kasente.test', '0700000001', '+256700000002'];

/** Requests all of them, and returns the replies. */
async function answeredTo(from: From): Promise<string[]> {
  const answered: string[] = [];
  for (const url of PAGES) if ((await statusOf(url, from)) !== 404) answered.push(url);
  for (const username of LOGINS) if ((await logIn(username, from)) !== 'DEMONSTRATION_LOCAL') answered.push(username);
  return answered;
}

describe('messages, published passwords and metrics of a demonstration', () => {
  it('are only for this machine, under one of its own names', async () => {
    app = await createTestApp();
    await seedDemonstration(app.platform);
    for (const from of here) expect(await answeredTo(from)).toEqual([...PAGES, ...LOGINS]);
    for (const [what, from] of elsewhere) expect([what, await answeredTo(from)]).toEqual([what, []]);
    proved(
      'demonstration-abroad',
      `${elsewhere.length} ways from elsewhere × ${PAGES.length + LOGINS.length} asked: 0 answered`,
    );
  });

  it('are public if the demonstration is meant for others, except for messages and metrics', async () => {
    app = await createTestApp({ DEMONSTRATION: 'others' });
    await seedDemonstration(app.platform);
    for (const from of [...here, ...elsewhere.map(([, one]) => one)]) expect(await answeredTo(from)).toEqual(LOGINS);
    canaryFound('demonstration-abroad', 'logins that are opened to others on purpose were found from everywhere');
  });

  it('are only for this machine, however the login and its password are written', async () => {
    app = await createTestApp();
    await seedDemonstration(app.platform);
    for (const [, from] of elsewhere) {
      const answers = [
        await logIn('\u202a00256 (0)700-000-001\u202c', from),
        await logIn('0700000001', from, 'Ｋasente-demo-１'),
      ];
      expect(answers).toEqual(['DEMONSTRATION_LOCAL', 'DEMONSTRATION_LOCAL']);
    }
  });

  it('do not affect other people and other passwords', async () => {
    app = await createTestApp();
    await seedDemonstration(app.platform);
    const [, abroad] = elsewhere[0] ?? [];
    expect(await logIn('0700000009', abroad ?? {})).toBe('LOGIN_FAILED');
    expect(await logIn('admin@kasente.test', abroad ?? {}, 'another password 1')).toBe('LOGIN_FAILED');
  });
});

describe('metrics, if there may be a proxy', () => {
  const asked = async (authorization?: string): Promise<number> =>
    statusOf('/metrics', { remoteAddress: '127.0.0.1', ...(authorization && { headers: { authorization } }) });

  it.each<Record<string, string>>([production, { TRUST_PROXY: '1' }, { DEMONSTRATION: 'others' }])(
    'need the token, so that a proxy that forgets its headers shows nothing: %o',
    async (env) => {
      app = await createTestApp({ ...env, METRICS_TOKEN: TOKEN });
      expect([await asked(), await asked('Bearer wrong'), await asked(`Bearer ${TOKEN}`)]).toEqual([404, 404, 200]);
    },
  );

  it('don’t exist without a token', async () => {
    app = await createTestApp(production);
    expect([await asked(), await asked('Bearer '), await asked('Bearer undefined')]).toEqual([404, 404, 404]);
  });
});
