import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { paid } from '#server/payments/payments.harness.ts';
import { buildDisbursedCase, type PayableCase } from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { verifyRecord } from './record.service.ts';

/** Releases up to 1.1 named some steps after the state in which they left the application. */

const app = appOfFile();
let built: PayableCase;
beforeAll(async () => {
  built = await buildDisbursedCase(app);
  await paid(built, 'receipts');
});

it('steps of earlier releases are shown with their present names, and the audit log is valid', async () => {
  const { db, clock } = app.platform;
  const { tag: by, id } = built.officer.person;
  await db.inTransaction(async (change) => {
    for (const step of ['disburseRestSettled', 'reverseRestSettled'] as const) {
      await sql`insert into audit_events (at, actor_tag, action, subject_type, subject_tag, before, after)
        values (${clock.now()}, ${by}, ${`application.${step}`}, 'invoice', ${built.tag},
          '{"status": "Settled"}', '{"status": "Settled"}')`.execute(change);
      const taken = { from_status: 'Settled', to_status: 'Settled', at: clock.now(), by_person: id } as const;
      await change
        .insertInto('application_steps')
        .values({ invoice_id: built.id, step, ...taken })
        .execute();
    }
  });
  const { body } = await built.officer.caller.get(`/applications/${built.tag}/progress`);
  expect(body.steps.slice(-3).map(({ step }: { step: string }) => step)).toEqual([
    'settle',
    'disburseRest',
    'reverseRest',
  ]);
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});
