import {
  constants,
  createCipheriv,
  createHmac,
  createPublicKey,
  publicEncrypt,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { call, type Reply, startCaller, switchesOf } from '#simulators/ground/calls.harness.ts';
import { type RunningSimulator, startSimulator } from '#simulators/start.ts';

/** Airtel's simulator follows Airtel's documented contract. */

const JOHN = '256701234567';
const CLOSED = '256701000001';
const PUSHED = '/merchant/v1/payments/';
const PAID = '/standard/v2/disbursements/';

let simulator: RunningSimulator;
let switches: ReturnType<typeof switchesOf>;
let caller: Awaited<ReturnType<typeof startCaller>>;
let publicKey: ReturnType<typeof createPublicKey>;

beforeAll(async () => {
  caller = await startCaller();
  simulator = await startSimulator('airtel', { settings: { callbackUrl: caller.url, callbackKey: 'key of a test' } });
  switches = switchesOf(simulator.url);
  await switches.hold();
  await switches.float(10_000_000);
  await switches.wallets(
    { msisdn: JOHN, name: 'John Mugisha', balance: 50_000 },
    { msisdn: CLOSED, name: 'Closed Wallet', state: 'closed' },
  );
  const keys = await authorized('GET', '/v1/rsa/encryption-keys');
  const { data } = z.object({ data: z.object({ key: z.string() }) }).parse(keys.body);
  publicKey = createPublicKey({ key: Buffer.from(data.key, 'base64'), format: 'der', type: 'spki' });
});
afterEach(async () => {
  await switches.faults();
  caller.arrived.length = 0;
});
afterAll(async () => {
  await simulator.stop();
  await caller.stop();
});

async function token(url = simulator.url): Promise<string> {
  const body = { client_id: 'simulated-client', client_secret: 'simulated-secret', grant_type: 'client_credentials' };
  const reply = await call('POST', `${url}/auth/oauth2/token`, { body });
  return z.object({ access_token: z.string(), expires_in: z.literal('180') }).parse(reply.body).access_token;
}

async function authorized(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const authorization = `Bearer ${await token()}`;
  const all = { authorization, 'x-country': 'UG', 'x-currency': 'UGX', ...headers };
  return call(method, `${simulator.url}${path}`, { headers: all, ...(body === undefined ? {} : { body }) });
}

function encrypted(pin: string, padding = constants.RSA_PKCS1_PADDING): string {
  return publicEncrypt({ key: publicKey, padding }, Buffer.from(pin)).toString('base64');
}

interface Changed {
  readonly msisdn?: string;
  readonly id?: string;
  readonly amount?: unknown;
  readonly pin?: string | null;
  readonly reference?: string;
  readonly type?: string | null;
}

function disbursement({
  msisdn = JOHN,
  id = randomUUID(),
  amount = 1000,
  pin,
  reference = 'ACDEFGH',
  type = 'B2C',
}: Changed) {
  return {
    payee: { msisdn: msisdn.replace(/^256/, ''), currency: 'UGX' },
    reference,
    ...(pin === null ? {} : { pin: pin ?? encrypted('1234') }),
    transaction: { amount, id, ...(type === null ? {} : { type }) },
  };
}

function collection({ msisdn = JOHN, id = randomUUID(), amount = 1000, reference = 'ACDE FGHJ' }: Changed) {
  return {
    reference,
    subscriber: { country: 'UG', currency: 'UGX', msisdn: msisdn.replace(/^256/, '') },
    transaction: { amount, country: 'UG', currency: 'UGX', id },
  };
}

describe('a disbursement', () => {
  it('is paid at once, with the same answer from its enquiry', async () => {
    const id = randomUUID();
    const paid = await authorized('POST', PAID, disbursement({ id }));
    expect([paid.status, paid.body]).toEqual([
      200,
      {
        data: {
          transaction: {
            airtel_money_id: expect.stringMatching(/^CI\d{6}\.\d{4}\.L\d{5}$/),
            reference_id: expect.any(String),
            id,
            status: 'TS',
          },
        },
        status: {
          code: '200',
          message: expect.stringContaining('You have sent UGX 1,000 to 701234567'),
          result_code: 'ESB000010',
          response_code: 'DP00900001001',
          success: true,
        },
      },
    ]);
    expect((await authorized('GET', `${PAID}${id}?transactionType=B2C`)).body).toEqual(paid.body);
    const { accounts, sums } = await switches.book();
    expect([accounts.disbursement, sums.held]).toEqual([9_999_000, sums.funded]);
  });

  it('is paid once, and its duplicate is refused', async () => {
    const order = disbursement({});
    const both = await Promise.all([authorized('POST', PAID, order), authorized('POST', PAID, order)]);
    expect(both.map(({ text }) => /"response_code":"(\w+)"/.exec(text)?.[1]).sort()).toEqual([
      'DP00900001001',
      'DP00900001011',
    ]);
  });

  const refused: readonly (readonly [what: string, changed: Changed, said: string])[] = [
    ['with the country’s code', { msisdn: '256256701234567' }, 'Msisdn Length should be 9'],
    ['of nothing', { amount: 0 }, 'DP00900001004'],
    ['of cents', { amount: 10.5 }, 'DP00900001004'],
    ['without a PIN', { pin: null }, 'Missing header/body params'],
    ['with a PIN that is not encrypted', { pin: '1234' }, 'ROUTER116'],
    ['with a short reference', { reference: 'abc' }, 'ESB000008'],
    ['without its type', { type: null }, 'ESB000008'],
  ];
  it.each(refused)('%s is refused', async (_what, changed, said) => {
    const before = (await switches.book()).transactions.length;
    const reply = await authorized('POST', PAID, disbursement(changed));
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining(said)]);
    expect(reply.body).toMatchObject({ status: { success: false } });
    expect((await switches.book()).transactions).toHaveLength(before);
  });

  it('is refused with a wrong PIN; version 1 needs no type, and OAEP is accepted', async () => {
    const wrong = await authorized('POST', PAID, disbursement({ pin: encrypted('9999') }));
    expect(wrong.body).toMatchObject({ status: { message: 'Incorrect Pin', result_code: 'ROUTER115' } });
    const oaep = encrypted('1234', constants.RSA_PKCS1_OAEP_PADDING);
    const first = await authorized('POST', '/standard/v1/disbursements/', disbursement({ type: null, pin: oaep }));
    expect(first.body).toMatchObject({ data: { transaction: { status: 'TS' } } });
  });

  it.each([
    ['256701999999', 'DP00900001012'],
    [CLOSED, 'DP00900001009'],
    ['256799000007', 'DP00900001007'],
  ])('to %s fails with %s, and its id cannot be reused', async (msisdn, code) => {
    const order = disbursement({ msisdn });
    const failed = await authorized('POST', PAID, order);
    expect(failed.body).toMatchObject({
      data: { transaction: { status: 'TF' } },
      status: { response_code: code, success: false },
    });
    expect((await authorized('POST', PAID, order)).body).toMatchObject({ status: { response_code: 'DP00900001011' } });
  });

  it('is ambiguous until it settles; an unknown id is refused', async () => {
    await switches.faults({ fault: 'pending', as: 'TA', seconds: 60 });
    const order = disbursement({});
    expect((await authorized('POST', PAID, order)).body).toMatchObject({
      data: { transaction: { status: 'TA' } },
      status: { response_code: 'DP00900001000' },
    });
    await switches.faults();
    await switches.advance(60);
    const enquiry = await authorized('GET', `${PAID}${order.transaction.id}`);
    expect(enquiry.body).toMatchObject({ data: { transaction: { status: 'TS' } } });
    const unknown = await authorized('GET', `${PAID}${randomUUID()}`);
    expect(unknown.body).toMatchObject({ status: { response_code: 'DP00900001015', success: false } });
  });

  it('is paid although its answer is lost', async () => {
    await switches.faults({ fault: 'lose-answer', operation: 'transfer', msisdn: JOHN, count: 1 });
    const order = disbursement({});
    await expect(authorized('POST', PAID, order)).rejects.toThrow();
    expect((await authorized('GET', `${PAID}${order.transaction.id}`)).body).toMatchObject({
      data: { transaction: { status: 'TS' } },
    });
  });
});

