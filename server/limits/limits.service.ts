import type { PageBody } from '#contract/fields.ts';
import { availableOf, type GrowthRule, grownLimit, highestAlone } from '#contract/limits/limit.ts';
import { decideLimit, type ProposalFacts } from '#contract/limits/limit-change.ts';
import type { BusinessLimit, EarnedRaise, FundingLimit, SetLimitBody } from '#contract/limits/schema.ts';
import { minorToNumeric } from '#contract/money.ts';
import { AppError, fieldError, orNotFound, orRefuse } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { changeOnce, recordEvent } from '#server/changes/change.ts';
import type { LimitSettings } from '#server/config/setting-groups.ts';
import type { Connection } from '#server/db/database.ts';
import { gather } from '#server/db/together.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import { findNewUntil } from '#server/people/standing/standing.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import { lockPeople, selectOfficersAmong } from '#server/sessions/officers.ts';
import { presentBusinessLimit, presentLimit, presentProposal, presentRaises } from './limits.presenter.ts';
import {
  isEarnedByOthers,
  type LimitRow,
  lockClient,
  selectClient,
  selectLimits,
  selectRaises,
  selectRoom,
  upsertLimit,
} from './limits.queries.ts';
import { closeProposal, insertProposal, type ProposalRow, selectProposals } from './proposals.queries.ts';

/** The limits of the caller's own business by currency; none for a caller without a business. */
export async function listOwnLimits({ platform, caller: { person } }: Context): Promise<FundingLimit[]> {
  return person.businessId === null ? [] : limitsOf(platform, platform.db, person.businessId);
}

/**
 * A client's limits by currency, with what one officer may do alone and the open proposals. Throws NOT_FOUND, also for
 * a business that is not a client.
 */
export async function listBusinessLimits(context: Context, tag: string): Promise<BusinessLimit[]> {
  const { platform } = context;
  const { db, config } = platform;
  const client = await requireClient(db, tag);
  const { rows, proposals, newUntil } = await gather({
    rows: selectLimits(db, client.id, limitRules(platform)),
    proposals: selectProposals(db, client.id),
    newUntil: findNewUntil(context, db),
  });
  const present = async (row: LimitRow): Promise<BusinessLimit> => {
    const limit = limitInForce(platform, row);
    const proposal = proposals.find(({ currencyId }) => currencyId === row.currencyId);
    return presentBusinessLimit(row, limit, ruleOf(platform, row.currency), {
      highestAlone: await aloneFor(context, db, { ...row, businessId: client.id, limit }),
      highest: config.limits.highest.get(row.currency) ?? 0,
      isNewOfficer: newUntil !== undefined,
      proposal: proposal && presentProposal(proposal, proposalFacts(context, proposal, newUntil)),
    });
  };
  return Promise.all(rows.map(present));
}

/** A client's limit in one currency, its use, and what would raise it. */
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
  const rows = await selectLimits(connection, businessId, limitRules(platform), currencyId);
  return rows.map((row) => presentLimit(row, limitInForce(platform, row), ruleOf(platform, row.currency)));
}

/**
 * The limit that was set, or else the starting limit; 0 in a currency without one. Never above the highest limit, even
 * if the limit was set before there was a highest one.
 */
export function limitInForce(
  { config: { limits } }: Platform,
  { limit, currency }: Pick<LimitRow, 'limit' | 'currency'>,
): number {
  return Math.min(limit ?? limits.start.get(currency) ?? 0, limits.highest.get(currency) ?? 0);
}

function ruleOf({ config: { limits } }: Platform, currency: string): GrowthRule {
  return {
    settledApplications: limits.growthAfter,
    growthPercent: limits.growthPercent,
    maximum: maximumOf(limits, currency),
    sizePercent: limits.growthSizePercent,
    minimumDays: limits.growthDays,
  };
}

function maximumOf({ maximum, highest }: LimitSettings, currency: string): number {
  return Math.min(maximum.get(currency) ?? 0, highest.get(currency) ?? 0);
}

