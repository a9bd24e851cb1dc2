import type { PersonRow } from '#contract/people/schema.ts';
import type { PersonListRow } from './people-list.queries.ts';

/** Presents a person. */
export function presentPerson(row: PersonListRow): PersonRow {
  return {
    tag: row.tag,
    first_name: row.first_name,
    last_name: row.last_name,
    designation: row.designation,
    status: row.status,
    gender: row.gender,
    phone: row.phone,
    email: row.email,
    business: row.business,
    business_tag: row.business_tag,
    business_id: row.business_id,
    district: row.district,
    username: row.username,
    perms: row.permissions,
    created_at: row.created_at.toISOString(),
    last_login_at: row.last_login_at?.toISOString() ?? null,
    stated: statedOf(row),
  };
}

/** The business that a newcomer stated; only while they wait for activation. */
function statedOf(row: PersonListRow): PersonRow['stated'] {
  if (row.status !== 'Verified' || row.stated_business === null) return null;
  return {
    business: row.stated_business,
    tin: row.stated_tin,
    industryId: row.industry_id,
    districtId: row.district_id,
    match: row.stated_match,
  };
}

/** Presents a page of people; the first row carries the total. */
export function presentPeoplePage(rows: readonly (PersonListRow & { readonly total: number })[]): PersonRow[] {
  return rows.map((row, index) => ({ ...presentPerson(row), ...(index === 0 ? { total: row.total } : {}) }));
}
