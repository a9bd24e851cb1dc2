import type { Updateable } from 'kysely';
import { describe, expect, it } from 'vitest';
import { HOUR_SECONDS } from '#contract/time/durations.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import { lastNews, stepCalls, traceOf } from '#server/desk/desk.harness.ts';
import { buildBusiness, buildPerson } from '#testing/builders.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildAskedCase,
  buildReviewedCase,
  buildSubmittedCase,
  buildWithdrawnCase,
  caseRow,
  eventsOf,
  messagesTo,
  succeed,
} from '#testing/case-builders.ts';
import { appOfTest } from '#testing/test-app.ts';
import { sweepSla } from './sla-sweep.service.ts';

/** A missed SLA: we tell the client once, before they ask. An application submitted at 12:00 is due at 16:00. */

const LATE = "We are late with our decision, and we're sorry. We'll decide as soon as we can.";

const app = appOfTest({ SESSION_IDLE_MINUTES: '720' });

describe('a missed SLA', () => {
  it('is told after its deadline and not at it, once, and is recorded without a person', async () => {
    const built = await buildSubmittedCase(app);
    app.clock.advance(4 * HOUR_SECONDS);
    const before = await traceOf(app, built);
    await sweepSla(app.platform);
    expect(await traceOf(app, built)).toEqual(before);
    app.clock.advance(1);
    await sweepSla(app.platform);
    const missed = await traceOf(app, built);
    expect(missed.row.promise_missed_at).toEqual(app.clock.now());
    expect(await lastNews(app, built)).toBe(LATE);
    expect(missed.messages.at(-1)?.subject).toBe(`Invoice ${built.invoiceNumber}: we are late`);
    expect(missed.events.at(-1)).toMatchObject({
      action: 'promise.missed',
      actor_tag: null,
      after: { decideBy: '2026-11-20T13:00:00.000Z' },
    });
    app.clock.advance(HOUR_SECONDS);
    await sweepSla(app.platform);
    expect(await traceOf(app, built)).toEqual(missed);
    expect((await built.client.caller.get(`/applications/${built.tag}/progress`)).body.clock.missed).toBe(true);
  });

  it('is told once by concurrent sweeps', async () => {
    const built = await Promise.all([1, 2, 3, 4].map(() => buildSubmittedCase(app)));
    app.clock.advance(5 * HOUR_SECONDS);
    await Promise.all(Array.from({ length: 8 }, () => sweepSla(app.platform)));
    for (const { client } of built)
      expect((await messagesTo(app, client)).filter(({ body }) => body.endsWith(LATE))).toHaveLength(1);
  });

  it('is none where the case is decided, withdrawn, or waits for the client', async () => {
    const others = [await buildApprovedCase(app), await buildWithdrawnCase(app), await buildAskedCase(app)];
    app.clock.advance(6 * HOUR_SECONDS);
    await sweepSla(app.platform);
    for (const built of others) expect((await caseRow(app, built)).promise_missed_at).toBeNull();
  });

  it('is told at once when a clock resumes with no time left, and not a second time', async () => {
    const built = await buildReviewedCase(app);
    app.clock.advance(4 * HOUR_SECONDS + 1);
    await succeed(stepCalls.requestInformation(built));
    await sweepSla(app.platform);
    expect((await caseRow(app, built)).promise_missed_at).toBeNull();
    await succeed(stepCalls.answerRequest(built));
    expect(await lastNews(app, built)).toBe("We have your answer. We'll decide as soon as we can.");
    app.clock.advance(1);
    await sweepSla(app.platform);
    expect(await lastNews(app, built)).toBe(LATE);
    const told = (await messagesTo(app, built.client)).length;
    await succeed(stepCalls.requestInformation(built));
    await succeed(stepCalls.recallRequest(built));
    app.clock.advance(60);
    await sweepSla(app.platform);
    expect(await messagesTo(app, built.client)).toHaveLength(told + 2);
  });

  it('is told to those who act for the client, if the submitter no longer does', async () => {
    const [left, moved, alone] = [
      await buildSubmittedCase(app),
      await buildSubmittedCase(app),
      await buildSubmittedCase(app),
    ];
    const colleagueOf = ({ client }: BuiltCase) =>
      buildPerson(app, { perms: ['BIDA'], businessId: client.person.businessId });
    const colleagues = [await colleagueOf(left), await colleagueOf(moved)];
    const change = ({ client }: BuiltCase, columns: Updateable<Tables['persons']>) =>
      app.platform.db.updateTable('persons').set(columns).where('id', '=', client.person.id).execute();
    await change(left, { status: 'Deactivated', permissions: [] });
    await change(moved, { business_id: (await buildBusiness(app)).id });
    await change(alone, { status: 'Deactivated', permissions: [] });
    app.clock.advance(5 * HOUR_SECONDS);
    await sweepSla(app.platform);
    for (const { client } of [left, moved, alone])
      expect((await messagesTo(app, client)).filter(({ body }) => body.endsWith(LATE))).toEqual([]);
    for (const person of colleagues)
      expect((await messagesTo(app, { person })).map(({ body }) => body)).toEqual([expect.stringContaining(LATE)]);
    expect((await caseRow(app, alone)).promise_missed_at).toEqual(app.clock.now());
    expect((await eventsOf(app, left)).at(-1)).toMatchObject({ after: { toldAt: app.clock.now().toISOString() } });
    expect((await eventsOf(app, alone)).at(-1)).toMatchObject({ action: 'promise.missed', after: { toldAt: null } });
  });

  it('leaves a locked case to the next sweep', async () => {
    const built = await buildReviewedCase(app);
    app.clock.advance(5 * HOUR_SECONDS);
    await app.platform.db.inTransaction(async (change) => {
      await change.selectFrom('invoices').select('id').where('id', '=', built.id).forUpdate().execute();
      await sweepSla(app.platform);
    });
    expect((await caseRow(app, built)).promise_missed_at).toBeNull();
    await sweepSla(app.platform);
    expect((await caseRow(app, built)).promise_missed_at).not.toBeNull();
  });
});
