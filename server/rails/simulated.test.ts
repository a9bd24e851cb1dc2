import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '#server/config/config.ts';
import { playProviders } from '#server/demonstration/providers.ts';
import type { Answer, Direction, Order } from '#server/rail-port/rail.ts';
import { reasons as mtnReasons } from '#server/rails/mtn/states.ts';
import { Gathering } from '#testing/gathering.ts';
import { MTN_REFUSES, mustAnswer } from './contract.harness.ts';
import { findRailKinds, noRails, type OpenRail } from './open-rails.ts';

/**
 * Tests the clients against the providers' simulators, set up as in the demonstration. The two share no code: each was
 * written only from the provider's pages, so that they do not share a mistake (docs/decisions/0048-simulators.md).
 */

const said = z.object({ reasons: z.array(z.string()) });
const folder = mkdtempSync(join(tmpdir(), 'kasente-simulated-'));
let played: Awaited<ReturnType<typeof play>>;

/** The callbacks received. */
const called = new Gathering<{
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly body: unknown;
}>();
const server = createServer((request, response) => void hear(request).then(() => response.end()));

async function hear(request: IncomingMessage): Promise<void> {
  const { method, url } = request;
  called.add({ method, url, body: JSON.parse(await text(request)) });
}

async function play() {
  const PUBLIC_URL = `http://127.0.0.1:${await listen()}`;
  const given = { PUBLIC_URL, DATA_DIR: folder, BANK_FILE_UGX: '9030001234567 Kasente Ltd' };
  const config = readConfig(given, await findRailKinds());
  return playProviders({ config, clock: { now: () => new Date() }, rails: noRails });
}

async function listen(): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

beforeAll(async () => {
  played = await play();
});
afterAll(async () => {
  await played.stop();
  server.close();
  rmSync(folder, { recursive: true });
});

/** `unread`: reasons that concern the call and do not end a transfer. Airtel's `known` reasons concern calls, too. */
const providers = {
  mtn: {
    number: '0772345678',
    holder: 'Sarah Nabirye',
    phones: 0,
    pin: '12345',
    refusing: MTN_REFUSES,
    unread: ['RESOURCE_NOT_FOUND', 'RESOURCE_ALREADY_EXIST'],
    known: Object.values(mtnReasons).flatMap((listed) => Object.keys(listed)),
    idOf: (reference: string) => reference,
  },
  airtel: {
    number: '0702345912',
    holder: 'Moses Waiswa',
    phones: 1,
    pin: '1234',
    refusing: [],
    unread: [],
    known: [],
    idOf: (reference: string) => reference.replaceAll('-', ''),
  },
} as const;

