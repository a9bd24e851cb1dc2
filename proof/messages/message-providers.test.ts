import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { databaseTime, openDatabase } from '#server/db/database.ts';
import { type RunningJobs, startJobs } from '#server/jobs/jobs.ts';
import { databaseClock } from '#server/machine/clock.ts';
import { messageQueues, messageWorkers } from '#server/messages/messages.jobs.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import { canaryFound, full, proved, rounds } from '#testing/evidence/record.ts';
import { freePort } from '#testing/free-port.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';
import { buildDrafter, type Drafter } from '#testing/uploads.ts';
import { type Fault, FaultySms, FaultySmtp, faults, silences } from './faulty-providers.ts';
import { compare, type OutboxRow, ProviderLedger, percentile99 } from './message-ledger.ts';

/**
 * Providers that are down, slow, silent or send nonsense: no message arrives twice, none is lost unnoticed, no expired
 * code arrives, and other calls stay fast (docs/decisions/0004-outbox.md).
 */

const MESSAGES = rounds(64, 10_000);
/** One message in this many is a code that expires while the providers are down. */
const DOOMED_OF = 16;
/** Messages that a silent provider delays; each takes up to two minutes. */
const SILENT = rounds(0, 40);
const AT_ONCE = 16;
/** The interval between other calls. */
const CALL_EVERY_MS = 25;
const P99_LIMIT_MS = 500;
const WAIT = { timeout: rounds(60_000, 3_600_000), interval: 100 };

const isDoomed = (number: number): boolean => number >= SILENT && number % DOOMED_OF === DOOMED_OF - 1;
const channelOf = (number: number): 'email' | 'sms' => (number % 2 === 0 ? 'email' : 'sms');
function faultOf(number: number): Fault {
  // In pairs, so that each channel meets each fault.
  const pair = Math.floor(number / 2);
  return number < SILENT ? (silences[pair % silences.length] ?? 'none') : (faults[pair % faults.length] ?? 'none');
}

const ledger = new ProviderLedger();
let smtp: FaultySmtp;
let sms: FaultySms;
let app: TestApp;
let drafter: Drafter;
let servers: readonly Platform[];
let jobs: RunningJobs[] = [];
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  smtp = new FaultySmtp(ledger, faultOf, await freePort());
  sms = new FaultySms(ledger, faultOf, await freePort());
  app = await createTestApp({ SMTP_URL: smtp.url, ...sms.settings });
  drafter = await buildDrafter(app);
  // A running clock, so that codes expire.
  const clock = await databaseClock(() => databaseTime(app.platform.db));
  const other = openDatabase({ ...inject('cluster'), database: app.database.name }, () => undefined);
  closers.push(other.close);
  servers = [
    { ...app.platform, clock },
    { ...app.platform, clock, db: other.db, pool: other.pool },
  ];
});
afterAll(async () => {
  await Promise.all(jobs.map((running) => running.stop()));
  await Promise.all([smtp.close(), sms.close()]);
  for (const close of closers) await close();
  await app.close();
});

function queue(number: number): Promise<void> {
  const [platform] = servers;
  if (platform === undefined) throw new Error('there is no server');
  const channel = channelOf(number);
  const now = platform.clock.now().getTime();
  // Every third of the remaining messages is a code that lives long enough.
  const lives = isDoomed(number) ? 1_000 : number % 3 === 0 ? 3_600_000 : undefined;
  const message = {
    channel,
    to: channel === 'email' ? `p${number}@example.com` : `07${String(number).padStart(8, '0')}`,
    subject: 'News',
    body: `Message ${number}`,
    ...(lives === undefined ? {} : { expiresAt: new Date(now + lives) }),
  };
  return platform.db.inTransaction((change) => queueMessage(platform, change, message));
}

async function outbox(): Promise<OutboxRow[]> {
  const rows = await app.platform.db
    .selectFrom('messages')
    .select(['recipient', 'state', 'handed_over_at as handedOverAt', 'expires_at as expiresAt'])
    .execute();
  return rows.map(({ recipient, ...row }) => ({
    ...row,
    number: Number(recipient.replace(/^p|@.*$/g, '').replace(/^07/, '')),
  }));
}

async function openOnes(): Promise<OutboxRow[]> {
  return (await outbox()).filter(({ state }) => state === 'queued' || state === 'sending');
}

