import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { call, startCaller, switchesOf } from '#simulators/ground/calls.harness.ts';
import { type RunningSimulator, startSimulator } from '#simulators/start.ts';
import { mtnAt } from './mtn.harness.ts';

/** Each fault affects only its calls, and money still moves at most once. */

const SARAH = '256772345678';
const OTHER = '256772345679';

let simulator: RunningSimulator;
let mtn: ReturnType<typeof mtnAt>;
let switches: ReturnType<typeof switchesOf>;
let caller: Awaited<ReturnType<typeof startCaller>>;

beforeAll(async () => {
  caller = await startCaller();
  simulator = await startSimulator('mtn');
  mtn = mtnAt(simulator.url);
  switches = switchesOf(simulator.url);
  await switches.hold();
  await switches.float(1_000_000);
  await switches.wallets({ msisdn: SARAH, name: 'Sarah Nabirye' }, { msisdn: OTHER, name: 'Joan Akello' });
});
afterEach(async () => {
  await switches.faults();
  caller.arrived.length = 0;
});
afterAll(async () => {
  await simulator.stop();
  await caller.stop();
});

async function statesOf(id: string): Promise<readonly string[]> {
  return (await switches.book()).transactions.filter((one) => one.id === id).map(({ state }) => state);
}

it('a lost answer breaks the connection of an accepted transfer; a repetition is a duplicate', async () => {
  await switches.faults({ fault: 'lose-answer', operation: 'transfer', count: 1 });
  const id = randomUUID();
  await expect(mtn.transfer(SARAH, { id })).rejects.toThrow();
  expect((await mtn.transfer(SARAH, { id })).reply.status).toBe(409);
  expect((await mtn.transferStatus(id)).body).toMatchObject({ status: 'SUCCESSFUL' });
  expect(await statesOf(id)).toEqual(['succeeded']);
});