function limitRules({ config: { limits } }: Platform) {
  return { bounds: limits, counting: { sizePercent: limits.growthSizePercent, minimumDays: limits.growthDays } };
}

/** A client's current limit, and the settlements that count for it. */
type InForce = Pick<LimitRow, 'currencyId' | 'currency' | 'settledOnTime'> & {
  readonly businessId: number;
  readonly limit: number;
};

/**
 * The highest limit that the caller may set alone: an earned raise counts only if it does not depend on payments that
 * the caller recorded.
 */
async function aloneFor(
  { platform, caller: { person } }: Context,
  connection: Connection,
  client: InForce,
): Promise<number> {
  const { newOfficerMs, limits } = platform.config;
  const { growthAfter } = limits;
  const { limit, currency, settledOnTime } = client;
  const rule = { ...limitRules(platform).counting, growthAfter, newOfficerMs, officerId: person.id };
  const isEarned = settledOnTime >= growthAfter && (await isEarnedByOthers(connection, client, rule));
  const earned = isEarned ? grownLimit(limit, ruleOf(platform, currency)) : undefined;
  return highestAlone(limit, { start: limits.start.get(currency) ?? 0, timesStart: limits.aloneTimes, earned });
}

/** The facts on which the caller's confirmation of a proposal is decided. */
export function proposalFacts(
  { platform, caller: { person, now } }: Context,
  proposal: ProposalRow,
  newUntil: Date | undefined,
): ProposalFacts {
  const highest = platform.config.limits.highest.get(proposal.currency) ?? 0;
  return { ...proposal, now, me: person.id, newUntil, current: limitInForce(platform, proposal), highest };
}

/** A client and a currency, which identify an exposure. */
export type Exposed = Pick<InvoiceRecord, 'businessId' | 'currencyId' | 'currencyCode'>;

/** A client's exposure and limit in a currency. Minor units. */
export async function findExposure(
  platform: Platform,
  connection: Connection,
  { businessId, currencyId, currencyCode: currency }: Exposed,
): Promise<{ readonly exposure: number; readonly limit: number }> {
  const { submitted, outstanding, limit } = await selectRoom(connection, businessId, currencyId);
  return { exposure: submitted + outstanding, limit: limitInForce(platform, { limit, currency }) };
}

/** A client's limit in a currency, and the part that is free for a draft. Minor units. */
export async function findRoom(
  platform: Platform,
  connection: Connection,
  { businessId, currencyId, currencyCode: currency }: Exposed,
): Promise<{ readonly limit: number; readonly available: number }> {
  const row = await selectRoom(connection, businessId, currencyId);
  const limit = limitInForce(platform, { limit: row.limit, currency });
  return { limit, available: availableOf({ ...row, limit }) };
}

/** Whether the limit was set or now waits for another officer. */
type SetReply = { readonly success: true; readonly proposed: boolean };

/**
 * Sets a client's limit in a currency, or proposes it, by `decideLimit` (contract/limits/limit-change.ts); once per
 * Idempotency-Key. It may be below what is already used. Also throws NOT_FOUND, FORBIDDEN, OWN_BUSINESS,
 * UNKNOWN_REFERENCE.
 */
