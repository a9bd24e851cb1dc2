import type { z } from 'zod';
import type { PersonRow, personsBody } from '#contract/people/schema.ts';
import { COUNTED_ROWS } from '#contract/product.ts';
import { requireBusinessId } from '#server/businesses/businesses.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import { presentPeoplePage, presentPerson } from './people.presenter.ts';
import {
  selectPageOfCommonSearch,
  selectPageOfSearch,
  selectPeopleOfBusiness,
  selectPeoplePage,
  selectPersonRow,
} from './people-list.queries.ts';
import { readSearch } from './people-search.ts';

/**
 * A page of people: by default those who wait for activation first, then the newest. A search covers names, phones,
 * e-mail addresses and businesses. With a search or a status, both list and total stop at 10,000 rows.
 */
export async function listPeople(platform: Platform, asked: z.output<typeof personsBody>): Promise<PersonRow[]> {
  const { size, status, sort } = asked;
  const filter = { status, sort };
  const page = { size, offset: (asked.page - 1) * size };
  const search = readSearch(asked.searchPhrase);
  if ((search !== undefined || status !== undefined) && page.offset >= COUNTED_ROWS) return [];
  if (search === undefined) return presentPeoplePage(await selectPeoplePage(platform.db, filter, page).execute());
  const found = await selectPageOfSearch(platform.db, search, filter, page).execute();
  if ((found[0]?.total ?? 0) <= COUNTED_ROWS) return presentPeoplePage(found);
  return presentPeoplePage(await selectPageOfCommonSearch(platform.db, search, filter, page).execute());
}

/** The caller's own row. */
export async function ownProfile({ platform, caller: { person } }: Context): Promise<PersonRow> {
  return presentPerson(await selectPersonRow(platform.db, person.id));
}

/** The people of a business, in list order. Throws NOT_FOUND for an unknown one. */
export async function listPeopleOfBusiness(platform: Platform, businessTag: string): Promise<PersonRow[]> {
  const businessId = await requireBusinessId(platform.db, businessTag);
  return (await selectPeopleOfBusiness(platform.db, businessId)).map(presentPerson);
}
