import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, Holder, Rail } from '#server/rail-port/rail.ts';
import {
  order as anOrder,
  forEver,
  type Script,
  ScriptedProvider,
  short,
} from '#server/rails/scripted-provider.harness.ts';
import { rail as kind } from './rail.ts';
import { codes } from './states.ts';

const order = { ...anOrder, number: '0702345678' };
const ID = '0d9a7c1e5c0e4f0e9a573f1f6f1f2a11';

function keyPair(modulusLength: 1024 | 2048 | 3072) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
  return { publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'), privateKey };
}

const { publicKey, privateKey } = keyPair(2048);
const keys = {
  AIRTEL_CLIENT_ID: 'c02e9e46-db9d-4faf-b91a-94f88bbe688c',
  AIRTEL_CLIENT_SECRET: 'ab672211-4197-4c11-ba79-b29ce2034ca2',
  AIRTEL_PIN: '4826',
  AIRTEL_PUBLIC_KEY: publicKey,
};

/** An answer in Airtel's form. */
function airtel(responseCode: string | null, transaction?: Readonly<Record<string, unknown>>, status = 200): Script {
  const data = transaction === undefined ? {} : { data: { transaction } };
  const words = { code: String(status), message: 'words of Airtel', result_code: 'ESB000010', success: true };
  return {
    status,
    json: { ...data, status: { ...words, ...(responseCode === null ? {} : { response_code: responseCode }) } },
  };
}
const paid = { id: ID, status: 'TS', airtel_money_id: 'MP210603.1234.L06941', message: 'Paid UGX 149,500' };

let provider: ScriptedProvider;
let url: string;
let rail: Rail;

function open(env: Readonly<Record<string, string>> = {}): Rail {
  const ground = { now: () => new Date('2026-11-23T09:00:00Z'), callbackUrl: undefined };
  const opened = kind.open({ ...keys, AIRTEL_URL: url, ...env }, ground);
  if (opened === undefined) throw new Error('the settings name no rail');
  return opened;
}

beforeEach(async () => {
  provider = new ScriptedProvider(/^\/auth\/oauth2\/token$/);
  url = await provider.listen();
  rail = open();
});
afterEach(() => provider.close());

type DirectionName = 'payout' | 'collection';
const send = (direction: DirectionName = 'payout') => rail[direction].send(order, forEver());
const ask = (direction: DirectionName = 'payout') => rail[direction].ask(order.reference, forEver());

async function resultOf(script: Script, act: () => Promise<Answer>): Promise<string> {
  provider.answer = () => script;
  return short(await act());
}

