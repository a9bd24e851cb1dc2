import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { sayRepaymentReference } from '#contract/payments/repayment-reference.ts';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { bySystem, releaseToRail, transfersOf } from '#server/transfers/transfers.harness.ts';
import { sweepTransfers } from '#server/transfers/transfers-sweep.service.ts';
import {
  buildOfficer,
  eventsOf,
  messagesTo,
  type PayableCase,
  type Someone,
  statusOf,
  succeed,
} from '#testing/case-builders.ts';
import { payoutOf, release } from '#testing/payout-builders.ts';
import { codeOf } from '#testing/test-app.ts';
import { bankOfTest, batchesOf, batchOf, fileReferenceOf, makeBatch, releaseToBank } from './batches.harness.ts';

const app = bankOfTest();
let officer: Someone;
beforeEach(async () => {
  officer = await buildOfficer(app);
});

const fileOf = (tag: string) => officer.caller.get(`/payout_batches/${tag}/file.csv`);
const textOf = async (tag: string) => (await succeed(fileOf(tag))).raw.toString();
const REASON = 'The client asked for another account';

async function cancel(built: PayableCase) {
  const { transfer } = await payoutOf(built.officer, built.tag);
  const body = { payoutTag: transfer?.file?.payoutTag, reason: REASON };
  return built.officer.caller.post(`/applications/${built.tag}/payout/cancel`, body);
}

describe('a released payout to a bank account', () => {
  it('waits for a file: nothing is posted, nobody is asked, and the client reads that it is on its way', async () => {
    const built = await releaseToBank(app);
    expect(await transfersOf(app, built)).toMatchObject([
      { rail: 'bank', state: 'released', next_ask_at: null, sent_at: null, batch_id: null },
    ]);
    expect(await statusOf(app, built)).toBe('Approved');
    const { rows } = await sql<{ jobs: number }>`select count(*)::integer as jobs from pgboss.job
      where name = 'transfer'`.execute(app.platform.db);
    expect(rows[0]?.jobs).toBe(0);
    const [line] = (await officer.caller.get('/payouts/board')).body.onItsWay.rows;
    expect(line).toMatchObject({ applicationTag: built.tag, isHeld: false, file: { batch: null, sentAt: null } });
    const { transfer } = await payoutOf(built.client, built.tag);
    expect(transfer).toMatchObject({ state: 'released', to: expect.stringMatching(/^Stanbic Bank ••• /), file: null });
    expect((await batchesOf(officer)).waiting).toEqual([{ rail: 'bank', currency: 'UGX', count: 1, amount: 801_000 }]);
  });

  it('is not released if an officer paid it by hand without saying so', async () => {
    const built = await releaseToBank(app);
    expect(codeOf(await release(built.payer, built.tag, bySystem))).toBe('PAYOUT_CLOSED');
  });

  it('is cancelled with a reason, and prepared and released again under another reference', async () => {
    const built = await releaseToBank(app);
    await succeed(cancel(built));
    expect((await payoutOf(built.officer, built.tag)).transfer).toMatchObject({ state: 'failed', said: REASON });
    expect((await eventsOf(app, built)).at(-1)).toMatchObject({ action: 'payout.cancelled' });
    expect(codeOf(await makeBatch(officer))).toBe('BATCH_EMPTY');
    const first = await fileReferenceOf(app, built);
    await releaseToRail(app, built);
    expect(await fileReferenceOf(app, built)).not.toBe(first);
    await batchOf(officer);
    expect(codeOf(await cancel(built))).toBe('PAYOUT_ON_ITS_WAY');
  });

  it('stays out of files while its account is frozen', async () => {
    const built = await releaseToBank(app);
    const [account] = await app.platform.db.selectFrom('payout_accounts').select('tag').execute();
    await succeed(built.client.caller.post(`/payout_accounts/${account?.tag}/freeze`));
    expect(codeOf(await makeBatch(officer))).toBe('BATCH_EMPTY');
    expect((await payoutOf(officer, built.tag)).transfer?.isHeld).toBe(true);
    await succeed(cancel(built));
  });
});

