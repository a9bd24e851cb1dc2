import { type Insertable, type RawBuilder, sql } from 'kysely';
import { reservingStatuses, statuses, statusTraits } from '#contract/applications/lifecycle.ts';
import { MAXIMUM_AMOUNT_MINOR, minorToNumeric } from '#contract/money.ts';
import type { Connection } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables/tables.ts';
import { endersOfEntry } from '#server/journal/journal.queries.ts';

/** The statuses that use a limit, written as in the condition of the index `invoices_using_limit`. */
const using = sql.join(statuses.filter((status) => statusTraits[status].uses !== 'nothing').map((one) => sql.lit(one)));
const reserving = sql.join(reservingStatuses.map((one) => sql.lit(one)));
const ceiling = sql.lit(minorToNumeric(MAXIMUM_AMOUNT_MINOR));

/**
 * How much of their limit a client's applications use. No limit exceeds the largest amount, so a larger sum (from
 * before limits existed) may be capped.
 */
function sumUse(businessId: number, currencyId: RawBuilder<unknown>) {
  return sql`select
      least(coalesce(sum(advance) filter (where status in (${reserving})), 0.00), ${ceiling}::numeric) as submitted,
      least(coalesce(sum(outstanding) filter (where status not in (${reserving})), 0.00), ${ceiling}::numeric)
        as outstanding
    from invoices where business_id = ${businessId} and currency_id = ${currencyId} and status in (${using})`;
}

/** Which settlements count, as in `countsForGrowth` (contract/limits/limit.ts). */
export interface CountingRule {
  readonly sizePercent: number;
  readonly minimumDays: number;
}

/**
 * Settlements that count towards a higher limit: on time, recorded since the limit was last set, of an advance large
 * and long enough.
 */
function earnsSince(setAt: string, limit: RawBuilder<unknown>, { sizePercent, minimumDays }: CountingRule) {
  return sql`status = 'Settled' and settled_on <= due_on and settled_at > coalesce(${sql.ref(setAt)}, '-infinity')
    and invoices.advance * 100 >= ${limit} * ${sizePercent}::integer
    and settled_on - coalesce(paid_out_on, due_on - tenor_days) >= ${minimumDays}::integer`;
}

/** The starting and the highest limit by currency, in minor units. */
export interface LimitBounds {
  readonly start: ReadonlyMap<string, number>;
  readonly highest: ReadonlyMap<string, number>;
}

/** The current limit, given the one last set (`amount`): `limitInForce` (limits.service.ts) in SQL. */
function inForce(amount: string, start: RawBuilder<unknown>, highest: RawBuilder<unknown>) {
  return sql`least(coalesce(${sql.ref(amount)}, ${start}), ${highest})`;
}

/** Amounts by currency from a setting, as SQL that picks the amount for `code`. */
function amountOf(amounts: ReadonlyMap<string, number>, code: string) {
  const units = Object.fromEntries([...amounts].map(([currency, amount]) => [currency, minorToNumeric(amount)]));
  return sql`coalesce((${JSON.stringify(units)}::jsonb ->> ${sql.ref(code)})::numeric, 0)`;
}

/** What the room under a client's limit in a currency is computed from. Amounts in minor units. */
export interface RoomRow {
  /** Null if it was never set. */
  readonly limit: number | null;
  readonly submitted: number;
  readonly outstanding: number;
}

/** A client's limit and its use in a currency, from an index-only scan of `invoices_using_limit`. */
export function roomStatement(businessId: number, currencyId: number) {
  return sql<RoomRow>`select used.submitted, used.outstanding,
      (select amount from funding_limits where business_id = ${businessId} and currency_id = ${currencyId}) as "limit"
    from (${sumUse(businessId, sql`${currencyId}`)}) as used`;
}

export async function selectRoom(connection: Connection, businessId: number, currencyId: number): Promise<RoomRow> {
  const [row] = (await roomStatement(businessId, currencyId).execute(connection)).rows;
  if (row === undefined) throw new Error('the sum of used limits returned no row');
  return row;
}

/**
 * How much of a client's limit a decided application used, together with those decided before it: at least what its
 * approvers saw. Applications decided later already counted it.
 */
