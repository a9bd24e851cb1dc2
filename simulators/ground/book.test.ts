import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mtnAt } from '#simulators/mtn/mtn.harness.ts';
import { type RunningSimulator, startSimulator } from '#simulators/start.ts';
import { call, switchesOf } from './calls.harness.ts';
import { Clock, ugandanDate } from './clock.ts';

/** A simulator's book survives a kill. */

const SARAH = '256772345678';
let folder: string;
let running: RunningSimulator | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasente-simulator-'));
});
afterAll(async () => {
  await running?.stop('SIGKILL');
  await rm(folder, { recursive: true });
});

async function start() {
  running = await startSimulator('mtn', { folder });
  return { mtn: mtnAt(running.url), switches: switchesOf(running.url), stop: running.stop, url: running.url };
}

describe('the book', () => {
  it('survives a kill with its references and users, and settles pending transactions', async () => {
    const first = await start();
    await first.switches.float(100_000);
    await first.switches.wallets({ msisdn: SARAH, name: 'Sarah Nabirye' });
    const paid = await first.mtn.transfer(SARAH);
    await first.mtn.transferStatus(paid.reference);
    await first.switches.faults({ fault: 'pending', seconds: 60 });
    const pending = await first.mtn.transfer(SARAH);
    const user = { 'ocp-apim-subscription-key': 'simulated-key-1-primary' };
    const id = 'c72025f5-5cd1-4630-99e4-8ba4722fad56';
    const headers = { ...user, 'x-reference-id': id };
    await call('POST', `${first.url}/v1_0/apiuser`, { headers, body: { providerCallbackHost: 'a.example' } });
    const before = await first.switches.book();
    await first.stop('SIGKILL');
    // An incomplete line belongs to a call without an answer.
    await appendFile(join(folder, 'mtn.jsonl'), '{"type":"taken","id":"half');

    const second = await start();
    expect(await second.switches.book()).toEqual(before);
    expect((await second.mtn.transfer(SARAH, { id: paid.reference })).reply.status).toBe(409);
    expect((await call('GET', `${second.url}/v1_0/apiuser/${id}`, { headers: user })).status).toBe(200);
    expect((await second.mtn.transferStatus(pending.reference)).body).toMatchObject({ status: 'PENDING' });
    await second.switches.advance(60);
    expect((await second.mtn.transferStatus(pending.reference)).body).toMatchObject({ status: 'SUCCESSFUL' });
    await second.stop('SIGTERM');

    // The book's time is later than the machine's, and does not go back.
    const third = await start();
    const { accounts, sums, wallets } = await third.switches.book();
    expect([accounts.disbursement, wallets[0]?.balance, sums.held]).toEqual([98_000, 2000, sums.funded]);
  });

  it('contains each transfer once when a kill interrupts many and the caller repeats them', async () => {
    await running?.stop();
    const many = join(folder, 'many');
    running = await startSimulator('mtn', { folder: many });
    const port = Number(new URL(running.url).port);
    await switchesOf(running.url).float(1_000_000);
    await switchesOf(running.url).wallets({ msisdn: SARAH, name: 'Sarah Nabirye' });
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const sent = ids.map(async (id) => {
      for (;;) {
        const status = await mtnAt(`http://127.0.0.1:${port}`)
          .transfer(SARAH, { id })
          .then(
            ({ reply }) => reply.status,
            () => undefined,
          );
        if (status === 202 || status === 409) return;
        await pause(10);
      }
    });
    await Promise.race(sent);
    await running?.stop('SIGKILL');
    running = await startSimulator('mtn', { folder: many, port });
    await Promise.all(sent);
    const switches = switchesOf(running.url);
    await expect
      .poll(async () => (await switches.book()).transactions.every(({ state }) => state === 'succeeded'))
      .toBe(true);
    const { transactions, accounts, sums } = await switches.book();
    expect(transactions.map(({ id }) => id).sort()).toEqual(ids.toSorted());
    expect([accounts.disbursement, sums.held]).toEqual([1_000_000 - 40_000, sums.funded]);
  });

  it('rejects invalid settings at start', async () => {
    await expect(startSimulator('mtn', { settings: { targetEnvironment: 'mars' } })).rejects.toThrow(
      'targetEnvironment',
    );
  });
});

describe('the clock', () => {
  it('continues from the held time and never goes back', () => {
    const clock = new Clock();
    clock.hold(true);
    const held = clock.now();
    clock.advance(90);
    expect(clock.now()).toBe(held + 90_000);
    clock.hold(false);
    expect(clock.now()).toBeGreaterThanOrEqual(held + 90_000);
    clock.notBefore(held + 500_000);
    expect(clock.now()).toBeGreaterThanOrEqual(held + 500_000);
    clock.notBefore(0);
    expect(clock.now()).toBeGreaterThanOrEqual(held + 500_000);
  });

  it('uses Uganda’s date, which begins at 21:00 UTC', () => {
    expect(ugandanDate(Date.UTC(2026, 10, 23, 20, 59, 59))).toBe('2026-11-23');
    expect(ugandanDate(Date.UTC(2026, 10, 23, 21))).toBe('2026-11-24');
  });
});
