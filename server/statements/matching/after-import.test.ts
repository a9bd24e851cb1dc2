import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { verifyRecord } from '#server/audit/record.service.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { entriesOf } from '#server/payments/payments.harness.ts';
import {
  type GivenLine,
  matchingOf,
  mtnStatement,
  referenceOf,
  sendStatement,
  waitingOf,
} from '#server/statements/statements.harness.ts';
import { buildDisbursedCase, buildOfficer, type PayableCase, type Someone, succeed } from '#testing/case-builders.ts';
import { appOfTest } from '#testing/test-app.ts';
import { until } from '#testing/until.ts';
import { matchingQueue, matchingWorker } from './after-import.jobs.ts';
import { followImports } from './after-import.service.ts';

const app = appOfTest();
let officer: Someone;
let built: PayableCase;
let lines: readonly GivenLine[];
beforeEach(async () => {
  officer = await buildOfficer(app);
  built = await buildDisbursedCase(app);
  const details = await referenceOf(app, built);
  const named = Array.from({ length: 12 }, (_, nth) => ({ id: `N${nth}`, amount: 1_000 + nth, details }));
  lines = [...named, { id: 'S1', amount: 700, details: 'school fees' }, { id: 'O1', amount: -50, details: 'charges' }];
});

async function send(): Promise<string> {
  const { body } = await succeed(sendStatement(officer, mtnStatement(lines)));
  expect(body.data).toMatchObject({ lines: 14, before: 0, sent: 1, known: 0, toMatch: 13 });
  return body.data.tag;
}

const creditsOf = async () => (await entriesOf(officer, built.tag)).filter(({ kind }) => kind === 'receipt');
const listed = async () => (await waitingOf(officer)).statements.map(({ matching }) => matching);

/** Processes a statement on a server that stops after this number of changes. */
async function followUntil(tag: string, changes: number): Promise<void> {
  const { db } = app.platform;
  const { inTransaction } = db;
  let left = changes;
  const stopping = vi.spyOn(db, 'inTransaction').mockImplementation(async (...work) => {
    left -= 1;
    if (left < 0) throw new Error('the server has stopped');
    return inTransaction(...work);
  });
  await expect(followImports(app.platform, tag)).rejects.toThrow('the server has stopped');
  stopping.mockRestore();
}

describe('the matching of a statement', () => {
  it('follows the import, which credits nothing itself, and tells how far it is', async () => {
    const tag = await send();
    expect(await creditsOf()).toEqual([]);
    expect(await matchingOf(officer, tag)).toEqual({ toMatch: 13, matched: 0, finished: null });
    expect(await listed()).toEqual([{ toMatch: 13, matched: 0 }]);
    await followUntil(tag, 5);
    expect(await matchingOf(officer, tag)).toEqual({ toMatch: 13, matched: 5, finished: null });
    expect(await listed()).toEqual([{ toMatch: 13, matched: 5 }]);
    await followImports(app.platform, tag);
    const finished = { toAssign: 1, paid: 0 };
    expect(await matchingOf(officer, tag)).toEqual({ toMatch: 13, matched: 12, finished });
    expect(await listed()).toEqual([null]);
    expect(await creditsOf()).toHaveLength(12);
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('credits each line once, however many jobs and sweeps run at once', async () => {
    const tag = await send();
    await Promise.all([tag, tag, undefined, undefined].map((one) => followImports(app.platform, one)));
    const references = (await creditsOf()).map(({ reference }) => reference);
    expect([references.length, new Set(references).size]).toEqual([12, 12]);
    expect((await matchingOf(officer, tag)).matched).toBe(12);
    expect((await verifyRecord(app.platform)).faults).toEqual([]);
  });

  it('is finished by the sweep if its job is lost', async () => {
    const tag = await send();
    await followImports(app.platform);
    expect(await matchingOf(officer, tag)).toMatchObject({ matched: 12, finished: { toAssign: 1 } });
  });

  it('is done by the job that the import has added', async () => {
    const tag = await send();
    const jobs = await startJobs(app.platform, {
      queues: [matchingQueue],
      workers: [matchingWorker((one) => followImports(app.platform, one))],
      sweeps: {},
    });
    onTestFinished(() => jobs.stop());
    await until(async () => (await matchingOf(officer, tag)).finished !== null);
    expect(await creditsOf()).toHaveLength(12);
  });

  it('is over at once for a file that was imported before, which has no tag', async () => {
    const tag = await send();
    await followImports(app.platform, tag);
    const { body } = await succeed(sendStatement(officer, mtnStatement(lines)));
    expect(body.data).toMatchObject({ tag: null, before: 14, toMatch: 0 });
  });

  it('of a statement that nobody knows is NOT_FOUND', async () => {
    const { status, body } = await officer.caller.get(`/statements/${built.tag}/matching`);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  });
});
