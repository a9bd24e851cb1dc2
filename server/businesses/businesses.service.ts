import type { z } from 'zod';
import type { BusinessRow, businessesBody, businessForm, editBusinessForm } from '#contract/businesses/schema.ts';
import type { Option } from '#contract/fields.ts';
import { isClient } from '#contract/permissions.ts';
import { type Change, changeOnce, recordEvent } from '#server/db/change.ts';
import { type Connection, violatesUnique } from '#server/db/database.ts';
import { likePattern } from '#server/db/like-pattern.ts';
import { AppError, fieldError } from '#server/http/app-error.ts';
import type { SignedInCaller } from '#server/http/http.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform.ts';
import { holdPeople, selectOfficersAmong } from '#server/sessions/officers.ts';
import { businessActiveMessage } from './businesses.messages.ts';
import { presentBusinessPage } from './businesses.presenter.ts';
import {
  holdActiveBusiness,
  insertBusiness,
  markBuyer,
  NAME_INDEX,
  selectActiveUsernames,
  selectBusinessFacts,
  selectBusinessForUpdate,
  selectBusinessId,
  selectBusinessPage,
  selectOptions,
  TIN_INDEX,
  updateBusiness,
} from './businesses.queries.ts';

type BusinessForm = z.output<typeof businessForm>;

interface Saved {
  readonly tag: string;
  readonly id: number;
}

/** A page of businesses, by name unless another order is asked for, active or not (decisions, 'Businesses'). */
export async function listBusinesses(
  platform: Platform,
  asked: z.output<typeof businessesBody>,
): Promise<BusinessRow[]> {
  const { page, size, searchPhrase, kind, sort = 'name' } = asked;
  const pattern = searchPhrase === '' ? undefined : likePattern(searchPhrase);
  const rows = await selectBusinessPage(platform.db, { pattern, kind }, sort, {
    size,
    offset: (page - 1) * size,
  });
  return presentBusinessPage(rows);
}

/** Adds a business, once per Idempotency-Key. Throws what {@link storeBusiness} throws. */
export async function addBusiness(platform: Platform, caller: SignedInCaller, form: BusinessForm): Promise<Saved> {
  const work = async (change: Change): Promise<Saved> => {
    const { tag, id } = await storeBusiness(change, caller, form);
    return { tag, id };
  };
  return takenAsFailure(() => changeOnce(platform, caller, { name: 'addBusiness', input: form }, work));
}

/**
 * Stores a new business, on record; whoever opens the transaction wraps it in {@link takenAsFailure}. Throws
 * BUSINESS_NAME_TAKEN, BUSINESS_TIN_TAKEN, BUSINESS_KIND, or UNKNOWN_REFERENCE with the field that names no sector or district.
 */
export async function storeBusiness(
  change: Change,
  caller: SignedInCaller,
  form: BusinessForm,
): Promise<Saved & { readonly name: string }> {
  const values = await checkForm(change, form);
  const saved = await insertBusiness(change, { ...values, created_at: caller.now });
  recordEvent(change, caller, {
    action: 'business.added',
    subjectType: 'business',
    subjectTag: saved.tag,
    after: describe(values),
  });
  return saved;
}

/** Makes a buyer of a business, on record where it was none. Throws UNKNOWN_REFERENCE where it is not active. */
export async function makeBuyer(
  change: Change,
  caller: SignedInCaller,
  businessId: number,
): Promise<Saved & { readonly name: string }> {
  const business = await holdActiveBusiness(change, businessId);
  if (business === undefined) throw fieldError('UNKNOWN_REFERENCE', 'businessId');
  if (!business.is_buyer) {
    await markBuyer(change, business.id);
    recordEvent(change, caller, {
      action: 'business.edited',
      subjectType: 'business',
      subjectTag: business.tag,
      before: { isBuyer: false },
      after: { isBuyer: true },
    });
  }
  return business;
}

/**
 * Changes a business; everybody active in one that was closed and is active again is told (docs/decisions/0033). Throws
 * FORBIDDEN where the caller is an officer no more, NOT_FOUND, OWN_BUSINESS, STALE_VERSION, what {@link storeBusiness}
 * throws, and BUSINESS_HAS_PEOPLE when a client with active people should stop being one.
 */