describe.each(['mtn', 'airtel'] as const)('the client of %s and its simulator', (id) => {
  const { number, holder, phones, pin, refusing, unread, known, idOf } = providers[id];
  const rail = (): OpenRail => played.platform.rails.find(id) ?? expect.fail(`${id} is not open`);
  const within = () => AbortSignal.timeout(60_000);

  async function turn(path: string, method: string, body?: unknown): Promise<unknown> {
    const [origin] = (played.phones[phones] ?? '').split('/phone');
    const sent = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`${origin}/simulator${path}`, sent);
    expect(response.status, path).toBe(200);
    return response.json();
  }
  const faults = (...all: object[]) => turn('/faults', 'PUT', all);
  afterEach(() => faults());

  const order = (): Order => ({
    reference: randomUUID(),
    amount: 150_000,
    currency: 'UGX',
    number,
    label: 'K7PX-42MR',
  });
  const send = (direction: Direction, one: Order): Promise<Answer> => direction.send(one, within());
  const ask = (direction: Direction, { reference }: Order): Promise<Answer> => direction.ask(reference, within());
  /** The answer after the provider has had time to settle. */
  async function inTime(direction: Direction, one: Order): Promise<Answer> {
    await turn('/clock', 'POST', { advanceSeconds: 30 });
    return ask(direction, one);
  }

  /** Lets the provider work, and the payer approve on the phone. */
  async function pause({ reference }: Order): Promise<void> {
    const request = `${played.phones[phones]}/${number}/requests/${idOf(reference)}`;
    await fetch(request, { method: 'POST', body: new URLSearchParams({ answer: 'approve', pin }) });
    await turn('/clock', 'POST', { advanceSeconds: 30 });
  }
  mustAnswer({ rail, number, refusing, pause });

  it('pays once, however often an order is sent', async () => {
    const { payout } = rail();
    const one = order();
    expect(await ask(payout, one)).toMatchObject({ state: 'notFound' });
    expect(await send(payout, one)).toMatchObject({ state: expect.stringMatching(/taken|succeeded/) });
    expect(await inTime(payout, one)).toMatchObject({ state: 'succeeded', providerReference: expect.any(String) });
    expect(await send(payout, one)).toMatchObject({ state: expect.stringMatching(/taken|succeeded|unknown/) });
    const book = z.object({ transactions: z.array(z.object({ amount: z.number() })) });
    const { transactions } = book.parse(await turn('/book', 'GET'));
    expect(transactions.filter(({ amount }) => amount === 1500)).toHaveLength(1);
  });

  it('asks a phone once, however often a request is sent', async () => {
    const { collection } = rail();
    const one = order();
    for (let times = 0; times < 2; times += 1) expect(await send(collection, one)).toMatchObject({ state: 'taken' });
    expect(await ask(collection, one)).toMatchObject({ state: 'taken' });
  });

  it.each([
    ['lose-answer', { fault: 'lose-answer', operation: 'transfer', count: 1 }],
    ['error after taking it', { fault: 'error-after', status: 500, operation: 'transfer', count: 1 }],
  ])('does not know what became of an order: %s; asked, it is paid', async (_name, fault) => {
    const { payout } = rail();
    const one = { ...order(), amount: 170_000 };
    await faults(fault);
    expect(await send(payout, one)).toMatchObject({ state: 'unknown' });
    expect(await inTime(payout, one)).toMatchObject({ state: 'succeeded' });
  });

  it('does not know what became of an order that never arrived; it may be sent again', async () => {
    const { payout } = rail();
    const one = { ...order(), amount: 190_000 };
    await faults({ fault: 'error-before', status: 503, operation: 'transfer', count: 1 });
    expect(await send(payout, one)).toMatchObject({ state: 'unknown' });
    expect(await ask(payout, one)).toMatchObject({ state: 'notFound' });
    await send(payout, one);
    expect(await inTime(payout, one)).toMatchObject({ state: 'succeeded' });
  });

  it('asks for a new token where one has expired', async () => {
    const { payout } = rail();
    await ask(payout, order());
    await faults({ fault: 'expire-tokens', seconds: 0 });
    expect(await ask(payout, order())).toMatchObject({ state: expect.stringMatching(/notFound|unknown/) });
    await faults();
    expect(await ask(payout, order())).toMatchObject({ state: 'notFound' });
  });

  it('can refuse for each reason that the client knows of a transaction', async () => {
    const { reasons } = said.parse(await turn('', 'GET'));
    expect(known.filter((reason) => !reasons.includes(reason))).toEqual([]);
  });

  it('reads each reason that the provider documents for a transaction as a refusal', async () => {
    const { reasons } = said.parse(await turn('', 'GET'));
    const wrong: string[] = [];
    for (const reason of reasons) {
      for (const [operation, direction] of [
        ['transfer', rail().payout],
        ['request', rail().collection],
      ] as const) {
        // Each of Airtel's products has its own codes.
        if (/^DP00[89]/.test(reason) && reason.startsWith('DP008') !== (operation === 'request')) continue;
        await faults({ fault: 'refuse', reason, operation, count: 1 });
        const one = { ...order(), amount: 60_000 };
        await send(direction, one);
        const answer = await inTime(direction, one);
        if (answer.state !== 'failed' && !unread.some((one: string) => one === reason))
          wrong.push(`${operation} ${reason}: ${answer.state} ${answer.said}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is played beside payouts by file', () => {
    expect(played.platform.rails.payingTo('bank', 'UGX')?.kind.id).toBe('bank');
  });

  it('says who holds a number', async () => {
    expect(await rail().holder(number, within())).toEqual({ state: 'active', name: holder });
    const stranger = `${number.slice(0, 3)}9999998`;
    expect(await rail().holder(stranger, within())).toMatchObject({ state: expect.stringMatching(/none|closed/) });
  });
});

it('MTN’s simulator calls back once a payout has ended, by what the client takes for its reference', async () => {
  const mtn = played.platform.rails.find('mtn') ?? expect.fail('mtn is not open');
  const reference = randomUUID();
  const order = { reference, amount: 150_000, currency: 'UGX', number: providers.mtn.number, label: 'K7PX-42MR' };
  expect(await mtn.payout.send(order, AbortSignal.timeout(60_000))).toMatchObject({ state: 'taken' });
  const ofIt = () => called.all.find(({ body }) => mtn.callbackReference(body) === reference);
  await expect
    .poll(ofIt)
    .toMatchObject({ method: 'PUT', url: '/api/v1/rails/mtn/callback', body: { status: 'SUCCESSFUL' } });
});
