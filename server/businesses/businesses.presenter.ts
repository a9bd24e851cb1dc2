import type { BusinessRow, LoadedBusiness } from '#contract/businesses/schema.ts';
import { fromMinor } from '#contract/money.ts';
import type { BusinessPageRow, NamedBusiness, OutRow } from './businesses.queries.ts';

/** Presents a page of businesses; the first row carries the total. */
export function presentBusinessPage(rows: readonly BusinessPageRow[]): BusinessRow[] {
  return rows.map((row, index) => ({
    ...presentFields(row),
    ...(index === 0 ? { total: row.total ?? 0 } : {}),
  }));
}

/** Presents a business on its own page. */
export function presentBusiness(row: NamedBusiness, out: readonly OutRow[]): LoadedBusiness {
  return {
    ...presentFields(row),
    outAsBuyer: out.map(({ currency, outstanding }) => ({ currency, outstanding: fromMinor(outstanding) })),
  };
}

function presentFields(row: NamedBusiness) {
  return {
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
  };
}
