import type { BuyerRequestRow, OwnBuyerRequest } from '#contract/onboarding/schema.ts';
import type { selectOpenPage, selectRequestsOfBusiness } from './buyer-requests.queries.ts';

type OwnRow = Awaited<ReturnType<typeof selectRequestsOfBusiness>>[number];
type OpenRow = Awaited<ReturnType<typeof selectOpenPage>>[number];

export function presentOwnRequests(rows: readonly OwnRow[]): OwnBuyerRequest[] {
  return rows.map(({ tag, name, buyer_id: id, buyer, refusal }) => ({
    tag,
    name,
    buyer: id === null || buyer === null ? null : { id, name: buyer },
    refusal,
  }));
}

/** Presents a page of open requests; the first row carries the total. */
export function presentOpenRequests(rows: readonly OpenRow[]): BuyerRequestRow[] {
  return rows.map((row, index) => ({
    tag: row.tag,
    name: row.name,
    business: row.business,
    businessTag: row.business_tag,
    askedBy: row.asked_by,
    askedAt: row.requested_at.toISOString(),
    match:
      row.match_id === null
        ? null
        : { id: row.match_id, active: row.match_active === true, isOwn: row.match_id === row.business_id },
    ...(index === 0 ? { total: row.total } : {}),
  }));
}