describe('a collection', () => {
  it('waits for the phone, then calls back with a hash', async () => {
    const order = collection({});
    const { id } = order.transaction;
    const begun = await authorized('POST', PUSHED, order);
    expect(begun.body).toMatchObject({
      data: { transaction: { id, status: 'SUCCESS' } },
      status: { response_code: 'DP00800001006', success: true },
    });
    expect((await authorized('GET', `/standard/v1/payments/${id}`)).body).toMatchObject({
      data: { transaction: { status: 'TIP' } },
    });
    await call('POST', `${simulator.url}/phone/0701234567/requests/${id}`, { body: 'answer=approve&pin=1234' });
    const [arrived] = await caller.until(1);
    const said = z.object({ transaction: z.record(z.string(), z.string()), hash: z.string() }).parse(arrived?.body);
    expect([arrived?.method, said.transaction]).toEqual(['POST', expect.objectContaining({ id, status_code: 'TS' })]);
    const hash = createHmac('sha256', 'key of a test').update(JSON.stringify(said.transaction)).digest('base64');
    expect(said.hash).toBe(hash);
    expect((await authorized('GET', `/standard/v1/payments/${id}`)).body).toMatchObject({
      data: { transaction: { status: 'TS', airtel_money_id: said.transaction.airtel_money_id } },
      status: { response_code: 'DP00800001001' },
    });
  });

  it('expires as TE after five minutes; a wrong PIN or an unknown payer fails at once', async () => {
    const [expiring, mistyped, unknown] = [collection({}), collection({}), collection({ msisdn: '256701999998' })];
    for (const order of [expiring, mistyped, unknown]) await authorized('POST', PUSHED, order);
    await call('POST', `${simulator.url}/phone/${JOHN}/requests/${mistyped.transaction.id}`, {
      body: 'answer=approve&pin=0000',
    });
    await switches.advance(300);
    const wordOf = async (order: typeof expiring) =>
      (await authorized('GET', `/standard/v1/payments/${order.transaction.id}`)).body;
    expect(await wordOf(expiring)).toMatchObject({ data: { transaction: { status: 'TE' } } });
    expect(await wordOf(mistyped)).toMatchObject({ status: { response_code: 'DP00800001002' } });
    expect(await wordOf(unknown)).toMatchObject({ status: { response_code: 'DP00800001010' } });
  });

  it('is accepted with the signature of its body, and refused with another', async () => {
    const order = collection({});
    const signed = (text: string) => {
      const [key, iv] = [randomBytes(32), randomBytes(16)];
      const cipher = createCipheriv('aes-256-cbc', key, iv);
      const signature = Buffer.concat([cipher.update(text), cipher.final()]).toString('base64');
      return { 'x-signature': signature, 'x-key': encrypted(`${key.toString('base64')}:${iv.toString('base64')}`) };
    };
    const wrong = await authorized('POST', '/merchant/v2/payments/', order, signed('{}'));
    expect([wrong.status, wrong.body]).toEqual([
      403,
      { status: expect.objectContaining({ response_code: 'DP00800001026' }) },
    ]);
    const right = await authorized('POST', '/merchant/v2/payments/', order, signed(JSON.stringify(order)));
    expect(right.body).toMatchObject({ status: { success: true } });
  });
});

