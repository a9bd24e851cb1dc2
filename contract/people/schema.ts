import { z } from 'zod';
import { EMAIL_PATTERN, plainEmail, plainPhone } from '#contract/accounts/username.ts';
import { lookupId, optional, page, searchPhrase, size, tag, text, total } from '#contract/fields.ts';
import { permissionCodes } from '#contract/permissions.ts';

/** A user's states (docs/decisions/0041-left-open.md). */
export const personStatuses = ['Pending', 'Verified', 'Active', 'Deactivated'] as const;
export type PersonStatus = (typeof personStatuses)[number];

/** A row of the users list, with the fields that its dialog needs. */
export const personRow = z.strictObject({
  tag,
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  designation: z.string().nullable(),
  status: z.enum(personStatuses),
  gender: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  business: z.string().nullable(),
  business_tag: tag.nullable(),
  business_id: z.int().nullable(),
  district: z.string().nullable(),
  username: z.string(),
  perms: z.array(z.enum(permissionCodes)),
  created_at: z.iso.datetime(),
  last_login_at: z.iso.datetime().nullable(),
  /**
   * The business details given by a person who waits for activation, and the existing business with this TIN or name.
   */
  stated: z
    .strictObject({
      business: z.string(),
      tin: z.string().nullable(),
      industryId: z.int().nullable(),
      districtId: z.int().nullable(),
      match: z.strictObject({ id: z.int(), tag, name: z.string(), isActiveClient: z.boolean() }).nullable(),
    })
    .nullable(),
  total,
});
export type PersonRow = z.output<typeof personRow>;

/** By joining date, either way. Absent: people who wait for activation first, then the newest. */
export const personSorts = ['joined', '-joined'] as const;
export type PersonSort = (typeof personSorts)[number];

/** The request body of the list: page and search, and optionally one status and another order. */
export const personsBody = z
  .strictObject({
    page,
    size,
    searchPhrase,
    status: optional(z.enum(personStatuses)),
    sort: optional(z.enum(personSorts)),
  })
  .prefault({});

/** A name with at least 2 letters, of any script. */
export function personName(message: string) {
  return text(2, message).refine((value) => (value.match(/\p{L}/gu) ?? []).length >= 2, message);
}

/**
 * The Update Person form; also the request body. `seenStatus` is the status when the form was opened; if it has changed
 * since, nothing is stored.
 */
export const updatePersonBody = z.strictObject({
  firstName: personName('First name should have at least 2 letters'),
  lastName: personName('Last name should have at least 2 letters'),
  designation: optional(text(0, 'Give a designation')),
  phone: optional(
    z
      .string()
      .max(100, 'Give a valid Ugandan number')
      .overwrite(plainPhone)
      .regex(/^0\d{9}$/, 'Give a valid Ugandan number'),
  ),
  email: optional(z.string().overwrite(plainEmail).max(254, 'Invalid email').regex(EMAIL_PATTERN, 'Invalid email')),
  businessId: lookupId('Business is required'),
  tag,
  seenStatus: optional(z.enum(personStatuses)),
});

const perms = z.array(z.enum(permissionCodes)).max(permissionCodes.length);

/** The complete new list of a person's permissions; `seenPerms` is the list that the form showed. */
export const rolesBody = z.strictObject({ tag, perms, seenPerms: optional(perms) });