export async function selectDecidedUse(
  connection: Connection,
  { id, businessId, currencyId }: { readonly id: number; readonly businessId: number; readonly currencyId: number },
): Promise<number> {
  const { rows } = await sql<{ used: number }>`select
      least(coalesce(sum(coalesce(outstanding, advance)), 0.00), ${ceiling}::numeric) as used
    from invoices where business_id = ${businessId} and currency_id = ${currencyId} and status in (${using})
      and (decided_at, id) <= (select decided_at, id from invoices where id = ${id})`.execute(connection);
  return rows[0]?.used ?? 0;
}

/** A client's limit in a currency, its use, and how many applications count towards a higher one. */
export interface LimitRow extends RoomRow {
  readonly currencyId: number;
  readonly currency: string;
  readonly settledOnTime: number;
}

/** The query of a client's limits: one row per currency, or only the given one. */
export function limitsStatement(
  businessId: number,
  { bounds, counting }: { readonly bounds: LimitBounds; readonly counting: CountingRule },
  currencyId?: number,
) {
  const { start, highest } = bounds;
  const limit = inForce(
    'funding_limits.amount',
    amountOf(start, 'currencies.code'),
    amountOf(highest, 'currencies.code'),
  );
  return sql<LimitRow>`select currencies.id as "currencyId", currencies.code as currency, funding_limits.amount as "limit",
      used.submitted, used.outstanding,
      (select count(*) from invoices where business_id = ${businessId} and currency_id = currencies.id
        and ${earnsSince('funding_limits.set_at', limit, counting)}) as "settledOnTime"
    from currencies
    left join funding_limits on funding_limits.business_id = ${businessId}
      and funding_limits.currency_id = currencies.id
    cross join lateral (${sumUse(businessId, sql`currencies.id`)}) as used
    ${currencyId === undefined ? sql`` : sql`where currencies.id = ${currencyId}`}
    order by currencies.id`;
}

export async function selectLimits(
  connection: Connection,
  businessId: number,
  rules: Parameters<typeof limitsStatement>[1],
  currencyId?: number,
): Promise<readonly LimitRow[]> {
  return (await limitsStatement(businessId, rules, currencyId).execute(connection)).rows;
}

/** How many settlements a raise needs, and the officers who must not have recorded them. */
export interface OthersRule extends CountingRule {
  readonly officerId: number;
  readonly newOfficerMs: number;
  readonly growthAfter: number;
}

/**
 * Whether enough settlements count towards a higher limit if we leave out those with a payment in force that the
 * officer, or a new officer, recorded (docs/decisions/0033-officers-who-cheat.md). `limit` in minor units.
 */
export async function isEarnedByOthers(
  connection: Connection,
  {
    businessId,
    currencyId,
    limit,
  }: { readonly businessId: number; readonly currencyId: number; readonly limit: number },
  { officerId, newOfficerMs, growthAfter, ...counting }: OthersRule,
): Promise<boolean> {
  const { rows } = await sql<{ earned: boolean }>`select exists (select from invoices
    left join funding_limits on funding_limits.business_id = invoices.business_id
      and funding_limits.currency_id = invoices.currency_id
    where invoices.business_id = ${businessId} and invoices.currency_id = ${currencyId}
      and ${earnsSince('funding_limits.set_at', sql`${minorToNumeric(limit)}::numeric`, counting)}
      and not exists (select from journal_entries as receipt
          left join imported_lines as line on line.id = receipt.statement_line_id
          left join statements on statements.id = line.statement_id
          join persons as recorder
            on recorder.id = any(array[receipt.recorded_by, statements.imported_by] || array${endersOfEntry('receipt.tag')})
        where receipt.invoice_id = invoices.id and receipt.kind = 'receipt' and receipt.reverses is null
          and not exists (select from journal_entries as counter where counter.reverses = receipt.id)
          and (recorder.id = ${officerId}
            or receipt.recorded_at < recorder.officer_since + ${newOfficerMs} * interval '1 millisecond'))
    offset ${growthAfter - 1} limit 1) as earned`.execute(connection);
  return rows[0]?.earned ?? false;
}

/** The rule of growth for a currency. Amounts in minor units. */
export interface CurrencyRule {
  readonly currency: string;
  readonly start: number;
  readonly maximum: number;
  readonly highest: number;
}

/** The filter, rules and page for a list of clients who have earned a raise. */
export interface RaisesQuery {
  readonly rules: readonly CurrencyRule[];
  readonly counting: CountingRule;
  readonly growthAfter: number;
  readonly growthPercent: number;
  readonly size: number;
  readonly offset: number;
}

