import type { z } from 'zod';
import type {
  BusinessRow,
  businessesBody,
  businessForm,
  editBusinessForm,
  LoadedBusiness,
} from '#contract/businesses/schema.ts';
import { readTaxNumber } from '#contract/businesses/tax-number.ts';
import type { Option } from '#contract/fields.ts';
import { isClient } from '#contract/permissions.ts';
import { searchWords } from '#contract/text/search.ts';
import { AppError, fieldError, orNotFound } from '#server/calls/app-error.ts';
import type { Changing } from '#server/changes/change.ts';
import { changeOnce, recordEvent } from '#server/changes/change.ts';
import { type Connection, violatesUnique } from '#server/db/database.ts';
import type { Change } from '#server/db/transaction.ts';
import { queueMessage } from '#server/messages/messages.service.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context, Work } from '#server/platform/work.ts';
import { lockPeople, selectOfficersAmong } from '#server/sessions/officers.ts';
import { businessActiveMessage } from './businesses.messages.ts';
import { presentBusiness, presentBusinessPage } from './businesses.presenter.ts';
import {
  insertBusiness,
  lockActiveBusiness,
  markBuyer,
  NAME_INDEX,
  selectActiveUsernames,
  selectBusiness,
  selectBusinessFacts,
  selectBusinessForUpdate,
  selectBusinessId,
  selectBusinessPage,
  selectOptions,
  selectOutToBuyer,
  TIN_INDEX,
  updateBusiness,
} from './businesses.queries.ts';

type BusinessForm = z.output<typeof businessForm>;

interface Saved {
  readonly tag: string;
  readonly id: number;
}

/** A page of businesses, active or not, by name unless sorted otherwise. */
export async function listBusinesses(
  platform: Platform,
  asked: z.output<typeof businessesBody>,
): Promise<BusinessRow[]> {
  const { page, size, searchPhrase, kind, sort = 'name' } = asked;
  const filter = { words: searchWords(searchPhrase), tin: readTaxNumber(searchPhrase), kind };
  const rows = await selectBusinessPage(platform.db, filter, sort, { size, offset: (page - 1) * size });
  return presentBusinessPage(rows);
}

/** The business with that tag, and what is out on invoices to it. Throws NOT_FOUND. */
export async function loadBusiness(platform: Platform, tag: string): Promise<LoadedBusiness> {
  const [business, out] = await Promise.all([selectBusiness(platform.db, tag), selectOutToBuyer(platform.db, tag)]);
  return presentBusiness(orNotFound(business), out);
}

/** Adds a business, once per Idempotency-Key. Throws like {@link storeBusiness}. */
export async function addBusiness(context: Context, form: BusinessForm): Promise<Saved> {
  const work = async (work: Work): Promise<Saved> => {
    const { tag, id } = await storeBusiness(work, form);
    return { tag, id };
  };
  return takenAsFailure(() => changeOnce(context, { name: 'addBusiness', input: form }, work));
}

/**
 * Stores a new business and records it. The code that opens the transaction must wrap it in {@link takenAsFailure}.
 * Throws BUSINESS_NAME_TAKEN, BUSINESS_TIN_TAKEN, BUSINESS_KIND, or UNKNOWN_REFERENCE at the field of an unknown sector
 * or district.
 */
export async function storeBusiness(work: Changing, form: BusinessForm) {
  const { change, caller } = work;
  const values = await checkForm(change, form);
  const saved = await insertBusiness(change, { ...values, created_at: caller.now });
  recordEvent(work, 'business.added', ['business', saved.tag], { after: describe(values) });
  return saved;
}

/** Marks a business as a buyer, recording a change. Throws UNKNOWN_REFERENCE if it is not active. */
export async function makeBuyer(work: Changing, businessId: number) {
  const business = await lockActiveBusiness(work.change, businessId);
  if (business === undefined) throw fieldError('UNKNOWN_REFERENCE', 'businessId');
  if (!business.is_buyer) {
    await markBuyer(work.change, business.id);
    recordEvent(work, 'business.edited', ['business', business.tag], {
      before: { isBuyer: false },
      after: { isBuyer: true },
    });
  }
  return business;
}

/**
 * Changes a business; when a closed one becomes active again, we tell all its active people (docs/decisions/0033).
 * Throws FORBIDDEN if the caller is no longer an officer, NOT_FOUND, OWN_BUSINESS, STALE_VERSION, the errors of {@link
 * storeBusiness}, and BUSINESS_HAS_PEOPLE if a client with active people would no longer be a client.
 */