describe('a caller', () => {
  it('needs a client, an unexpired token, a country and a currency', async () => {
    const login = (secret: string) =>
      call('POST', `${simulator.url}/auth/oauth2/token`, {
        body: { client_id: 'simulated-client', client_secret: secret, grant_type: 'client_credentials' },
      });
    expect([(await login('wrong')).status, (await login('wrong')).body]).toEqual([
      400,
      { error_description: 'Invalid client authentication', error: 'invalid_client' },
    ]);
    const bearer = { authorization: `Bearer ${await token()}`, 'x-country': 'UG', 'x-currency': 'UGX' };
    const balance = () => call('GET', `${simulator.url}/standard/v1/users/balance/disbursement`, { headers: bearer });
    expect((await balance()).body).toMatchObject({ data: { balance: expect.stringMatching(/^[\d,]+\.00$/) } });
    await switches.advance(180);
    expect((await balance()).status).toBe(401);
    const path = `/standard/v1/users/${JOHN.slice(3)}`;
    expect((await authorized('GET', path, undefined, { 'x-country': '' })).body).toMatchObject({
      status_code: 'ROUTER110',
    });
    expect((await authorized('GET', path, undefined, { 'x-country': 'KE' })).status).toBe(400);
    expect((await authorized('GET', path, undefined, { 'x-currency': 'KES' })).text).toContain(
      'Invalid/Missing Currency',
    );
  });

  it('gets a number’s owner', async () => {
    const info = await authorized('GET', `/standard/v1/users/${JOHN.slice(3)}`);
    expect(info.body).toMatchObject({
      data: { first_name: 'John', last_name: 'Mugisha', is_barred: false, msisdn: 701234567 },
      status: { response_code: 'DP02200000001' },
    });
    expect((await authorized('GET', '/standard/v1/users/701999999')).body).toMatchObject({
      status: { response_code: 'DP02200000002', success: false },
    });
    expect((await authorized('GET', `/standard/v1/users/${CLOSED.slice(3)}`)).body).toMatchObject({
      data: { is_barred: true },
    });
  });
});