export function setLimit(context: Context, tag: string, body: SetLimitBody): Promise<SetReply> {
  const { platform, caller } = context;
  const { currencyId, limit, reason, seenLimit } = body;
  return changeOnce(context, { name: 'setLimit', input: { tag, ...body } }, async (work) => {
    const { change } = work;
    const client = await requireClient(change, tag);
    await requireOfficer(work, client.id);
    await lockClient(change, client.id);
    const { rows, proposals, newUntil } = await gather({
      rows: selectLimits(change, client.id, limitRules(platform), currencyId),
      proposals: selectProposals(change, client.id),
      newUntil: findNewUntil(context, change),
    });
    const [row] = rows;
    if (row === undefined) throw fieldError('UNKNOWN_REFERENCE', 'currencyId');
    const { currency } = row;
    const current = limitInForce(platform, row);
    const decision = orRefuse(
      decideLimit({
        now: caller.now,
        newUntil,
        currency,
        current,
        amount: limit,
        highest: platform.config.limits.highest.get(currency) ?? 0,
        seen: seenLimit,
        highestAlone: await aloneFor(context, change, { ...row, businessId: client.id, limit: current }),
        isProposalOpen: proposals.some((proposal) => proposal.currencyId === currencyId),
      }),
    );
    const target = { businessId: client.id, businessTag: client.tag, currencyId, currency };
    if (decision === 'propose') await proposeLimit(work, target, { before: current, after: limit, reason });
    else {
      await closeProposal(change, { ...target, outcome: 'replaced', at: caller.now, by: caller.person.id });
      await storeLimit(work, target, { before: current, after: limit, audit: { reason } });
    }
    return { success: true, proposed: decision === 'propose' };
  });
}

/**
 * Locks the caller, and a proposer, until the limit is set. Throws FORBIDDEN if the caller is no longer an officer,
 * OWN_BUSINESS if they belong to the client.
 */
export async function requireOfficer(
  { change, caller: { person } }: Changing,
  clientId: number,
  proposers: readonly number[] = [],
): Promise<void> {
  lockPeople(change, [person.id, ...proposers]);
  const [officer] = await selectOfficersAmong(change, [person.id]);
  if (officer === undefined) throw new AppError('FORBIDDEN');
  if (officer.businessId === clientId) throw new AppError('OWN_BUSINESS');
}

/** The limit to set. */
interface Target {
  readonly businessId: number;
  readonly businessTag: string;
  readonly currencyId: number;
  readonly currency: string;
}

/** Sets a limit and records it. Amounts in minor units. */
export async function storeLimit(
  work: Changing,
  { businessId, businessTag, currencyId, currency }: Target,
  { before, after, audit }: { readonly before: number; readonly after: number; readonly audit: object },
): Promise<void> {
  const { change, caller } = work;
  await upsertLimit(change, {
    business_id: businessId,
    currency_id: currencyId,
    amount: minorToNumeric(after),
    set_at: caller.now,
    set_by: caller.person.id,
  });
  recordEvent(work, 'limit.set', ['business', businessTag], {
    before: { currency, limit: before },
    after: { currency, limit: after, ...audit },
  });
}

async function proposeLimit(
  work: Changing,
  { businessId, businessTag, currencyId, currency }: Target,
  { before, after, reason }: { readonly before: number; readonly after: number; readonly reason: string },
): Promise<void> {
  const { change, caller } = work;
  await insertProposal(change, {
    business_id: businessId,
    currency_id: currencyId,
    replaces: minorToNumeric(before),
    amount: minorToNumeric(after),
    reason,
    proposed_at: caller.now,
    proposed_by: caller.person.id,
  });
  recordEvent(work, 'limit.proposed', ['business', businessTag], {
    before: { currency, limit: before },
    after: { currency, proposed: after, reason },
  });
}

async function requireClient(connection: Connection, tag: string): Promise<{ id: number; tag: string }> {
  return orNotFound(await selectClient(connection, tag));
}

/** A page of the clients who have earned a higher limit by the rule of growth, by name. */
export async function listEarnedRaises(platform: Platform, { page, size }: PageBody): Promise<EarnedRaise[]> {
  const { limits } = platform.config;
  const { start, maximum, highest, growthAfter, growthPercent } = limits;
  const rules = [...maximum.keys()].map((currency) => ({
    currency,
    start: start.get(currency) ?? 0,
    maximum: maximumOf(limits, currency),
    highest: highest.get(currency) ?? 0,
  }));
  const { counting } = limitRules(platform);
  const asked = { rules, counting, growthAfter, growthPercent, size, offset: (page - 1) * size };
  return presentRaises(await selectRaises(platform.db, asked), (currency) => ruleOf(platform, currency));
}