describe('a batch', () => {
  it('takes what waits, and is a file of it with a sum, the same for ever', async () => {
    const built = [await releaseToBank(app), await releaseToBank(app, { advance: 50_000_000 })];
    const tag = await batchOf(officer);
    const [{ headers }, text] = [await fileOf(tag), await textOf(tag)];
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="kasente-batch-1-UGX.csv"',
    });
    const references = await Promise.all(built.map((one) => fileReferenceOf(app, one)));
    const written = references.map((reference) => `${reference.slice(0, 4)}-${reference.slice(4)}`);
    expect(text.split('\r\n')).toEqual([
      '"Reference","Account name","Bank","Account number","Amount","Currency","Narration"',
      `"${written[0]}","Sarah Nabirye","Stanbic Bank","0030001234567",801000.00,"UGX","Kasente ${written[0]}"`,
      `"${written[1]}","Sarah Nabirye","Stanbic Bank","0030001234567",445000.00,"UGX","Kasente ${written[1]}"`,
      '"TOTAL",2,,,1246000.00,"UGX","Batch 1 from 9030009999999 Kasente Ltd"',
      '',
    ]);
    expect(parse(text)).toHaveLength(4);
    const { waiting, batches } = await batchesOf(officer);
    const sha256 = createHash('sha256').update(text).digest('hex');
    expect(waiting).toEqual([]);
    expect(batches).toMatchObject([{ tag, number: 1, count: 2, amount: 1_246_000, open: 2, sha256 }]);
    app.clock.advance(DAY_SECONDS);
    officer = await buildOfficer(app);
    expect(await textOf(tag)).toBe(text);
    const [first] = built;
    expect((await eventsOf(app, first ?? expect.fail('none'))).at(-1)).toMatchObject({ action: 'payout.batched' });
    expect((await payoutOf(officer, first?.tag ?? '')).transfer).toMatchObject({
      state: 'sent',
      file: { batch: 1, reference: written[0] },
    });
  });

  it('whose rows were changed since is not handed out', async () => {
    await releaseToBank(app);
    const tag = await batchOf(officer);
    await sql`update transfers set number = '6660001234567'`.execute(app.platform.db);
    expect(codeOf(await fileOf(tag))).toBe('BATCH_CHANGED');
  });

  it('takes each payout once, of fifty at once', async () => {
    const built = [await releaseToBank(app), await releaseToBank(app)];
    const answers = await Promise.all(Array.from({ length: 50 }, () => makeBatch(officer)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => codeOf(answer) === 'BATCH_EMPTY')).toHaveLength(49);
    for (const one of built) expect(await transfersOf(app, one)).toMatchObject([{ state: 'sent', batch_id: 1 }]);
    expect((await batchesOf(officer)).batches).toMatchObject([{ count: 2 }]);
  });

  it('and a cancellation at once leave the payout in the file, or cancelled', async () => {
    for (let round = 0; round < 8; round += 1) {
      const built = await releaseToBank(app);
      const [batch, cancelled] = await Promise.all([makeBatch(officer), cancel(built)]);
      const [transfer] = await transfersOf(app, built);
      const isInFile = batch.status === 200;
      expect(cancelled.status).toBe(isInFile ? 409 : 200);
      expect(transfer).toMatchObject(isInFile ? { state: 'sent' } : { state: 'failed', batch_id: null });
      expect(codeOf(isInFile ? cancelled : batch)).toBe(isInFile ? 'PAYOUT_ON_ITS_WAY' : 'BATCH_EMPTY');
    }
  });

  it('is the same one if it is repeated with its key, and numbers have no gap', async () => {
    await releaseToBank(app);
    const key = { 'idempotency-key': '0d9a7c1e-5c0e-4f0e-9a57-3f1f6f1f2a11' };
    const body = { rail: 'bank', currency: 'UGX' };
    const first = await succeed(officer.caller.post('/payout_batches', body, key));
    await releaseToBank(app);
    expect((await succeed(officer.caller.post('/payout_batches', body, key))).body).toEqual(first.body);
    expect(codeOf(await makeBatch(officer, 'USD'))).toBe('BATCH_EMPTY');
    await batchOf(officer);
    expect((await batchesOf(officer)).batches.map(({ number }) => number)).toEqual([2, 1]);
  });
});

it('officers are told once of a payout that is on no statement after two working days', async () => {
  const built = await releaseToBank(app);
  const told = async () => (await messagesTo(app, built.payer)).filter(({ body }) => body.includes('is not paid yet'));
  app.clock.advance(3 * DAY_SECONDS); // Friday to Monday
  await sweepTransfers(app.platform);
  expect(await told()).toEqual([]);
  app.clock.advance(DAY_SECONDS);
  await sweepTransfers(app.platform);
  await sweepTransfers(app.platform);
  expect((await told()).map(({ body }) => body)).toEqual([expect.stringContaining('make a batch file')]);
});

it('a payout in a file is late two days after the file, and officers read what to ask the bank for', async () => {
  const built = await releaseToBank(app);
  app.clock.advance(3 * DAY_SECONDS); // Friday to Monday
  await batchOf(await buildOfficer(app));
  const told = async () => (await messagesTo(app, built.payer)).filter(({ body }) => body.includes('is not paid yet'));
  app.clock.advance(DAY_SECONDS);
  await sweepTransfers(app.platform);
  expect(await told()).toEqual([]);
  app.clock.advance(DAY_SECONDS);
  await sweepTransfers(app.platform);
  const reference = sayRepaymentReference(await fileReferenceOf(app, built));
  expect((await told()).map(({ body }) => body)).toEqual([expect.stringContaining(`If ${reference} is not on it`)]);
});