it('settings make Airtel call back for disbursements and hash the whole body', async () => {
  const settings = {
    callbackUrl: caller.url,
    callbackKey: 'another',
    hashOver: 'body',
    callsBackForDisbursements: true,
  };
  const other = await startSimulator('airtel', { settings });
  onTestFinished(() => other.stop());
  const turn = switchesOf(other.url);
  await turn.float(5000);
  await turn.wallets({ msisdn: JOHN, name: 'John Mugisha' });
  const { credentials } = z
    .object({ credentials: z.object({ publicKey: z.string() }) })
    .parse((await call('GET', `${other.url}/simulator`)).body);
  const key = createPublicKey({ key: Buffer.from(credentials.publicKey, 'base64'), format: 'der', type: 'spki' });
  const pin = publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from('1234')).toString('base64');
  const headers = { authorization: `Bearer ${await token(other.url)}`, 'x-country': 'UG', 'x-currency': 'UGX' };
  await call('POST', `${other.url}${PAID}`, { headers, body: disbursement({ pin }) });
  const said = z
    .object({ transaction: z.record(z.string(), z.string()), hash: z.string() })
    .parse((await caller.until(1))[0]?.body);
  expect(said.transaction.status_code).toBe('TS');
  const text = JSON.stringify({ transaction: said.transaction });
  expect(said.hash).toBe(createHmac('sha256', 'another').update(text).digest('base64'));
});

it('Airtel’s statement lists payments in both directions with the balance after each', async () => {
  const [head = '', ...rows] = (await switches.statement()).trim().split('\r\n');
  expect(head).toMatch(/^Transaction ID,Reference ID,Date/);
  const { accounts, transactions } = await switches.book();
  expect(rows).toHaveLength(transactions.filter(({ state }) => state === 'succeeded').length);
  const lastOut = rows
    .filter((row) => row.includes(',Disbursement,'))
    .at(-1)
    ?.split(',');
  expect(lastOut?.slice(-4)).toEqual(['', '1000', 'UGX', String(accounts.disbursement)]);
});
