import type { Connection, Database } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';
import type { Log } from '#server/observability/logging.ts';

/** The most rows that a sweep reads at once. The next page or the next sweep continues. */
export const SWEPT_AT_ONCE = 500;

/** The parts of the platform that sweeps need. */
interface SweepsPlatform {
  readonly db: Database;
  readonly log: Log;
}

/** The subjects of a sweep: their name in the log, and the log message for a failure. */
interface Swept {
  readonly subject: 'invoice' | 'transfer';
  readonly failed: string;
}

/**
 * Does a sweep's work for each subject in its own transaction. A failure is logged and doesn't stop the others; the
 * next sweep tries that subject again.
 */
export async function sweepEach<Name extends string | number>(
  { db, log }: SweepsPlatform,
  names: readonly Name[],
  { subject, failed }: Swept,
  work: (change: Change, name: Name) => Promise<void>,
): Promise<void> {
  for (const name of names) {
    try {
      await db.inTransaction((change) => work(change, name));
    } catch (error) {
      log.error({ err: error, [subject]: name }, failed);
    }
  }
}

/** The page of a sweep's invoices: those after an id, for a day in Kampala (YYYY-MM-DD). */
export interface SweptPage {
  readonly today: string;
  readonly after: number;
  readonly limit: number;
}

/** Like {@link sweepEach}, for every invoice that a query finds, page by page. */
export async function sweepInvoices(
  platform: SweepsPlatform,
  today: string,
  select: (
    connection: Connection,
    page: SweptPage,
  ) => Promise<readonly { readonly id: number; readonly tag: string }[]>,
  failed: string,
  work: (change: Change, tag: string) => Promise<void>,
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = await select(platform.db, { today, after, limit: SWEPT_AT_ONCE });
    const tags = page.map(({ tag }) => tag);
    await sweepEach(platform, tags, { subject: 'invoice', failed }, work);
    after = page.length < SWEPT_AT_ONCE ? undefined : page.at(-1)?.id;
  }
}