/** Skips the wait of up to ten minutes between two attempts. */
async function hurry(): Promise<void> {
  await app.platform.pool.query(
    `update pgboss.job set start_after = now() where state = 'retry' and start_after > now()`,
  );
}

/** Calls the server until stopped; returns each call's milliseconds. */
function keepCalling(): { stop(): Promise<number[]> } {
  const tookMs: number[] = [];
  let goesOn = true;
  const ended = (async () => {
    while (goesOn) {
      const began = performance.now();
      const call = tookMs.length % 2 === 0 ? '/users/session' : `/invoices/${drafter.invoice.tag}`;
      expect((await drafter.caller.get(call)).status).toBe(200);
      tookMs.push(performance.now() - began);
      await pause(CALL_EVERY_MS);
    }
  })();
  return {
    stop: async () => {
      goesOn = false;
      await ended;
      return tookMs;
    },
  };
}

it('the comparison finds doubled, lost and late messages (canary)', () => {
  const [sent, expired] = [new Date(1_000), new Date(10_000)];
  const rows: OutboxRow[] = Array.from({ length: 100 }, (_, number) => {
    return { number, state: 'sent', handedOverAt: sent, expiresAt: number % 2 === 0 ? expired : null };
  });
  const whole = new ProviderLedger();
  for (const { number } of rows) whole.receive(number, 1_010);
  expect(compare(rows, whole)).toEqual({ doubled: [], lost: [], unknown: [], late: [] });
  const planted = whole.copy();
  planted.receive(17, 2_000);
  planted.receipts.delete(23);
  planted.receipts.set(40, [60_000]);
  planted.receive(100, 1_000);
  expect(compare(rows, planted)).toEqual({ doubled: [17], lost: [23], unknown: [100], late: [40] });
  canaryFound(
    'message-providers',
    'a ledger with a doubled, a lost, a foreign message and a code that came late was found out',
  );
});

it('no message is doubled, lost or late, and other calls stay fast', { timeout: 7_200_000 }, async () => {
  const calling = keepCalling();
  const queuedMs: number[] = [];
  jobs = await Promise.all(
    servers.map((platform) =>
      startJobs(platform, { queues: messageQueues, workers: messageWorkers(platform), sweeps: {} }),
    ),
  );
  // Both providers are down.
  for (let first = 0; first < MESSAGES; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, MESSAGES - first) }, (_, index) => first + index);
    const began = performance.now();
    await Promise.all(numbers.map(queue));
    queuedMs.push(performance.now() - began);
  }
  const doomed = Array.from({ length: MESSAGES }, (_, number) => number).filter(isDoomed);
  await vi.waitFor(async () => {
    const expired = (await outbox()).filter(({ state }) => state === 'expired').map(({ number }) => number);
    expect(doomed.filter((number) => !expired.includes(number))).toEqual([]);
  }, WAIT);
  await Promise.all([smtp.listen(), sms.listen()]);
  for (const share of full ? [2 / 3, 1 / 3] : []) {
    // The mail server stops halfway, cuts every connection, and starts again.
    await vi.waitFor(async () => {
      await hurry();
      expect((await openOnes()).length).toBeLessThan(MESSAGES * share);
    }, WAIT);
    await smtp.close();
    await smtp.listen();
  }
  await vi.waitFor(async () => {
    await hurry();
    expect(await openOnes()).toEqual([]);
  }, WAIT);
  const tookMs = await calling.stop();

  const rows = await outbox();
  expect(rows).toHaveLength(MESSAGES);
  expect(compare(rows, ledger)).toEqual({ doubled: [], lost: [], unknown: [], late: [] });
  const count = (state: string): number => rows.filter((row) => row.state === state).length;
  expect(count('expired')).toBe(doomed.length);
  expect(count('sent')).toBeGreaterThan(MESSAGES / 2);
  const p99 = percentile99(tookMs);
  if (full) expect(p99).toBeLessThan(P99_LIMIT_MS);
  expect(Math.max(...tookMs, ...queuedMs)).toBeLessThan(rounds(5_000, 5_000));
  const seen = `${count('sent')} sent, ${count('failed')} visibly failed because they may have arrived, ${count('expired')} dead codes not sent`;
  proved(
    'message-providers',
    `${rows.length} messages, ${servers.length} workers: ${seen}; 0 doubled, 0 lost, 0 late; p99 of ${tookMs.length} calls meanwhile ${Math.round(p99)} ms`,
  );
});
