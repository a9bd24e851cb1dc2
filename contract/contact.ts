/**
 * How to reach the operator of this installation; null if not configured. Every page that the server sends includes it.
 */
export interface Contact {
  readonly email: string | null;
  readonly phone: string | null;
}

/**
 * Placeholders that the build writes into a page and the server replaces when it starts (server/responses/pages.ts).
 */
export const CONTACT_PLACEHOLDERS = { email: '__SUPPORT_EMAIL__', phone: '__SUPPORT_PHONE__' } as const;

/** A phone number for a `tel:` link. */
export function phoneLink(phone: string): string {
  return `tel:${phone.replaceAll(' ', '')}`;
}

/**
 * The build's folder with the pages for this contact. Folders differ by which contact details exist, not by their
 * values.
 */
export function pagesFolder({ email, phone }: Contact): string {
  return `pages/${email === null ? 'no' : 'an'}-email-${phone === null ? 'no' : 'a'}-phone`;
}

/** What to do about an unexpected error, as part of a sentence. */
export function callUs({ email, phone }: Contact): string {
  const where = phone ?? email;
  return where === null ? 'tell us at once' : `tell us at once: ${where}`;
}
