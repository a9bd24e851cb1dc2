import { z } from 'zod';
import { clearable, lookupId, money, optional, page, searchPhrase, size, tag, text, total } from '#contract/fields.ts';
import { readTaxNumber } from './tax-number.ts';

/** The kinds of a business: client, buyer or both (docs/decisions/0041-left-open.md). */
export const businessKinds = ['client', 'buyer'] as const;

const TIN = 'Give a TIN of 10 digits, a NIN of 14 characters or a URSB registration number';

/** A taxpayer's number as typed; parses to its plain form ({@link readTaxNumber}). */
export const tin = z
  .string(TIN)
  .max(50, TIN)
  .transform((typed, context) => {
    const read = readTaxNumber(typed);
    if (read !== undefined) return read;
    context.addIssue(TIN);
    return z.NEVER;
  });

/** The longest payment term of a buyer, in days. */
const MAXIMUM_TERMS_DAYS = 365;
const TERMS = `Give the days as a whole number from 0 to ${MAXIMUM_TERMS_DAYS}`;
const termsDays = z.int(TERMS).min(0, TERMS).max(MAXIMUM_TERMS_DAYS, TERMS);

/** The Businesses form; also the body for adding a business. At least one kind. */
export const businessForm = z.strictObject({
  name: text(2, 'Give the name of the business', 120),
  industryId: lookupId('Please select your business sector'),
  districtId: lookupId('Please select your district'),
  tin: optional(tin),
  /** For a buyer: when it usually pays, and which taxes it withholds (docs/decisions/0043-buyer-terms.md). */
  usualTermsDays: optional(termsDays),
  withholdsTax: optional(z.boolean()),
  withholdsVat: optional(z.boolean()),
  isClient: z.boolean(),
  isBuyer: z.boolean(),
  active: z.boolean().default(true),
});

/**
 * The body of an edit. An absent `active`, `tin` or buyer term stays as it is. `seenActive` is the value when the form
 * was opened; if it has changed since, nothing is stored.
 */
export const editBusinessForm = businessForm.extend({
  active: optional(z.boolean()),
  tin: clearable(tin),
  usualTermsDays: clearable(termsDays),
  seenActive: optional(z.boolean()),
});

/** After how many days a buyer usually pays. */
export const usualTerms = z.strictObject({ id: z.int(), days: z.int() });
export type UsualTerms = z.output<typeof usualTerms>;

export const businessRow = z.strictObject({
  tag,
  id: z.int(),
  name: z.string(),
  industryId: z.int(),
  sector: z.string(),
  districtId: z.int(),
  district: z.string(),
  tin: z.string().nullable(),
  usualTermsDays: z.int().nullable(),
  withholdsTax: z.boolean(),
  withholdsVat: z.boolean(),
  isClient: z.boolean(),
  isBuyer: z.boolean(),
  active: z.boolean(),
  people: z.int(),
  applications: z.int(),
  total,
});
export type BusinessRow = z.output<typeof businessRow>;

/** A business on its own page. */
export const loadedBusiness = businessRow.omit({ total: true }).extend({
  /** By currency, the part of the advances on invoices to this buyer that is not paid back. */
  outAsBuyer: z.array(z.strictObject({ currency: z.string(), outstanding: money })),
});
export type LoadedBusiness = z.output<typeof loadedBusiness>;

/** The sort key; a minus reverses it. Absent means 'name'. */
export const businessSorts = ['name', '-name', 'applications', '-applications'] as const;
export type BusinessSort = (typeof businessSorts)[number];

export const businessesBody = z
  .strictObject({
    page,
    size,
    searchPhrase,
    kind: optional(z.enum(businessKinds)),
    sort: optional(z.enum(businessSorts)),
  })
  .prefault({});
