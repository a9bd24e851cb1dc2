import { kampalaDate } from '#contract/calendar.ts';
import type { InvoiceRow, InvoicesBody } from '#contract/invoices/schema.ts';
import { PAGE_SIZE } from '#contract/product.ts';
import type { InvoicePageRow } from '#server/invoices/invoice-filter.ts';
import { isWithinList, type PageShape, pageStatement, placeOf } from '#server/invoices/invoice-page.queries.ts';
import { presentInvoicePage } from '#server/invoices/invoices.presenter.ts';
import type { HotSender } from '#server/platform/hot-route.ts';
import { type HotStatement, hotStatement } from '#server/platform/hot-session.ts';

type HotRow = InvoicePageRow & { readonly person_tag: string };

const statements = new Map<string, HotStatement>();

/** Pages of the usual size alone, so that a connection keeps no more than some fifty of them. */
function statementOf(shape: PageShape): HotStatement {
  const key = Object.values(shape).join();
  const statement = statements.get(key) ?? hotStatement(pageStatement(shape, 7));
  statements.set(key, statement);
  return statement;
}

/** How many everybody's list had when it was last read: its last pages are read from its end. */
let lastTotalOfAll: number | undefined;

/**
 * What `listInvoices` answers, in one statement with the session (docs/decisions/0027-hot-paths.md): a business's list for its
 * own people and for staff, everybody's for staff. Undefined for everything else: a search, an empty page, somebody who
 * names no business and is not staff.
 */
export async function listInvoicesAtOnce(
  { send, now }: HotSender,
  { page, size, businessTag, status, withoutDrafts, sort = '-date', searchPhrase }: InvoicesBody,
): Promise<{ readonly reply: InvoiceRow[]; readonly personTag: string } | undefined> {
  const offset = (page - 1) * size;
  const hasStatus = status !== undefined;
  const isPartial = hasStatus || withoutDrafts === true;
  if (searchPhrase !== '' || size !== PAGE_SIZE || !isWithinList(offset, isPartial)) return undefined;
  const whose = businessTag === undefined ? 'hot all' : 'hot named';
  const place = placeOf(offset, whose === 'hot all' ? lastTotalOfAll : undefined);
  const shape: PageShape = { whose, sort, hasStatus, withoutDrafts, place, size };
  const values = [businessTag, status, offset].filter((value) => value !== undefined);
  const rows = await send<HotRow>(statementOf(shape), values);
  const [first] = rows;
  if (whose === 'hot all' && !isPartial) lastTotalOfAll = first?.total ?? lastTotalOfAll;
  return first && { reply: presentInvoicePage(rows, kampalaDate(now)), personTag: first.person_tag };
}
