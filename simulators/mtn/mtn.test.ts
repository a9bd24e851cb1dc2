import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, switchesOf } from '#simulators/ground/calls.harness.ts';
import { type RunningSimulator, startSimulator } from '#simulators/start.ts';
import { type Changes, mtnAt } from './mtn.harness.ts';

/** MTN's simulator follows MTN's documented contract. */

const SARAH = '256772345678';
const CLOSED = '256772000001';
const FULL = '256772000002';

let simulator: RunningSimulator;
let mtn: ReturnType<typeof mtnAt>;
let switches: ReturnType<typeof switchesOf>;

beforeAll(async () => {
  simulator = await startSimulator('mtn');
  mtn = mtnAt(simulator.url);
  switches = switchesOf(simulator.url);
  await switches.hold();
  await switches.float(1_000_000_000);
  await switches.wallets(
    { msisdn: SARAH, name: 'Sarah Nabirye', balance: 50_000 },
    { msisdn: CLOSED, name: 'Peter Okello', state: 'closed' },
    { msisdn: FULL, name: 'Grace Auma', balance: 19_999_500 },
  );
});
afterAll(() => simulator.stop());

describe('a transfer', () => {
  it('is accepted with 202 and no body, then paid once', async () => {
    const before = await switches.book();
    const { reference, reply } = await mtn.transfer(SARAH);
    expect([reply.status, reply.text]).toEqual([202, '']);
    const status = await mtn.transferStatus(reference);
    expect(status.status).toBe(200);
    expect(status.body).toEqual({
      financialTransactionId: expect.stringMatching(/^\d{10}$/),
      externalId: 'ACDEFGH',
      amount: '1000',
      currency: 'UGX',
      payee: { partyIdType: 'MSISDN', partyId: SARAH },
      payerMessage: 'Pay',
      payeeNote: 'Paid',
      status: 'SUCCESSFUL',
    });
    await mtn.transferStatus(reference);
    const after = await switches.book();
    expect(before.accounts.disbursement - after.accounts.disbursement).toBe(1000);
    expect(after.sums.held).toBe(after.sums.funded);
  });

  it('is refused if its reference is used, even concurrently', async () => {
    const id = randomUUID();
    const both = await Promise.all([mtn.transfer(SARAH, { id }), mtn.transfer(SARAH, { id })]);
    expect(both.map(({ reply }) => reply.status).sort()).toEqual([202, 409]);
    const again = await mtn.transfer(SARAH, { id, body: { amount: '999' } });
    expect(again.reply.body).toEqual({
      message: 'Duplicated reference id. Creation of resource failed.',
      code: 'RESOURCE_ALREADY_EXIST',
    });
  });

  const refused: readonly (readonly [what: string, changes: Changes, status: number, said: string])[] = [
    [
      'without a subscription key',
      { headers: { 'ocp-apim-subscription-key': undefined } },
      401,
      'missing subscription key',
    ],
    [
      'with an unknown subscription key',
      { headers: { 'ocp-apim-subscription-key': 'x' } },
      401,
      'invalid subscription key',
    ],
    [
      'with another product’s key',
      { headers: { 'ocp-apim-subscription-key': 'simulated-key-2-primary' } },
      401,
      'invalid subscription key',
    ],
    ['without a token', { headers: { authorization: undefined } }, 401, 'Unauthorized'],
    ['with a made-up token', { headers: { authorization: 'Bearer made-up' } }, 401, 'Unauthorized'],
    ['without its environment', { headers: { 'x-target-environment': undefined } }, 400, 'X-Target-Environment'],
    [
      'for another environment',
      { headers: { 'x-target-environment': 'mtnghana' } },
      500,
      'NOT_ALLOWED_TARGET_ENVIRONMENT',
    ],
    ['without a reference', { headers: { 'x-reference-id': undefined } }, 400, 'UUID of version 4'],
    ['with a reference of version 1', { id: '6f1c1a52-0b1e-11ef-9c3d-325096b39f47' }, 400, 'UUID of version 4'],
    [
      'with a callback to another host',
      { headers: { 'x-callback-url': 'https://elsewhere.example/x' } },
      500,
      'INVALID_CALLBACK_URL_HOST',
    ],
    ['with a callback to no address', { headers: { 'x-callback-url': 'localhost' } }, 400, 'no address'],
    ['in another currency', { body: { currency: 'EUR' } }, 500, 'INVALID_CURRENCY'],
    ['of cents', { body: { amount: '1000.50' } }, 400, 'no whole amount'],
    ['of nothing', { body: { amount: '0' } }, 400, 'no whole amount'],
    ['of a number in the place of a text', { body: { amount: 1000 } }, 400, 'amount'],
    ['with an apostrophe in its note', { body: { payeeNote: "Sarah's" } }, 400, 'payeeNote'],
    ['with a note of 161 characters', { body: { payerMessage: 'a'.repeat(161) } }, 400, 'payerMessage'],
    ['with a space in its external id', { body: { externalId: 'A B' } }, 400, 'externalId'],
    ['to a party of another kind', { body: { payee: { partyIdType: 'EMAIL', partyId: 'a@b.c' } } }, 400, 'partyIdType'],
    ['to a number of letters', { body: { payee: { partyIdType: 'MSISDN', partyId: '2567ABC' } } }, 400, 'partyId'],
  ];
  it.each(refused)('%s is refused', async (_what, changes, status, said) => {
    const before = (await switches.book()).transactions.length;
    const { reply } = await mtn.transfer(SARAH, changes);
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(said)]);
    expect((await switches.book()).transactions).toHaveLength(before);
  });

  const failing: readonly (readonly [msisdn: string, amount: string, reason: string])[] = [
    ['256772999999', '1000', 'PAYEE_NOT_FOUND'],
    ['0772345678', '1000', 'PAYEE_NOT_FOUND'],
    [CLOSED, '1000', 'PAYEE_NOT_ALLOWED_TO_RECEIVE'],
    [FULL, '501', 'PAYEE_LIMIT_REACHED'],
    [SARAH, '5000001', 'PAYER_LIMIT_REACHED'],
    ['46733123450', '1000', 'INTERNAL_PROCESSING_ERROR'],
    ['46733123451', '1000', 'APPROVAL_REJECTED'],
    ['46733123452', '1000', 'EXPIRED'],
    ['46733123455', '1000', 'NOT_ENOUGH_FUNDS'],
    ['46733123456', '1000', 'PAYER_LIMIT_REACHED'],
    ['46733123457', '1000', 'PAYEE_NOT_FOUND'],
    ['46733123463', '1000', 'SERVICE_UNAVAILABLE'],
  ];
  it.each(failing)('to %s of %s is accepted and fails with %s', async (msisdn, amount, reason) => {
    const before = await switches.book();
    const { reference, reply } = await mtn.transfer(msisdn, { body: { amount } });
    expect(reply.status).toBe(202);
    expect((await mtn.transferStatus(reference)).body).toMatchObject({ status: 'FAILED', reason });
    expect((await switches.book()).accounts).toEqual(before.accounts);
  });

  it('to the documented slow numbers stays pending, for ever or for 25 seconds', async () => {
    const forEver = await mtn.transfer('46733123453');
    const delayed = await mtn.transfer('46733123454');
    expect((await mtn.transferStatus(delayed.reference)).body).toMatchObject({ status: 'CREATED' });
    await switches.advance(25);
    expect((await mtn.transferStatus(delayed.reference)).body).toMatchObject({ status: 'SUCCESSFUL' });
    expect((await mtn.transferStatus(forEver.reference)).body).toMatchObject({ status: 'PENDING' });
    const { sums } = await switches.book();
    expect(sums.held).toBe(sums.funded);
  });

  it('above the float fails and leaves the float unchanged', async () => {
    const { accounts } = await switches.book();
    await switches.float(999);
    const { reference } = await mtn.transfer(SARAH);
    expect((await mtn.transferStatus(reference)).body).toMatchObject({ status: 'FAILED', reason: 'NOT_ENOUGH_FUNDS' });
    expect((await switches.book()).accounts.disbursement).toBe(999);
    await switches.float(accounts.disbursement);
  });

  it('is visible only to its product', async () => {
    const { reference } = await mtn.transfer(SARAH);
    expect((await mtn.requestStatus(reference)).body).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    expect((await mtn.transferStatus(randomUUID())).status).toBe(404);
  });

  it('is paid up to a wallet’s daily limit', async () => {
    const msisdn = '256772000003';
    for (let times = 0; times < 4; times++) {
      await switches.wallets({ msisdn, name: 'Rich Man', balance: 0 });
      const { reference } = await mtn.transfer(msisdn, { body: { amount: '5000000' } });
      expect((await mtn.transferStatus(reference)).body).toMatchObject({ status: 'SUCCESSFUL' });
    }
    await switches.wallets({ msisdn, name: 'Rich Man', balance: 0 });
    const over = await mtn.transfer(msisdn, { body: { amount: '1' } });
    expect((await mtn.transferStatus(over.reference)).body).toMatchObject({ reason: 'PAYEE_LIMIT_REACHED' });
    await switches.advance(24 * 3600);
    const nextDay = await mtn.transfer(msisdn, { body: { amount: '1' } });
    expect((await mtn.transferStatus(nextDay.reference)).body).toMatchObject({ status: 'SUCCESSFUL' });
  });
});

