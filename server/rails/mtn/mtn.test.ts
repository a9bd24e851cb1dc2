import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, Holder, Rail } from '#server/rail-port/rail.ts';
import { forEver, order, type Script, ScriptedProvider, short } from '#server/rails/scripted-provider.harness.ts';
import { rail as kind } from './rail.ts';
import { reasons } from './states.ts';

const keys = {
  MTN_DISBURSEMENT_SUBSCRIPTION_KEY: 'd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1',
  MTN_DISBURSEMENT_API_USER: 'c72025f5-5cd1-4630-99e4-8ba4722fad56',
  MTN_DISBURSEMENT_API_KEY: 'd2d2d2d2d2d2d2d2d2d2d2d2d2d2d2d2',
  MTN_COLLECTION_SUBSCRIPTION_KEY: 'c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1',
  MTN_COLLECTION_API_USER: 'f1e2d3c4-5cd1-4630-99e4-8ba4722fad57',
  MTN_COLLECTION_API_KEY: 'c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2',
};

const error = (status: number, code: string, message = 'words of MTN'): Script => ({ status, json: { code, message } });
const asked = (json: Readonly<Record<string, unknown>>): Script => ({ status: 200, json });

let provider: ScriptedProvider;
let url: string;
let rail: Rail;

function open(env: Readonly<Record<string, string>> = {}, callbackUrl?: string): Rail {
  const ground = { now: () => new Date('2026-11-23T09:00:00Z'), callbackUrl };
  const opened = kind.open({ ...keys, MTN_URL: url, ...env }, ground);
  if (opened === undefined) throw new Error('the settings name no rail');
  return opened;
}

beforeEach(async () => {
  provider = new ScriptedProvider(/^\/(disbursement|collection)\/token\/$/);
  url = await provider.listen();
  rail = open();
});
afterEach(() => provider.close());

async function resultOf(script: Script, act: () => Promise<Answer>): Promise<string> {
  provider.answer = () => script;
  return short(await act());
}

const send = (direction: 'payout' | 'collection' = 'payout') => rail[direction].send(order, forEver());
const ask = (direction: 'payout' | 'collection' = 'payout') => rail[direction].ask(order.reference, forEver());

