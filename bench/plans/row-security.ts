import type { CompiledQuery } from 'kysely';
import { fill } from '#bench/fills/invoice-list.fill.ts';
import { median } from '#bench/rounds.ts';
import { type Database, scopedDatabase } from '#server/db/database.ts';
import { inScopeOf } from '#server/db/row-scope.ts';
import { selectTypesWithDocuments } from '#server/documents/documents.queries.ts';
import { selectPage, selectPageOfOwnSearch } from '#server/invoices/invoice-list.queries.ts';
import { selectInvoice, selectInvoiceForUpdate, updateDraft } from '#server/invoices/invoices.queries.ts';
import { selectLimits } from '#server/limits/limits.queries.ts';
import { BUSINESSES, businessAt, onFilledDatabase, planOf, printPlan, ROWS, withPlans } from './plans.ts';

/**
 * The cost of row-level security for a client: the product's statements without and with it in turns, so that other work of the
 * machine affects both, and their plans with it (docs/decisions/0019-row-security.md).
 *
 *   node bench/plans/row-security.ts [invoices] [--plans]
 */

const PAIRS = 400;
/** A connection's first statements are planned, so they are not counted. */
const WARM_UP = 20;

type Work = (db: Database) => Promise<unknown>;

interface Measured {
  readonly name: string;
  readonly businessId: number;
  readonly work: Work;
  readonly explain?: (db: Database) => Promise<readonly string[]>;
}

const page = { page: 1, size: 10 };

/** The default settings, in UGX. */
const limitRules = {
  bounds: { start: new Map([['UGX', 5_000_000_000]]), highest: new Map([['UGX', 200_000_000_000]]) },
  counting: { sizePercent: 5, minimumDays: 7 },
};

function listOf(name: string, businessId: number, phrase?: string): Measured {
  const filter = { scope: { businessId }, status: undefined, sort: '-date' } as const;
  const query = (db: Database): CompiledQuery =>
    phrase === undefined
      ? selectPage(filter, page)
      : selectPageOfOwnSearch(db, filter, { phrase, inOwners: false }, page).compile();
  return {
    name,
    businessId,
    work: (db) => db.executeQuery(query(db)),
    explain: (db) => planOf(db, query(db)),
  };
}

/** A client's everyday calls, for the largest and the median client. */
function everyday(largest: number, middle: number, draft: { readonly id: number; readonly tag: string }): Measured[] {
  return [
    listOf('a page of the list (middle client)', middle),
    listOf('a page of the list (largest client)', largest),
    listOf('a search in it: "0042" (largest client)', largest, '0042'),
    listOf('a search in it: "buyer 77" (largest client)', largest, 'buyer 77'),
    {
      name: 'an invoice, loaded',
      businessId: largest,
      work: (db) => selectInvoice(db, { businessId: largest }, draft.tag),
    },
    { name: 'its documents', businessId: largest, work: (db) => selectTypesWithDocuments(db, draft.id) },
    { name: 'own limits', businessId: largest, work: (db) => selectLimits(db, largest, limitRules) },
    {
      name: 'a save: begin, lock, update, commit',
      businessId: largest,
      work: (db) =>
        db.inTransaction(async (change) => {
          await selectInvoiceForUpdate(change, { businessId: largest }, draft.tag);
          updateDraft(change, draft.id, { invoice_number: 'Saved' });
        }),
    },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

async function measure(name: string, without: () => Promise<unknown>, under: () => Promise<unknown>): Promise<void> {
  const times = { without: [] as number[], under: [] as number[] };
  for (let pair = -WARM_UP; pair < PAIRS; pair += 1) {
    const order = pair % 2 === 0 ? (['without', 'under'] as const) : (['under', 'without'] as const);
    for (const which of order) {
      const took = await timed(which === 'under' ? under : without);
      if (pair >= 0) times[which].push(took);
    }
  }
  const [plain, secured] = [median(times.without), median(times.under)];
  console.log(`| ${name} | ${plain.toFixed(3)} | ${secured.toFixed(3)} | ${(secured / plain).toFixed(2)} |`);
}

await onFilledDatabase(
  (db) => fill(db, { invoices: ROWS, businesses: BUSINESSES }),
  async (opened) => {
    const { db } = opened;
    const scoped = scopedDatabase(opened);
    const [{ id: largest }, { id: middle }] = [await businessAt(db, 0), await businessAt(db, BUSINESSES / 2)];
    const draft = await db
      .selectFrom('invoices')
      .select(['id', 'tag'])
      .where('business_id', '=', largest)
      .where('status', '=', 'Draft')
      .limit(1)
      .executeTakeFirstOrThrow();
    console.log('| statement | without, ms | with, ms | ratio |\n|---|---|---|---|');
    for (const { name, work, explain, businessId } of everyday(largest, middle, draft)) {
      const asClient = <Result>(what: () => Promise<Result>): Promise<Result> =>
        inScopeOf({ id: 1, businessId, perms: ['BIDA'] }, what);
      await measure(
        name,
        () => work(db),
        () => asClient(() => work(scoped)),
      );
      if (withPlans && explain !== undefined) printPlan(await asClient(() => explain(scoped)));
    }
  },
);
