import { DAY_SECONDS } from '#contract/time/durations.ts';
import { type BuiltCase, buildOfficer, type Someone } from '#testing/case-builders.ts';
import type { Answer, TestApp } from '#testing/test-app.ts';

/** For the tests of repayments. A built case is paid out on Friday 20 November 2026 and due on Monday 21 December. */

/** Sets the clock to 12:00 in Kampala, some days after a built case's due date. */
export function toDaysAfterDue(app: TestApp, days: number): void {
  const due = new Date('2026-12-21T09:00:00Z').getTime() / 1000;
  app.clock.advance(due + days * DAY_SECONDS - app.clock.now().getTime() / 1000);
}

/** An officer who has just logged in, because sessions end while the clock moves. */
export function freshOfficer(app: TestApp): Promise<Someone> {
  return buildOfficer(app);
}

/** Records an entry. */
export function putOnRecord(
  { caller }: Pick<Someone, 'caller'>,
  { tag }: Pick<BuiltCase, 'tag'>,
  body: unknown,
): Promise<Answer> {
  return caller.post(`/desk/cases/${tag}/collection`, body);
}

/** The entries of a case, oldest first. */
export function storedEntries(app: TestApp, { id }: Pick<BuiltCase, 'id'>) {
  return app.platform.db
    .selectFrom('collection_entries')
    .selectAll()
    .where('invoice_id', '=', id)
    .orderBy('id')
    .execute();
}