/** A client who has earned a higher limit. Amounts in minor units. */
export interface RaiseRow {
  readonly businessTag: string;
  readonly business: string;
  readonly currencyId: number;
  readonly currency: string;
  readonly limit: number;
  readonly settledOnTime: number;
  readonly total: number;
}

/**
 * A page of clients who have earned a higher limit, by name. Per client it reads only as many applications as the rule
 * needs, by `invoices_settled_on_time`; it counts them only for the page. The two conditions on the amount are those of
 * `grownLimit` (contract/limits/limit.ts).
 */
export function raisesStatement({ rules, counting, growthAfter, growthPercent, size, offset }: RaisesQuery) {
  const rows = rules.map(({ currency, start, maximum, highest }) => ({
    code: currency,
    start: minorToNumeric(start),
    maximum: minorToNumeric(maximum),
    highest: minorToNumeric(highest),
  }));
  const limit = inForce('funding_limits.amount', sql`rule.start`, sql`rule.highest`);
  return sql<RaiseRow>`with clients as materialized (
      select businesses.id, businesses.tag, businesses.name, currencies.id as currency_id, currencies.code,
        ${limit} as amount, rule.maximum, funding_limits.set_at
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as rule (code text, start numeric, maximum numeric, highest numeric)
      join currencies on currencies.code = rule.code
      cross join businesses
      left join funding_limits on funding_limits.business_id = businesses.id
        and funding_limits.currency_id = currencies.id
      where businesses.is_client and businesses.active),
    earned as materialized (
      select * from clients
      where amount < maximum and trunc(amount * ${growthPercent} / 100, 2) > 0
        and exists (select from invoices where business_id = clients.id and invoices.currency_id = clients.currency_id
          and ${earnsSince('clients.set_at', sql`clients.amount`, counting)} offset ${growthAfter - 1} limit 1)),
    page as (select * from earned order by lower(name), id, currency_id limit ${sql.lit(size)} offset ${offset})
    select tag as "businessTag", name as business, currency_id as "currencyId", code as currency, amount as "limit",
      (select count(*) from invoices where business_id = page.id and invoices.currency_id = page.currency_id
        and ${earnsSince('page.set_at', sql`page.amount`, counting)}) as "settledOnTime",
      (select count(*) from earned) as total
    from page
    order by lower(name), id, currency_id`;
}

export async function selectRaises(connection: Connection, query: RaisesQuery): Promise<readonly RaiseRow[]> {
  return (await raisesStatement(query).execute(connection)).rows;
}

/**
 * Locks a client against other submissions and limit changes. If an invoice's buyer is given, locks both in a fixed
 * order, so that there is no deadlock.
 */
export async function lockClient(connection: Connection, businessId: number, buyerId = businessId) {
  const held = await connection
    .selectFrom('businesses')
    .select(['id', 'active'])
    .where('id', 'in', [businessId, buyerId])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const isActive = (id: number): boolean => held.some((business) => business.id === id && business.active);
  return { client: isActive(businessId), buyer: isActive(buyerId) };
}

/** Whether an invoice's two businesses are active. */
export async function selectActivity(connection: Connection, businessId: number, buyerId: number) {
  const active = connection
    .selectFrom('businesses')
    .select('id')
    .where('id', 'in', [businessId, buyerId])
    .where('active', '=', true);
  const ids = (await active.execute()).map(({ id }) => id);
  return { client: ids.includes(businessId), buyer: ids.includes(buyerId) };
}

/** The client with that tag; undefined if unknown or only a buyer. */
export function selectClient(connection: Connection, tag: string): Promise<{ id: number; tag: string } | undefined> {
  return connection
    .selectFrom('businesses')
    .select(['id', 'tag'])
    .where('tag', '=', tag)
    .where('is_client', '=', true)
    .executeTakeFirst();
}

/** Inserts or replaces a limit. */
export async function upsertLimit(connection: Connection, limit: Insertable<Tables['funding_limits']>): Promise<void> {
  const { amount, set_at, set_by } = limit;
  await connection
    .insertInto('funding_limits')
    .values(limit)
    .onConflict((conflict) => conflict.columns(['business_id', 'currency_id']).doUpdateSet({ amount, set_at, set_by }))
    .execute();
}