it('a transfer is rejected with an error before and accepted with an error after', async () => {
  const [before, after] = [randomUUID(), randomUUID()];
  await switches.faults({ fault: 'error-before', status: 503, operation: 'transfer', count: 1 });
  expect((await mtn.transfer(SARAH, { id: before })).reply.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await switches.faults({ fault: 'error-after', status: 500, body: { oops: 1 }, operation: 'transfer', count: 1 });
  expect((await mtn.transfer(SARAH, { id: after })).reply.body).toEqual({ oops: 1 });
  expect([await statesOf(before), (await mtn.transferStatus(after)).status]).toEqual([[], 200]);
});

it.each([true, false])('no answer lets the caller wait, with acceptance %s', async (taken) => {
  await switches.faults({ fault: 'no-answer', taken, operation: 'transfer', count: 1 });
  const id = randomUUID();
  const giveUp = new AbortController();
  const waiting = mtn.transfer(SARAH, { id, signal: giveUp.signal });
  const struck = async () => (await call('GET', `${simulator.url}/simulator/faults`)).text;
  await expect.poll(struck).toBe('[]');
  giveUp.abort();
  await expect(waiting).rejects.toThrow();
  expect(await statesOf(id)).toHaveLength(taken ? 1 : 0);
});

it('a late answer is the usual answer', async () => {
  await switches.faults({ fault: 'late-answer', ms: 60, operation: 'transfer' });
  const begun = performance.now();
  expect((await mtn.transfer(SARAH)).reply.status).toBe(202);
  expect(performance.now() - begun).toBeGreaterThan(55);
});

it('a fault affects its number and its call, for its count', async () => {
  await switches.faults({ fault: 'refuse', reason: 'NOT_ALLOWED', msisdn: OTHER, count: 2 });
  const reasonOf = async (msisdn: string) => {
    const { reference } = await mtn.transfer(msisdn);
    return (await mtn.transferStatus(reference)).body;
  };
  expect(await reasonOf(SARAH)).toMatchObject({ status: 'SUCCESSFUL' });
  expect(await reasonOf(OTHER)).toMatchObject({ status: 'FAILED', reason: 'NOT_ALLOWED' });
  expect(await reasonOf(OTHER)).toMatchObject({ status: 'FAILED' });
  expect(await reasonOf(OTHER)).toMatchObject({ status: 'SUCCESSFUL' });
});

it('pending lasts for its seconds, its status calls, or until somebody settles it', async () => {
  const statusOf = async (id: string) => (await mtn.transferStatus(id)).body;
  await switches.faults({ fault: 'pending', seconds: 60 });
  const timed = (await mtn.transfer(SARAH)).reference;
  expect(await statusOf(timed)).toMatchObject({ status: 'PENDING' });
  await switches.advance(60);
  expect(await statusOf(timed)).toMatchObject({ status: 'SUCCESSFUL' });
  await switches.faults({ fault: 'pending', asks: 2, as: 'CREATED' });
  const asked = (await mtn.transfer(SARAH)).reference;
  expect(await statusOf(asked)).toMatchObject({ status: 'CREATED' });
  expect(await statusOf(asked)).toMatchObject({ status: 'SUCCESSFUL' });
  await switches.faults({ fault: 'pending' });
  const [forEver, refused] = [(await mtn.transfer(SARAH)).reference, (await mtn.transfer(SARAH)).reference];
  await switches.advance(1_000_000);
  expect(await statusOf(forEver)).toMatchObject({ status: 'PENDING' });
  await switches.settle(forEver);
  await switches.settle(refused, { reason: 'NOT_ALLOWED' });
  expect(await statusOf(forEver)).toMatchObject({ status: 'SUCCESSFUL' });
  expect(await statusOf(refused)).toMatchObject({ status: 'FAILED', reason: 'NOT_ALLOWED' });
});

it('a request pending for ever does not expire, and the phone may still answer it', async () => {
  await switches.faults({ fault: 'pending', operation: 'request' });
  const [asked, numbered] = [await mtn.request(SARAH), await mtn.request('46733123453')];
  await switches.advance(301);
  for (const { reference } of [asked, numbered])
    expect((await mtn.requestStatus(reference)).body).toMatchObject({ status: 'PENDING' });
  const path = `${simulator.url}/phone/${SARAH}/requests/${asked.reference}`;
  await call('POST', path, { body: 'answer=approve&pin=12345' });
  expect((await mtn.requestStatus(asked.reference)).body).toMatchObject({ status: 'SUCCESSFUL' });
});

it('tokens expire early', async () => {
  const headers = await mtn.headersOf('disbursement');
  await switches.faults({ fault: 'expire-tokens', seconds: 0 });
  const balance = () => call('GET', `${simulator.url}/disbursement/v1_0/account/balance`, { headers });
  expect((await balance()).status).toBe(401);
  await switches.faults();
  expect((await balance()).status).toBe(200);
});

it('an outage answers 503 or breaks the connection for its seconds, and accepts nothing', async () => {
  await switches.faults({ fault: 'down', how: '503', seconds: 30 });
  expect((await call('POST', `${simulator.url}/disbursement/token/`)).body).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  await switches.faults({ fault: 'down', how: 'cut', seconds: 30 });
  await expect(call('POST', `${simulator.url}/disbursement/token/`)).rejects.toThrow();
  await switches.advance(30);
  expect((await mtn.transfer(SARAH)).reply.status).toBe(202);
});

it('an outage as refused closes the port, then opens it again', async () => {
  await switches.faults({ fault: 'down', how: 'refused', seconds: 3 });
  const isUp = () =>
    call('GET', `${simulator.url}/simulator`).then(
      () => true,
      () => false,
    );
  await expect.poll(isUp).toBe(false);
  await expect.poll(isUp).toBe(true);
});

it('a fault sends reasons as the documented object', async () => {
  await switches.faults({ fault: 'reason-as-object' });
  const { reference } = await mtn.transfer('46733123457');
  expect((await mtn.transferStatus(reference)).body).toMatchObject({ reason: { code: 'PAYEE_NOT_FOUND' } });
});

it('a fault that the provider cannot have is rejected', async () => {
  await expect(switches.faults({ fault: 'refuse', reason: 'MADE_UP' })).rejects.toThrow('documents no MADE_UP');
  await expect(switches.faults({ fault: 'pending', as: 'TIP' })).rejects.toThrow('has no state TIP');
  await expect(switches.faults({ fault: 'no such fault' })).rejects.toThrow();
  await expect(switches.wallets({ msisdn: '256701234567', name: 'Airtel' })).rejects.toThrow('no number of MTN');
});

const withCallback = () => ({ headers: { 'x-callback-url': caller.url } });

it('MTN calls back once, by PUT, with the body of the status call', async () => {
  const { reference } = await mtn.transfer(SARAH, withCallback());
  const [arrived] = await caller.until(1);
  expect(arrived).toEqual({
    method: 'PUT',
    host: new URL(caller.url).host,
    body: (await mtn.transferStatus(reference)).body,
  });
  await switches.advance(3600);
  expect(caller.arrived).toHaveLength(1);
  const { calls } = await switches.book();
  expect(calls.filter(({ id }) => id === reference)).toEqual([expect.objectContaining({ status: 200, forged: null })]);
});

it('faults make MTN call back twice, late or never', async () => {
  await switches.faults({ fault: 'callback', how: 'twice' });
  await mtn.transfer(SARAH, withCallback());
  await caller.until(2);
  await switches.faults({ fault: 'callback', how: 'never' });
  await mtn.transfer(SARAH, withCallback());
  await switches.faults({ fault: 'callback', how: 'late', seconds: 90 });
  await mtn.transfer(SARAH, withCallback());
  await switches.advance(89);
  expect(caller.arrived).toHaveLength(2);
  await switches.advance(1);
  expect(caller.arrived).toHaveLength(3);
});

it.each([
  ['amount', { amount: '10000', status: 'SUCCESSFUL' }],
  ['status', { amount: '1000', status: 'SUCCESSFUL' }],
  ['reference', { externalId: expect.not.stringMatching('ACDEFGH') }],
])('a forged callback with a wrong %s arrives before settlement', async (wrong, body) => {
  await switches.faults({ fault: 'forged-callback', wrong }, { fault: 'pending' });
  const { reference } = await mtn.transfer(SARAH, withCallback());
  const [arrived] = await caller.until(1);
  expect(arrived?.body).toMatchObject(body);
  expect((await mtn.transferStatus(reference)).body).toMatchObject({ status: 'PENDING' });
});

it('a forged callback may name another host', async () => {
  await switches.faults({ fault: 'forged-callback', wrong: 'host' }, { fault: 'pending' });
  await mtn.transfer(SARAH, withCallback());
  expect((await caller.until(1))[0]?.host).toBe('forged.example');
});

it('the statement lists all movements, with the faults', async () => {
  const ids = { twice: 'TWICE', missing: 'MISSING', amount: 'AMOUNT' } as const;
  for (const [how, externalId] of Object.entries(ids)) {
    await switches.faults({ fault: 'statement', how, difference: 7 });
    await mtn.transfer(SARAH, { body: { externalId } });
  }
  await switches.faults();
  await mtn.transfer(SARAH, { body: { externalId: 'PLAIN' } });
  await switches.advance(0);
  const rows = (await switches.statement())
    .trim()
    .split('\r\n')
    .map((row) => row.split(','));
  expect(rows[0]?.slice(0, 5)).toEqual(['Id', 'External id', 'Date', 'Status', 'Type']);
  const amountsOf = (externalId: string) => rows.filter((row) => row[1] === externalId).map((row) => row[9]);
  expect(amountsOf('TWICE')).toEqual(['-1000', '-1000']);
  expect(amountsOf('MISSING')).toEqual([]);
  expect(amountsOf('AMOUNT')).toEqual(['-1007']);
  expect(amountsOf('PLAIN')).toEqual(['-1000']);
  const { accounts } = await switches.book();
  expect(rows.at(-1)?.[12]).toBe(String(accounts.disbursement));
  expect(await switches.statement('?date=2020-01-01')).toBe(`${rows[0]?.join(',')}\r\n`);
});

it('the sums are right after all faults', async () => {
  const { sums } = await switches.book();
  expect(sums.held).toBe(sums.funded);
});
