import type { BusinessRow } from '#contract/businesses/schema.ts';
import type { BusinessPageRow } from './businesses.queries.ts';

/** Presents a page of businesses; the first row carries the total. */
export function presentBusinessPage(rows: readonly BusinessPageRow[]): BusinessRow[] {
  return rows.map((row, index) => ({
    tag: row.tag,
    id: row.id,
    name: row.name,
    industryId: row.industry_id,
    sector: row.sector,
    districtId: row.district_id,
    district: row.district,
    tin: row.tin,
    usualTermsDays: row.usual_terms_days,
    withholdsTax: row.withholds_tax,
    withholdsVat: row.withholds_vat,
    isClient: row.is_client,
    isBuyer: row.is_buyer,
    active: row.active,
    people: row.people ?? 0,
    applications: row.applications ?? 0,
    ...(index === 0 ? { total: row.total ?? 0 } : {}),
  }));
}
