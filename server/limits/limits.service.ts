import { availableOf, type GrowthRule } from '#contract/limits/limit.ts';
import type { EarnedRaise, FundingLimit, RaisesBody, SetLimitBody } from '#contract/limits/schema.ts';
import { formatAmount, fromMinor, minorToNumeric } from '#contract/money.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.service.ts';
import { AppError, fieldError } from '#server/platform/app-error.ts';
import { type Change, changeOnce, recordEvent } from '#server/platform/change.ts';
import type { Connection } from '#server/platform/database.ts';
import type { SignedInCaller } from '#server/platform/http.ts';
import type { Platform } from '#server/platform/platform.ts';
import { presentLimit, presentRaises } from './limits.presenter.ts';
import {
  holdClient,
  type LimitRow,
  selectClient,
  selectLimits,
  selectRaises,
  selectRoom,
  upsertLimit,
} from './limits.queries.ts';

/** The limits of the caller's own business, one for each currency; none for somebody without a business. */
export async function listOwnLimits(platform: Platform, { person }: SignedInCaller): Promise<FundingLimit[]> {
  return person.businessId === null ? [] : limitsOf(platform, platform.db, person.businessId);
}

/** The limits of a client, one for each currency. Throws NOT_FOUND, also for a business that is no client. */
export async function listBusinessLimits(platform: Platform, tag: string): Promise<FundingLimit[]> {
  const client = await requireClient(platform.db, tag);
  return limitsOf(platform, platform.db, client.id);
}

/** A client's limit in one currency, what is used of it, and what would raise it. */
export async function limitOf(
  platform: Platform,
  connection: Connection,
  businessId: number,
  currencyId: number,
): Promise<FundingLimit> {
  const [limit] = await limitsOf(platform, connection, businessId, currencyId);
  if (limit === undefined) throw new AppError('UNKNOWN_REFERENCE');
  return limit;
}

async function limitsOf(
  platform: Platform,
  connection: Connection,
  businessId: number,
  currencyId?: number,
): Promise<FundingLimit[]> {
  const rows = await selectLimits(connection, businessId, currencyId);
  return rows.map((row) => presentLimit(row, limitInForce(platform, row), ruleOf(platform, row.currency)));
}

/** What was set, else what every client starts with; a currency without such a setting has a limit of 0. */
function limitInForce({ config }: Platform, { limit, currency }: Pick<LimitRow, 'limit' | 'currency'>): number {
  return limit ?? config.limits.start.get(currency) ?? 0;
}

function ruleOf({ config: { limits } }: Platform, currency: string): GrowthRule {
  const { growthAfter: settledApplications, growthPercent, maximum } = limits;
  return { settledApplications, growthPercent, maximum: maximum.get(currency) ?? 0 };
}

/** What a draft's advance is measured against: amounts in minor units. */
interface Room {
  readonly limit: number;
  readonly available: number;
}

type Applicant = Pick<InvoiceRecord, 'businessId' | 'currencyId' | 'currencyCode' | 'application'>;

async function findRoom(platform: Platform, connection: Connection, invoice: Applicant): Promise<Room> {
  const row = await selectRoom(connection, invoice.businessId, invoice.currencyId);
  const limit = limitInForce(platform, { limit: row.limit, currency: invoice.currencyCode });
  return { limit, available: availableOf({ ...row, limit }) };
}

function sayRoom({ currencyCode }: Applicant, { limit, available }: Room): string {
  const [left, all] = [formatAmount(available), formatAmount(limit)];
  return `At most ${currencyCode} ${left} is available of your funding limit of ${currencyCode} ${all}`;
}

/** What is missing where a draft's application is above what the limit leaves; undefined where there is room for it. */
export async function roomProblem(
  platform: Platform,
  connection: Connection,
  invoice: Applicant,
): Promise<string | undefined> {
  if (invoice.application === null) return undefined;
  const room = await findRoom(platform, connection, invoice);
  if (invoice.application.advance <= room.available) return undefined;
  const [left, all] = [formatAmount(room.available), formatAmount(room.limit)];
  return `Room below your funding limit (${invoice.currencyCode} ${left} of ${all} is available)`;
}

/**
 * Throws LIMIT_EXCEEDED, with what is `available`, where a draft's application is above what the limit leaves. Until the
 * transaction ends no other submission of the client and no change of their limit gets past this.
 */
export async function requireRoom(platform: Platform, change: Change, invoice: Applicant): Promise<void> {
  await holdClient(change, invoice.businessId);
  const room = await findRoom(platform, change, invoice);
  if (invoice.application === null || invoice.application.advance <= room.available) return;
  throw new AppError('LIMIT_EXCEEDED', {
    fields: { 'application.amountAppliedFor': sayRoom(invoice, room) },
    extra: {
      available: fromMinor(room.available),
      limit: fromMinor(room.limit),
      currency: invoice.currencyCode,
    },
  });
}

/**
 * Sets a client's limit in a currency, once per Idempotency-Key; also below what is used of it. Throws NOT_FOUND,
 * OWN_BUSINESS, UNKNOWN_REFERENCE, STALE_VERSION, LIMIT_CHANGED.
 */
export function setLimit(
  platform: Platform,
  caller: SignedInCaller,
  tag: string,
  body: SetLimitBody,
): Promise<{ success: true }> {
  const { currencyId, limit, reason, seenLimit } = body;
  return changeOnce(platform, caller, { name: 'setLimit', input: { tag, ...body } }, async (change) => {
    const client = await requireClient(change, tag);
    if (client.id === caller.person.businessId) throw new AppError('OWN_BUSINESS');
    await holdClient(change, client.id);
    const [row] = await selectLimits(change, client.id, currencyId);
    if (row === undefined) throw fieldError('UNKNOWN_REFERENCE', 'currencyId');
    const before = limitInForce(platform, row);
    if (seenLimit !== undefined && seenLimit !== before) throw new AppError('STALE_VERSION');
    if (before === limit) throw fieldError('LIMIT_CHANGED', 'limit');
    await upsertLimit(change, {
      business_id: client.id,
      currency_id: currencyId,
      amount: minorToNumeric(limit),
      set_at: caller.now,
      set_by: caller.person.id,
    });
    await recordEvent(change, caller, {
      action: 'limit.set',
      subjectType: 'business',
      subjectTag: client.tag,
      before: { currency: row.currency, limit: before },
      after: { currency: row.currency, limit, reason },
    });
    return { success: true };
  });
}

async function requireClient(connection: Connection, tag: string): Promise<{ id: number; tag: string }> {
  const client = await selectClient(connection, tag);
  if (client === undefined) throw new AppError('NOT_FOUND');
  return client;
}

/** A page of the clients who have earned a higher limit by the rule of growth, by name. */
export async function listEarnedRaises(platform: Platform, { page, size }: RaisesBody): Promise<EarnedRaise[]> {
  const { start, maximum, growthAfter, growthPercent } = platform.config.limits;
  const rules = [...maximum].map(([currency, amount]) => ({
    currency,
    start: start.get(currency) ?? 0,
    maximum: amount,
  }));
  const asked = { rules, growthAfter, growthPercent, size, offset: (page - 1) * size };
  return presentRaises(await selectRaises(platform.db, asked), (currency) => ruleOf(platform, currency));
}