describe('an order to MTN', () => {
  it('is sent as a transfer is documented', async () => {
    rail = open({}, 'https://kasente.example/rails/mtn/callback');
    provider.answer = () => ({ status: 202 });
    expect(await send()).toEqual({ state: 'taken', said: 'answered 202' });
    const [token] = provider.tokenCalls.all;
    expect(token).toMatchObject({ method: 'POST', path: '/disbursement/token/', body: '' });
    expect(token?.headers).toMatchObject({
      authorization: `Basic ${btoa(`${keys.MTN_DISBURSEMENT_API_USER}:${keys.MTN_DISBURSEMENT_API_KEY}`)}`,
      'ocp-apim-subscription-key': keys.MTN_DISBURSEMENT_SUBSCRIPTION_KEY,
      'content-length': '0',
    });
    const [call] = provider.calls.all;
    expect(call).toMatchObject({ method: 'POST', path: '/disbursement/v1_0/transfer' });
    expect(call?.headers).toMatchObject({
      authorization: 'Bearer token-number-1',
      'content-type': 'application/json',
      'x-reference-id': order.reference,
      'x-target-environment': 'mtnuganda',
      'ocp-apim-subscription-key': keys.MTN_DISBURSEMENT_SUBSCRIPTION_KEY,
      'x-callback-url': 'https://kasente.example/rails/mtn/callback',
    });
    expect(JSON.parse(call?.body ?? '')).toEqual({
      amount: '149500',
      currency: 'UGX',
      externalId: order.reference,
      payee: { partyIdType: 'MSISDN', partyId: '256772123456' },
      payerMessage: 'Kasente K7PX 42MR',
      payeeNote: 'Kasente K7PX 42MR',
    });
  });

  it('is sent as a request to pay is documented, with keys of its own', async () => {
    provider.answer = () => ({ status: 202 });
    expect(await send('collection')).toMatchObject({ state: 'taken' });
    expect(provider.tokenCalls.all[0]?.path).toBe('/collection/token/');
    const [call] = provider.calls.all;
    expect(call?.path).toBe('/collection/v1_0/requesttopay');
    expect(call?.headers['ocp-apim-subscription-key']).toBe(keys.MTN_COLLECTION_SUBSCRIPTION_KEY);
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ payer: { partyIdType: 'MSISDN', partyId: '256772123456' } });
  });

  it('has the sandbox’s own currency', async () => {
    rail = open({ MTN_TARGET_ENVIRONMENT: 'sandbox' });
    await send();
    expect(JSON.parse(provider.calls.all[0]?.body ?? '')).toMatchObject({ currency: 'EUR', amount: '149500' });
  });

  it('has notes without special characters, and no more than 160 of them', async () => {
    await rail.payout.send({ ...order, label: `Café O'Brien & Söhne <b>${'x'.repeat(300)}` }, forEver());
    const { payeeNote } = JSON.parse(provider.calls.all[0]?.body ?? '');
    expect(payeeNote).toMatch(/^Kasente Cafe O Brien Sohne b x+$/);
    expect(payeeNote).toHaveLength(160);
  });

  it.each([14_950_050, 0, -100])('is not sent if it has %i minor units', async (amount) => {
    expect(short(await rail.payout.send({ ...order, amount }, forEver()))).toBe('failed misconfigured');
    expect(provider.calls.all).toEqual([]);
  });

  it.each([
    ['409', error(409, 'RESOURCE_ALREADY_EXIST', 'Duplicated reference id.'), 'taken'],
    ['400', error(400, 'REQUEST_REJECTED'), 'failed misconfigured'],
    ['400 of a proxy', { status: 400, text: '<html>bad request</html>' }, 'silent'],
    [
      '401',
      { status: 401, json: { statusCode: 401, message: 'Access denied due to invalid subscription key' } },
      'silent',
    ],
    ['403', error(403, 'FORBIDDEN_IP'), 'silent'],
    ['404', { status: 404, json: { statusCode: 404, message: 'Resource not found' } }, 'unknown'],
    ['429', { status: 429, json: { statusCode: 429 } }, 'silent'],
    ['200', { status: 200, json: {} }, 'unknown'],
    ['302', { status: 302, location: '/elsewhere' }, 'silent'],
    ...['NOT_ALLOWED', 'NOT_ALLOWED_TARGET_ENVIRONMENT', 'INVALID_CALLBACK_URL_HOST', 'INVALID_CURRENCY'].map(
      (code) => [`500 ${code}`, error(500, code), 'silent'] as const,
    ),
    ['500 INTERNAL_PROCESSING_ERROR', error(500, 'INTERNAL_PROCESSING_ERROR'), 'silent'],
    ['503', error(503, 'SERVICE_UNAVAILABLE'), 'silent'],
    ['502 of HTML', { status: 502, text: '<html>' }, 'silent'],
    ['a broken connection', 'cut', 'silent'],
    ['a body without an end', 'endless', 'silent'],
  ] as const)('ends as its answer says: %s', async (_what, script, expected) => {
    expect(await resultOf(script, send)).toBe(expected);
    expect(await resultOf(script, () => send('collection'))).toBe(expected);
  });

  it('is not sent again to where a redirect leads', async () => {
    provider.answer = () => ({ status: 307, location: '/elsewhere' });
    await send();
    expect(provider.calls.all.map(({ path }) => path)).toEqual(['/disbursement/v1_0/transfer']);
  });

  it('is unknown where nobody waits for the answer any longer', async () => {
    provider.answer = () => 'silent';
    const hurried = new AbortController();
    const sent = rail.payout.send(order, hurried.signal);
    await provider.calls.reached(1);
    hurried.abort();
    expect(await sent).toEqual({ state: 'unknown', said: 'no answer in time', isSilent: true });
  });

  it('is unknown where MTN is not there', async () => {
    await provider.close();
    expect(await send()).toEqual({ state: 'unknown', said: 'no token: no answer (ECONNREFUSED)', isSilent: true });
  });

  it('goes out under the same reference once a token has ended in the middle', async () => {
    provider.answer = ({ headers }) => ({ status: headers.authorization === 'Bearer token-number-1' ? 401 : 202 });
    expect(await send()).toMatchObject({ state: 'taken' });
    expect(provider.calls.all.map(({ headers }) => headers['x-reference-id'])).toEqual([
      order.reference,
      order.reference,
    ]);
  });
});

