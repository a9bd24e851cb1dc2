import type { InvoiceRow, InvoicesBody } from '#contract/invoices/schema.ts';
import { PAGE_SIZE } from '#contract/product.ts';
import type { InvoicePageRow } from '#server/invoices/invoice-filter.ts';
import { isFarPage, isWithinList, type PageShape, pageStatement } from '#server/invoices/invoice-page.queries.ts';
import { presentInvoicePage } from '#server/invoices/invoices.presenter.ts';
import type { HotSender } from '#server/platform/hot-route.ts';
import { type HotStatement, hotStatement } from '#server/platform/hot-session.ts';

type HotRow = InvoicePageRow & { readonly person_tag: string };

const statements = new Map<string, HotStatement>();

/** Pages of the usual size alone, so that a connection keeps no more than some forty of them. */
function statementOf(shape: PageShape): HotStatement {
  const key = Object.values(shape).join();
  const statement = statements.get(key) ?? hotStatement(pageStatement(shape, 7));
  statements.set(key, statement);
  return statement;
}

/**
 * What `listInvoices` answers, in one statement with the session (docs/decisions/0027-hot-paths.md): a business's list for its
 * own people and for staff, everybody's for staff. Undefined for everything else: a search, an empty page, somebody who
 * names no business and is not staff.
 */
export async function listInvoicesAtOnce(
  { send }: HotSender,
  { page, size, businessTag, status, sort = '-date', searchPhrase }: InvoicesBody,
): Promise<{ readonly reply: InvoiceRow[]; readonly personTag: string } | undefined> {
  const offset = (page - 1) * size;
  if (searchPhrase !== '' || size !== PAGE_SIZE || !isWithinList(offset, status !== undefined)) return undefined;
  const whose = businessTag === undefined ? 'hot all' : 'hot named';
  const shape: PageShape = { whose, sort, hasStatus: status !== undefined, isFar: isFarPage(offset), size };
  const values = [businessTag, status, offset].filter((value) => value !== undefined);
  const rows = await send<HotRow>(statementOf(shape), values);
  const [first] = rows;
  return first && { reply: presentInvoicePage(rows), personTag: first.person_tag };
}