describe('an order to Airtel', () => {
  it('is sent as a disbursement is documented, its PIN for Airtel alone', async () => {
    provider.answer = () => airtel('DP00900001001', { ...paid, reference_id: '133412377178' });
    expect(await send()).toEqual({
      state: 'succeeded',
      providerReference: 'MP210603.1234.L06941',
      said: 'TS DP00900001001 Paid UGX 149,500',
    });
    const [token] = provider.tokenCalls.all;
    expect(token?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(token?.body ?? '')).toEqual({
      client_id: keys.AIRTEL_CLIENT_ID,
      client_secret: keys.AIRTEL_CLIENT_SECRET,
      grant_type: 'client_credentials',
    });
    const [call] = provider.calls.all;
    expect(call).toMatchObject({ method: 'POST', path: '/standard/v1/disbursements/' });
    expect(call?.headers).toMatchObject({
      authorization: 'Bearer token-number-1',
      'content-type': 'application/json',
      'x-country': 'UG',
      'x-currency': 'UGX',
    });
    const { pin, ...body } = JSON.parse(call?.body ?? '');
    expect(body).toEqual({
      payee: { msisdn: '702345678' },
      reference: 'K7PX42MR',
      transaction: { amount: 149_500, id: ID },
    });
    const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
    expect(privateDecrypt({ key: privateKey, ...padding }, Buffer.from(pin, 'base64')).toString()).toBe('4826');
  });

  it('has its PIN under the plain padding for a key of 1024 bits', async () => {
    const old = keyPair(1024);
    rail = open({ AIRTEL_PUBLIC_KEY: old.publicKey });
    await send();
    const { pin } = JSON.parse(provider.calls.all[0]?.body ?? '');
    const padding = { padding: constants.RSA_PKCS1_PADDING };
    expect(privateDecrypt({ key: old.privateKey, ...padding }, Buffer.from(pin, 'base64')).toString()).toBe('4826');
  });

  it('is sent as a request to pay is documented', async () => {
    provider.answer = () => airtel('DP00800001006', { id: false, status: 'SUCCESS' });
    expect(await send('collection')).toMatchObject({ state: 'taken' });
    const [call] = provider.calls.all;
    expect(call).toMatchObject({ method: 'POST', path: '/merchant/v1/payments/' });
    expect(JSON.parse(call?.body ?? '')).toEqual({
      reference: 'K7PX42MR',
      subscriber: { country: 'UG', currency: 'UGX', msisdn: '702345678' },
      transaction: { amount: 149_500, country: 'UG', currency: 'UGX', id: ID },
    });
  });

  it('is not sent if it has a part of a shilling', async () => {
    expect(short(await rail.payout.send({ ...order, amount: 14_950_050 }, forEver()))).toBe('failed misconfigured');
    expect(provider.calls.all).toEqual([]);
  });

  it.each([
    ['success without a state', airtel('DP00900001001', { id: ID }), 'taken'],
    ['success of another transaction', airtel('DP00900001001', { ...paid, id: 'f'.repeat(32) }), 'unknown'],
    ['success without Airtel’s number', airtel('DP00900001001', { id: ID, status: 'TS' }), 'unknown'],
    ['a state that its code denies', airtel('DP00900001007', paid), 'unknown'],
    ['in progress', airtel('DP00900001006', { id: ID, status: 'TIP' }), 'taken'],
    ['ambiguous', airtel('DP00900001000', { id: ID, status: 'TA' }), 'unknown'],
    ['a duplicate', airtel('DP00900001017'), 'taken'],
    ['a duplicate of the bus', airtel('ESB000041'), 'taken'],
    ['one like another', airtel('DP00900001011'), 'unknown'],
    ['timed out', airtel('DP00900001014'), 'unknown'],
    ['not found', airtel('DP00900001015'), 'unknown'],
    ['an unlisted code', airtel('DP00900001099'), 'unknown'],
    ['a code of every object', airtel('constructor'), 'unknown'],
    ['a code of a collection', airtel('DP00800001007'), 'unknown'],
    ['no float', airtel('DP00900001007'), 'failed insufficientFloat'],
    ['failed, for no listed reason', airtel('DP00900001099', { id: ID, status: 'TF' }), 'unknown'],
    ['failed', airtel('DP00900001005', { id: ID, status: 'TF' }), 'failed other'],
    ['a wrong PIN', airtel('ROUTER115', undefined, 400), 'failed misconfigured'],
    ['a timeout of the gateway', airtel('ROUTER117', undefined, 408), 'unknown'],
    ['no float, with a server error', airtel('DP00900001007', undefined, 500), 'silent'],
    ['an accepted request, by the old code', airtel(null), 'taken'],
    ['401', airtel('ROUTER003', undefined, 401), 'silent'],
    ['403', { status: 403, json: { error: 'forbidden' } }, 'silent'],
    ['302', { status: 302, location: '/elsewhere' }, 'silent'],
    ['404 of HTML', { status: 404, text: '<html>' }, 'silent'],
    ['502 of HTML', { status: 502, text: '<html>' }, 'silent'],
    ['an empty body', { status: 200 }, 'silent'],
    ['another shape', { status: 200, json: { status: 'TS' } }, 'unknown'],
    ['a broken connection', 'cut', 'silent'],
    ['a body without an end', 'endless', 'silent'],
  ] as const)('ends as its answer says: %s', async (_what, script, expected) => {
    expect(await resultOf(script, send)).toBe(expected);
  });

  it.each([
    ['payout', 'DP00900001011', undefined],
    ['payout', 'DP00900001013', undefined],
    ['collection', 'DP00800001008', undefined],
    ['collection', 'DP00800001008', { id: ID, status: 'TF' }],
  ] as const)(
    'is taken as a %s if its id was taken, whatever code is beside that: %s',
    async (direction, response_code, transaction) => {
      const status = {
        code: '400',
        message: 'Duplicate exttRID',
        result_code: 'ESB000041',
        response_code,
        success: false,
      };
      const json = transaction === undefined ? { status } : { status, data: { transaction } };
      expect(await resultOf({ status: 200, json }, () => send(direction))).toBe('taken');
    },
  );

  it('is unknown where nobody waits for the answer any longer', async () => {
    provider.answer = () => 'silent';
    const hurried = new AbortController();
    const sent = rail.payout.send(order, hurried.signal);
    await provider.calls.reached(1);
    hurried.abort();
    expect(await sent).toEqual({ state: 'unknown', said: 'no answer in time', isSilent: true });
  });

  it('is unknown where Airtel gives no token', async () => {
    provider.token = () => ({ status: 401, json: { error_description: keys.AIRTEL_CLIENT_SECRET } });
    expect(await send()).toEqual({ state: 'unknown', said: 'no token: answered 401', isSilent: true });
    expect(provider.calls.all).toEqual([]);
  });

  it('goes out under the same id once a token has ended in the middle', async () => {
    provider.answer = ({ headers }) =>
      headers.authorization === 'Bearer token-number-1' ? { status: 401, json: {} } : airtel('DP00900001006');
    expect(await send()).toMatchObject({ state: 'taken' });
    expect(provider.calls.all.map(({ body }) => JSON.parse(body).transaction.id)).toEqual([ID, ID]);
  });
});