describe('what MTN says of a reference', () => {
  it('is asked for as it is documented', async () => {
    provider.answer = () => asked({ status: 'PENDING' });
    expect(await ask()).toEqual({ state: 'taken', said: 'PENDING' });
    await ask('collection');
    expect(provider.calls.all.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /disbursement/v1_0/transfer/${order.reference}`,
      `GET /collection/v1_0/requesttopay/${order.reference}`,
    ]);
    expect(provider.calls.all[0]?.headers).toMatchObject({
      'x-target-environment': 'mtnuganda',
      'ocp-apim-subscription-key': keys.MTN_DISBURSEMENT_SUBSCRIPTION_KEY,
    });
  });

  it.each([
    ['success', asked({ status: 'SUCCESSFUL', financialTransactionId: '363440463' }), 'succeeded 363440463'],
    ['a number', asked({ status: 'SUCCESSFUL', financialTransactionId: 363440463 }), 'succeeded 363440463'],
    ['success without a number', asked({ status: 'SUCCESSFUL' }), 'unknown'],
    ['failed alone', asked({ status: 'FAILED' }), 'failed other'],
    ['failed with an unlisted reason', asked({ status: 'FAILED', reason: 'SOMETHING_NEW' }), 'unknown'],
    ['a reason of every object', asked({ status: 'FAILED', reason: 'constructor' }), 'unknown'],
    ['a reason with spaces', asked({ status: 'FAILED', reason: 'not enough_funds' }), 'failed insufficientFloat'],
    ['a reason with words', asked({ status: 'FAILED', reason: { code: 'EXPIRED', message: 'x' } }), 'failed expired'],
    ['an unlisted state', asked({ status: 'ONGOING' }), 'unknown'],
    ['no state', asked({ state: 'PENDING' }), 'unknown'],
    ['an empty body', { status: 200 }, 'silent'],
    ['202', { status: 202, json: { status: 'SUCCESSFUL', financialTransactionId: '1' } }, 'unknown'],
    ['404', error(404, 'RESOURCE_NOT_FOUND', 'Requested resource was not found.'), 'notFound'],
    ['404 with spaces', error(404, 'RESOURCE NOT FOUND'), 'notFound'],
    ['404 of the gateway', { status: 404, json: { statusCode: 404, message: 'Resource not found' } }, 'unknown'],
    ['404 of a proxy', { status: 404, text: '<html>not found</html>' }, 'silent'],
    ['400', error(400, 'REQUEST_REJECTED'), 'unknown'],
    ['401', { status: 401, json: {} }, 'silent'],
    ['403', error(403, 'FORBIDDEN_IP'), 'silent'],
    ['409', error(409, 'RESOURCE_ALREADY_EXIST'), 'unknown'],
    ['500', error(500, 'NOT_ALLOWED'), 'silent'],
    ['503 that says failed', { status: 503, json: { status: 'FAILED', reason: 'EXPIRED' } }, 'silent'],
    ['a broken connection', 'cut', 'silent'],
    ['a body without an end', 'endless', 'silent'],
  ] as const)('%s', async (_what, script, expected) => {
    expect(await resultOf(script, ask)).toBe(expected);
  });

  it.each([
    ['149500', 14_950_000],
    ['12.5', 1_250],
    ['1,495', undefined],
    [149_500, undefined],
    ['-5', undefined],
    ['99999999999999999', undefined],
  ])('may have an amount of %s', async (amount, expected) => {
    provider.answer = () => asked({ status: 'SUCCESSFUL', financialTransactionId: '1', amount });
    const answer = await ask();
    expect(answer).toMatchObject({ state: 'succeeded', providerReference: '1' });
    expect('amount' in answer ? answer.amount : undefined).toBe(expected);
  });

  const listed = (['payout', 'collection'] as const).flatMap((direction) =>
    Object.entries(reasons[direction === 'payout' ? 'disbursement' : 'collection']).map(
      ([reason, refusal]) => [direction, reason, refusal] as const,
    ),
  );
  it.each(listed)('a %s that failed: %s is %s', async (direction, reason, refusal) => {
    const script = asked({ status: 'FAILED', reason });
    expect(await resultOf(script, () => ask(direction))).toBe(`failed ${refusal}`);
    provider.answer = () => ({ status: 200, json: { status: 'PENDING', reason } });
    expect(short(await ask(direction))).toBe('taken');
  });

  it.each([
    ['payout', 'PAYEE_NOT_FOUND', 'failed numberUnknown'],
    ['payout', 'PAYEE_NOT_ALLOWED_TO_RECEIVE', 'failed walletClosed'],
    ['payout', 'NOT_ENOUGH_FUNDS', 'failed insufficientFloat'],
    ['collection', 'COULD_NOT_PERFORM_TRANSACTION', 'failed expired'],
    ['collection', 'APPROVAL_REJECTED', 'failed rejected'],
    ['collection', 'PAYER_NOT_FOUND', 'failed numberUnknown'],
  ] as const)('is read for a %s: %s', async (direction, reason, expected) => {
    expect(await resultOf(asked({ status: 'FAILED', reason }), () => ask(direction))).toBe(expected);
  });
});

describe('who holds a number', () => {
  const path = '/disbursement/v1_0/accountholder/msisdn/256772123456';
  const holder = (active: Script, person: Script = { status: 200, json: {} }): Promise<Holder> => {
    provider.answer = (call) => (call.path === `${path}/active` ? active : person);
    return rail.holder(order.number, forEver());
  };

  it('is asked for as it is documented', async () => {
    const person = { sub: '0', name: 'Sand Box', given_name: 'Sarah', family_name: 'Nabirye', birthdate: '1976-08-13' };
    const answer = await holder({ status: 200, json: { result: true } }, { status: 200, json: person });
    expect(answer).toEqual({ state: 'active', name: 'Sarah Nabirye' });
    expect(provider.calls.all.map((call) => `${call.method} ${call.path}`)).toEqual([
      `GET ${path}/active`,
      `GET ${path}/basicuserinfo`,
    ]);
  });

  it.each([
    ['one name', { name: 'NABIRYE SARAH' }, 'NABIRYE SARAH'],
    ['a family name alone', { family_name: 'Nabirye' }, 'Nabirye'],
    ['no name', { name: ' ' }, null],
  ])('may have %s', async (_what, person, name) => {
    expect(await holder({ status: 200, json: { result: true } }, { status: 200, json: person })).toEqual({
      state: 'active',
      name,
    });
  });

  it('is active without a name where MTN does not say it', async () => {
    expect(await holder({ status: 200, json: { result: true } }, error(500, 'INTERNAL_PROCESSING_ERROR'))).toEqual({
      state: 'active',
      name: null,
    });
  });

  it.each([
    ['an inactive wallet', { status: 200, json: { result: false } }, 'closed'],
    ['no wallet', error(404, 'RESOURCE_NOT_FOUND'), 'none'],
    ['no such path', { status: 404, text: '<html>' }, 'unknown'],
    ['another shape', { status: 200, json: { result: 'yes' } }, 'unknown'],
    ['a refused login', { status: 401, json: {} }, 'unknown'],
    ['a server error', error(500, 'NOT_ALLOWED'), 'unknown'],
    ['a broken connection', 'cut', 'unknown'],
  ] as const)('is not known with a name for %s', async (_what, script, state) => {
    expect(await holder(script)).toMatchObject({ state });
  });
});

describe('words of MTN', () => {
  it('are kept without a secret, a token, or more than 200 characters', async () => {
    const secrets = [...Object.values(keys).filter((_value, index) => index % 3 !== 1), 'token-number-1'];
    provider.answer = () => error(500, 'NOT_ALLOWED', `${secrets.join(' ')} ${'word '.repeat(100)}`);
    for (const answer of [await send(), await ask(), await rail.holder(order.number, forEver())]) {
      const said = 'said' in answer ? answer.said : '';
      expect(said).toMatch(/^answered 500 NOT_ALLOWED /);
      expect(said.length).toBeLessThanOrEqual(200);
      const own = [keys.MTN_DISBURSEMENT_SUBSCRIPTION_KEY, keys.MTN_DISBURSEMENT_API_KEY, 'token-number-1'];
      for (const secret of own) expect(said).not.toContain(secret);
    }
  });

  it('are kept without a secret that stands where a code should', async () => {
    const quoted = `${keys.MTN_DISBURSEMENT_SUBSCRIPTION_KEY} ${keys.MTN_DISBURSEMENT_API_KEY} token-number-1`;
    provider.answer = () => error(500, quoted);
    expect(await send()).toMatchObject({ said: 'answered 500 •••_•••_••• words of MTN' });
    provider.answer = () => asked({ status: 'FAILED', reason: quoted });
    expect(await ask()).toMatchObject({ state: 'unknown', said: 'FAILED •••_•••_•••' });
  });

  it('name the code and what MTN says', async () => {
    provider.answer = () => ({
      status: 409,
      json: { code: 'RESOURCE_ALREADY_EXIST', message: 'Duplicated reference id.' },
    });
    expect(await send()).toEqual({
      state: 'taken',
      said: 'answered 409 RESOURCE_ALREADY_EXIST Duplicated reference id.',
    });
  });
});

describe('a callback of MTN', () => {
  it.each([
    [{ externalId: order.reference, status: 'SUCCESSFUL' }, order.reference],
    [{ externalId: order.reference.toUpperCase() }, order.reference],
    [{ externalId: 'K7PX42MR' }, undefined],
    [{ externalId: 5 }, undefined],
    [{}, undefined],
    [null, undefined],
    ['text', undefined],
    [[order.reference], undefined],
  ])('%j names %s', (body, reference) => {
    expect(rail.callbackReference(body)).toBe(reference);
  });
});

describe('the settings of MTN', () => {
  const refusal = (env: Readonly<Record<string, string>>): string => {
    try {
      return open(env) === undefined ? '' : 'opened';
    } catch (cause) {
      return cause instanceof Error ? `${cause.constructor.name}: ${cause.message}` : '';
    }
  };

  it('open nothing where none is set', () => {
    const ground = { now: () => new Date('2026-11-23T09:00:00Z'), callbackUrl: undefined };
    expect(kind.open({ MTN_URL: '', PATH: '/bin' }, ground)).toBeUndefined();
  });

  it.each([
    [
      { MTN_COLLECTION_API_KEY: '' },
      /^ConfigError: MTN_DISBURSEMENT_SUBSCRIPTION_KEY, .* must be set together: MTN_COLLECTION_API_KEY is not\.$/,
    ],
    [
      { MTN_COLLECTION_API_KEY: 'two words of it' },
      /^ConfigError: MTN_COLLECTION_API_KEY must be the key of that API user/,
    ],
    [
      { MTN_DISBURSEMENT_API_USER: 'kasente' },
      /^ConfigError: MTN_DISBURSEMENT_API_USER must be the product's API user/,
    ],
    [{ MTN_TARGET_ENVIRONMENT: 'production' }, /^ConfigError: MTN_TARGET_ENVIRONMENT must be mtnuganda/],
    [{ MTN_URL: 'proxy.momoapi.mtn.com' }, /^ConfigError: MTN_URL must be an address such as/],
    [
      { MTN_URL: 'http://10.0.0.7:8080' },
      /^ConfigError: MTN_URL must be an address such as .* http is for this machine alone/,
    ],
    [{ MTN_URL: 'https://user:pass@proxy.momoapi.mtn.com' }, /^ConfigError: MTN_URL must be an address/],
  ])('are refused: %j', (env, message) => {
    expect(refusal(env)).toMatch(message);
  });

  it.each([
    'http://127.0.0.1:4000',
    'http://proxy.momoapi.mtn.com',
    'https://localhost',
    'https://proxy.momoapi.mtn.com.example',
    'https://examplemtn.com',
    'https://proxy.momoapi.mtn.com:8443',
    'https://sandbox.momodeveloper.mtn.com',
  ])('refuse %s in production', (address) => {
    expect(refusal({ NODE_ENV: 'production', MTN_URL: address })).toMatch(
      /^ConfigError: MTN_URL must be the provider's own/,
    );
  });

  it('refuse the sandbox’s environment in production, and take the live one', () => {
    const live = { NODE_ENV: 'production', MTN_URL: '' };
    expect(refusal({ ...live, MTN_TARGET_ENVIRONMENT: 'sandbox' })).toMatch(
      /^ConfigError: MTN_TARGET_ENVIRONMENT must be/,
    );
    expect(refusal(live)).toBe('opened');
    expect(refusal({ ...live, MTN_URL: 'https://momoapi.mtn.com/' })).toBe('opened');
  });
});