describe('a token', () => {
  it('expires after an hour', async () => {
    const headers = await mtn.headersOf('disbursement');
    const balance = () => call('GET', `${simulator.url}/disbursement/v1_0/account/balance`, { headers });
    expect((await balance()).body).toMatchObject({ currency: 'UGX' });
    await switches.advance(3600);
    expect((await balance()).status).toBe(401);
  });

  it('is refused to a wrong key, and at an address without the final slash', async () => {
    const headers = {
      authorization: `Basic ${Buffer.from('00000000-0000-4000-8000-000000000001:wrong').toString('base64')}`,
      'ocp-apim-subscription-key': 'simulated-key-1-primary',
    };
    const refused = await call('POST', `${simulator.url}/disbursement/token/`, { headers });
    expect([refused.status, refused.body]).toEqual([401, { error: 'login_failed' }]);
    expect((await call('POST', `${simulator.url}/disbursement/token`, { headers })).status).toBe(404);
  });
});

describe('provisioning', () => {
  it('creates a user and a key for the subscription key’s product', async () => {
    const id = randomUUID();
    const keyed = { 'ocp-apim-subscription-key': 'simulated-key-1-secondary' };
    const create = (host: string) =>
      call('POST', `${simulator.url}/v1_0/apiuser`, {
        headers: { ...keyed, 'x-reference-id': id },
        body: { providerCallbackHost: host },
      });
    expect((await create('https://a.example/path')).status).toBe(400);
    expect((await create('a.example')).status).toBe(201);
    expect((await create('a.example')).status).toBe(409);
    const shown = await call('GET', `${simulator.url}/v1_0/apiuser/${id}`, { headers: keyed });
    expect(shown.body).toEqual({ providerCallbackHost: 'a.example', targetEnvironment: 'mtnuganda' });
    const key = await call('POST', `${simulator.url}/v1_0/apiuser/${id}/apikey`, { headers: keyed });
    expect([key.status, key.body]).toEqual([201, { apiKey: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    expect(
      (await call('POST', `${simulator.url}/v1_0/apiuser/${randomUUID()}/apikey`, { headers: keyed })).status,
    ).toBe(404);
  });
});

describe('an account', () => {
  it('is active, closed or unknown, with its owner’s name', async () => {
    const active = async (msisdn: string) =>
      (await mtn.get('disbursement', `/accountholder/msisdn/${msisdn}/active`)).body;
    expect([await active(SARAH), await active(CLOSED), await active('256772999999')]).toEqual([
      { result: true },
      { result: false },
      { result: false },
    ]);
    expect(await active('46733123452')).toMatchObject({ code: 'NOT_ALLOWED' });
    const info = await mtn.get('collection', `/accountholder/msisdn/${SARAH}/basicuserinfo`);
    expect(info.body).toMatchObject({ given_name: 'Sarah', family_name: 'Nabirye', status: 'ACTIVE' });
    expect((await mtn.get('collection', '/accountholder/msisdn/256772999999/basicuserinfo')).status).toBe(404);
  });
});