describe('what Airtel says of an id', () => {
  it('is asked for as it is documented', async () => {
    provider.answer = () => airtel('DP00900001001', paid);
    expect(short(await ask())).toBe('succeeded MP210603.1234.L06941');
    await ask('collection');
    expect(provider.calls.all.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /standard/v1/disbursements/${ID}`,
      `GET /standard/v1/payments/${ID}`,
    ]);
    expect(provider.calls.all[0]?.headers).toMatchObject({ 'x-country': 'UG', 'x-currency': 'UGX' });
  });

  it.each([
    ['payout', 'TS', 'DP00900001001', 'succeeded MP210603.1234.L06941'],
    ['payout', 'TS', 'DP00900001000', 'unknown'],
    ['payout', 'TF', 'DP00900001001', 'failed other'],
    ['payout', 'TF', 'DP00900001000', 'unknown'],
    ['payout', 'TA', 'DP00900001001', 'unknown'],
    ['payout', 'TIP', 'DP00900001006', 'taken'],
    ['payout', 'TE', 'DP00900001001', 'unknown'],
    ['payout', 'TR', 'DP00900001001', 'unknown'],
    ['payout', 'TR', 'DP00900001015', 'unknown'],
    ['collection', 'TS', 'DP00800001001', 'succeeded MP210603.1234.L06941'],
    ['collection', 'TS', null, 'succeeded MP210603.1234.L06941'],
    ['collection', 'TF', 'DP00800001024', 'failed expired'],
    ['collection', 'TF', 'DP00800001000', 'unknown'],
    ['collection', 'TE', 'DP00800001029', 'failed expired'],
    ['collection', 'TA', 'DP00800001000', 'unknown'],
    ['collection', 'SUCCESS', 'DP00800001001', 'unknown'],
  ] as const)('is read for a %s: %s with %s', async (direction, status, code, expected) => {
    expect(await resultOf(airtel(code, { ...paid, status }), () => ask(direction))).toBe(expected);
  });

  it.each([
    ['payout', airtel('DP00900001015'), 'notFound'],
    ['collection', airtel('DP00800001025', undefined, 404), 'notFound'],
    ['payout', airtel('ESB000045', { id: ID }, 400), 'notFound'],
    ['payout', airtel('DP00800001025'), 'unknown'],
    ['payout', airtel('DP00900001015', undefined, 500), 'silent'],
    ['payout', airtel('DP00900001007'), 'unknown'],
    ['payout', airtel('ROUTER115', undefined, 400), 'unknown'],
    ['payout', airtel('DP00900001001'), 'unknown'],
    ['payout', { status: 404, text: '<html>' }, 'silent'],
    ['payout', { status: 404, json: { error: 'not found' } }, 'unknown'],
    ['payout', 'cut', 'silent'],
    ['payout', 'endless', 'silent'],
  ] as const)('is read for a %s without a state: %j', async (direction, script, expected) => {
    expect(await resultOf(script, () => ask(direction))).toBe(expected);
  });

  const listed = (['payout', 'collection'] as const).flatMap((direction) =>
    Object.entries(codes[direction === 'payout' ? 'disbursement' : 'collection']).map(
      ([code, meaning]) => [direction, code, meaning] as const,
    ),
  );
  const taken = ['succeeded', 'inProgress', 'duplicate'];
  const unfinished = [...taken, 'ambiguous', 'missing'];

  it.each(listed)('a code alone: a %s answered by %s, which is %s', async (direction, code, meaning) => {
    const isOpen = unfinished.includes(meaning);
    const sent = await resultOf(airtel(code), () => send(direction));
    expect(sent).toBe(isOpen ? (taken.includes(meaning) ? 'taken' : 'unknown') : `failed ${meaning}`);
    const askedFor = await resultOf(airtel(code), () => ask(direction));
    expect(askedFor).toBe(meaning === 'missing' ? 'notFound' : 'unknown');
  });

  it.each(listed.filter(([, , meaning]) => !unfinished.includes(meaning)))(
    'a %s that failed: %s is %s',
    async (direction, code, meaning) => {
      const failed = airtel(code, { id: ID, status: 'TF' });
      expect(await resultOf(failed, () => ask(direction))).toBe(`failed ${meaning}`);
    },
  );
});

describe('who holds a number', () => {
  const holder = (script: Script): Promise<Holder> => {
    provider.answer = () => script;
    return rail.holder(order.number, forEver());
  };
  const user = (code: string, data?: Readonly<Record<string, unknown>>): Script => ({
    status: 200,
    json: { ...(data === undefined ? {} : { data }), status: { response_code: code, message: 'SUCCESS', code: '200' } },
  });
  const person = { first_name: 'SARAH', last_name: 'NABIRYE', is_barred: false, is_pin_set: true, msisdn: '702345678' };

  it('is asked for as it is documented', async () => {
    expect(await holder(user('DP02200000001', person))).toEqual({ state: 'active', name: 'SARAH NABIRYE' });
    expect(provider.calls.all.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /standard/v1/users/702345678',
    ]);
  });

  it('may have no name', async () => {
    expect(await holder(user('DP02200000001', { is_barred: false }))).toEqual({ state: 'active', name: null });
  });

  it.each([
    ['a barred wallet', user('DP02200000001', { ...person, is_barred: true }), 'closed'],
    ['no wallet', user('DP02200000002'), 'none'],
    ['a failed enquiry', user('DP02200000000', person), 'unknown'],
    ['no data', user('DP02200000001'), 'unknown'],
    ['another shape', { status: 200, json: { data: person } }, 'unknown'],
    ['a server error', { status: 500, json: { status: { response_code: 'DP02200000002' } } }, 'unknown'],
    ['a broken connection', 'cut', 'unknown'],
  ] as const)('is not known with a name for %s', async (_what, script, state) => {
    expect(await holder(script)).toMatchObject({ state });
  });
});

describe('words of Airtel', () => {
  it('are kept without the secret, a token, the PIN, or more than 200 characters', async () => {
    const words = `${keys.AIRTEL_CLIENT_SECRET} token-number-1 PIN ${keys.AIRTEL_PIN}, of 148260 ${'word '.repeat(100)}`;
    provider.answer = ({ body }) => {
      const pin = body === '' ? '' : JSON.parse(body).pin;
      return { status: 200, json: { status: { response_code: 'DP00900001000', message: `${pin} ${words}` } } };
    };
    const answer = await send();
    expect(answer.said).toMatch(/^DP00900001000 ••• ••• ••• PIN •••, of 148260 word/);
    expect(answer.said).toHaveLength(200);
    const { pin } = JSON.parse(provider.calls.all[0]?.body ?? '');
    for (const secret of [keys.AIRTEL_CLIENT_SECRET, 'token-number-1', pin.slice(0, 40), ' 4826']) {
      expect(answer.said).not.toContain(secret);
    }
  });
});

describe('a callback of Airtel', () => {
  it.each([
    [{ transaction: { id: ID, status_code: 'TS', airtel_money_id: 'MP1' } }, order.reference],
    [{ transaction: { id: ID.toUpperCase() }, hash: 'abc=' }, order.reference],
    [{ transaction: { id: 'BBZMiscxy' } }, undefined],
    [{ transaction: {} }, undefined],
    [{ id: ID }, undefined],
    [null, undefined],
    ['text', undefined],
  ])('%j names %s', (body, reference) => {
    expect(rail.callbackReference(body)).toBe(reference);
  });
});

describe('the settings of Airtel', () => {
  const refusal = (env: Readonly<Record<string, string>>): string => {
    try {
      return open(env) === undefined ? '' : 'opened';
    } catch (cause) {
      return cause instanceof Error ? `${cause.constructor.name}: ${cause.message}` : '';
    }
  };

  it('open nothing where none is set', () => {
    expect(kind.open({}, { now: () => new Date('2026-11-23T09:00:00Z'), callbackUrl: undefined })).toBeUndefined();
  });

  it.each([
    [{ AIRTEL_PIN: '' }, /^ConfigError: AIRTEL_CLIENT_ID, .* must be set together: AIRTEL_PIN is not\.$/],
    [{ AIRTEL_PIN: '48265' }, /^ConfigError: AIRTEL_PIN must be the 4 digits/],
    [{ AIRTEL_PUBLIC_KEY: 'A'.repeat(200) }, /^ConfigError: AIRTEL_PUBLIC_KEY must be Airtel's RSA public key/],
    [{ AIRTEL_PUBLIC_KEY: keyPair(3072).publicKey }, /^ConfigError: AIRTEL_PUBLIC_KEY must be .* 1024 or 2048 bits/],
    [
      { AIRTEL_URL: 'http://10.0.0.7' },
      /^ConfigError: AIRTEL_URL must be an address such as .* http is for this machine alone/,
    ],
  ])('are refused: %j', (env, message) => {
    const said = refusal(env);
    expect(said).toMatch(message);
    expect(said).not.toContain('48265');
  });

  it.each([
    'http://127.0.0.1:4000',
    'http://openapi.airtel.africa',
    'https://openapi.airtel.africa.example',
    'https://openapiuat.airtel.africa',
  ])('refuse %s in production', (address) => {
    expect(refusal({ NODE_ENV: 'production', AIRTEL_URL: address })).toMatch(
      /^ConfigError: AIRTEL_URL must be the provider's/,
    );
  });

  it('take the live address in production', () => {
    expect(refusal({ NODE_ENV: 'production', AIRTEL_URL: '' })).toBe('opened');
  });
});