export async function editBusiness(
  { platform, caller }: Context,
  tag: string,
  { seenActive, ...form }: z.output<typeof editBusinessForm>,
): Promise<Saved> {
  const work = async (change: Change): Promise<Saved> => {
    // We lock people before businesses, as when a person is changed.
    lockPeople(change, [caller.person.id]);
    const [officer] = await selectOfficersAmong(change, [caller.person.id]);
    if (officer === undefined) throw new AppError('FORBIDDEN');
    const before = orNotFound(await selectBusinessForUpdate(change, tag));
    if (officer.businessId === before.id) throw new AppError('OWN_BUSINESS');
    if (seenActive !== undefined && seenActive !== before.active) throw new AppError('STALE_VERSION');
    const people = await selectActiveUsernames(change, before.id);
    if (before.is_client && !form.isClient && people.length > 0) throw fieldError('BUSINESS_HAS_PEOPLE', 'isClient');
    const values = await checkForm(change, completeForm(form, before), before.id);
    await updateBusiness(change, before.id, values);
    if (values.active && !before.active) {
      for (const username of people)
        await queueMessage(platform, change, businessActiveMessage(platform.config, username, values.name));
    }
    recordEvent({ change, caller }, 'business.edited', ['business', before.tag], {
      before: describe(before),
      after: describe(values),
    });
    return { tag: before.tag, id: before.id };
  };
  return takenAsFailure(() => platform.db.inTransaction(work));
}

/** Fills absent fields of an edit with their stored values. */
function completeForm(form: EditForm, stored: StoredForm) {
  const { active = stored.active, tin = stored.tin, usualTermsDays = stored.usual_terms_days } = form;
  const { withholdsTax = stored.withholds_tax, withholdsVat = stored.withholds_vat } = form;
  return { ...form, active, tin, usualTermsDays, withholdsTax, withholdsVat };
}

type EditForm = Omit<z.output<typeof editBusinessForm>, 'seenActive'>;
type StoredForm = Awaited<ReturnType<typeof checkForm>>;

/** The form as database columns; status (409) is checked before references (422). */
async function checkForm(
  change: Change,
  form: Omit<BusinessForm, 'tin' | 'usualTermsDays'> & {
    readonly tin?: string | null | undefined;
    readonly usualTermsDays?: number | null | undefined;
  },
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
  return {
    name,
    industry_id: industryId,
    district_id: districtId,
    tin,
    is_client,
    is_buyer,
    active,
    usual_terms_days: form.usualTermsDays ?? null,
    withholds_tax: form.withholdsTax ?? false,
    withholds_vat: form.withholdsVat ?? false,
  };
}

/**
 * If two concurrent saves use the same name or TIN, the second violates the unique index; this turns that into a
 * failure.
 */
export async function takenAsFailure<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (violatesUnique(error, NAME_INDEX)) throw fieldError('BUSINESS_NAME_TAKEN', 'name');
    throw violatesUnique(error, TIN_INDEX) ? fieldError('BUSINESS_TIN_TAKEN', 'tin') : error;
  }
}

/** A business for the audit log. */
function describe({ name, industry_id, district_id, tin, is_client, is_buyer, active, ...buyer }: StoredForm) {
  return {
    name,
    industryId: industry_id,
    districtId: district_id,
    tin,
    isClient: is_client,
    isBuyer: is_buyer,
    active,
    usualTermsDays: buyer.usual_terms_days,
    withholdsTax: buyer.withholds_tax,
    withholdsVat: buyer.withholds_vat,
  };
}

/** The active businesses as options, all or of one kind. */
export function listProfiles(platform: Platform, kind?: 'client' | 'buyer'): Promise<Option[]> {
  return selectOptions(platform.db, kind);
}

/** The active buyers as options, without the client's own business, because nobody buys from themselves. */
export function listBuyers({ platform, caller: { person } }: Context): Promise<Option[]> {
  return selectOptions(platform.db, 'buyer', isClient(person) ? person.businessId : null);
}

/** The id behind a business's tag. Throws NOT_FOUND. */
export async function requireBusinessId(connection: Connection, tag: string): Promise<number> {
  return orNotFound(await selectBusinessId(connection, tag));
}

/**
 * Why nobody can act as a client for that business; undefined if somebody can, which then stays true until the
 * transaction ends (docs/decisions/0008).
 */
export async function obstacleToClient(
  change: Change,
  businessId: number | null,
): Promise<'UNKNOWN_REFERENCE' | 'NOT_A_CLIENT' | undefined> {
  const business = businessId === null ? undefined : await lockActiveBusiness(change, businessId);
  if (business === undefined) return 'UNKNOWN_REFERENCE';
  return business.is_client ? undefined : 'NOT_A_CLIENT';
}