export async function editBusiness(
  platform: Platform,
  caller: SignedInCaller,
  tag: string,
  { seenActive, ...form }: z.output<typeof editBusinessForm>,
): Promise<Saved> {
  const work = async (change: Change): Promise<Saved> => {
    // People are held before businesses, as whoever changes a person does.
    holdPeople(change, [caller.person.id]);
    const [officer] = await selectOfficersAmong(change, [caller.person.id]);
    if (officer === undefined) throw new AppError('FORBIDDEN');
    const before = await selectBusinessForUpdate(change, tag);
    if (before === undefined) throw new AppError('NOT_FOUND');
    if (officer.businessId === before.id) throw new AppError('OWN_BUSINESS');
    if (seenActive !== undefined && seenActive !== before.active) throw new AppError('STALE_VERSION');
    const people = await selectActiveUsernames(change, before.id);
    if (before.is_client && !form.isClient && people.length > 0) throw fieldError('BUSINESS_HAS_PEOPLE', 'isClient');
    const { active = before.active, tin = before.tin } = form;
    const values = await checkForm(change, { ...form, active, tin }, before.id);
    await updateBusiness(change, before.id, values);
    if (values.active && !before.active) {
      for (const username of people)
        await queueMessage(platform, change, businessActiveMessage(platform.config, username, values.name));
    }
    recordEvent(change, caller, {
      action: 'business.edited',
      subjectType: 'business',
      subjectTag: before.tag,
      before: describe(before),
      after: describe(values),
    });
    return { tag: before.tag, id: before.id };
  };
  return takenAsFailure(() => platform.db.inTransaction(work));
}

type StoredForm = Awaited<ReturnType<typeof checkForm>>;

/** The form as columns; refusals of state (409) come before those of references (422). */
async function checkForm(
  change: Change,
  form: Omit<BusinessForm, 'tin'> & { readonly tin?: string | null | undefined },
  exceptId?: number,
) {
  const name = form.name.replaceAll(/\s+/g, ' ');
  const { industryId, districtId, tin = null, isClient: is_client, isBuyer: is_buyer, active } = form;
  const facts = await selectBusinessFacts(change, {
    name,
    tin,
    industryId,
    districtId,
    ...(exceptId === undefined ? {} : { exceptId }),
  });
  if (facts.nameTaken) throw fieldError('BUSINESS_NAME_TAKEN', 'name');
  if (facts.tinTaken) throw fieldError('BUSINESS_TIN_TAKEN', 'tin');
  if (!is_client && !is_buyer) throw fieldError('BUSINESS_KIND', 'isClient');
  if (!facts.sectorKnown) throw fieldError('UNKNOWN_REFERENCE', 'industryId');
  if (!facts.districtKnown) throw fieldError('UNKNOWN_REFERENCE', 'districtId');
  return { name, industry_id: industryId, district_id: districtId, tin, is_client, is_buyer, active };
}

/** Two at the same moment with one name or TIN: the second meets the unique index. */
export async function takenAsFailure<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (violatesUnique(error, NAME_INDEX)) throw fieldError('BUSINESS_NAME_TAKEN', 'name');
    throw violatesUnique(error, TIN_INDEX) ? fieldError('BUSINESS_TIN_TAKEN', 'tin') : error;
  }
}

/** A business for the record of changes. */
function describe({ name, industry_id, district_id, tin, is_client, is_buyer, active }: StoredForm) {
  return {
    name,
    industryId: industry_id,
    districtId: district_id,
    tin,
    isClient: is_client,
    isBuyer: is_buyer,
    active,
  };
}

/** The active businesses as options, all of them or those of a kind. */
export function listProfiles(platform: Platform, kind?: 'client' | 'buyer'): Promise<Option[]> {
  return selectOptions(platform.db, kind);
}

/** The active buyers as options; a client does not see their own business among them, because nobody buys from themselves. */
export function listBuyers(platform: Platform, { person }: SignedInCaller): Promise<Option[]> {
  return selectOptions(platform.db, 'buyer', isClient(person) ? person.businessId : null);
}

/** The id behind a business's tag. Throws NOT_FOUND. */
export async function requireBusinessId(connection: Connection, tag: string): Promise<number> {
  const id = await selectBusinessId(connection, tag);
  if (id === undefined) throw new AppError('NOT_FOUND');
  return id;
}

/**
 * Why nobody can act as a client for that business; undefined where somebody can, and then so until the transaction ends
 * (docs/decisions/0008).
 */
export async function obstacleToClient(
  change: Change,
  businessId: number | null,
): Promise<'UNKNOWN_REFERENCE' | 'NOT_A_CLIENT' | undefined> {
  const business = businessId === null ? undefined : await holdActiveBusiness(change, businessId);
  if (business === undefined) return 'UNKNOWN_REFERENCE';
  return business.is_client ? undefined : 'NOT_A_CLIENT';
}
