/** How people reach whoever runs this Kasente; null where it is not said. It stands in every page that the server sends. */
export interface Contact {
  readonly email: string | null;
  readonly phone: string | null;
}

/** What the build writes into a page, and the server replaces at its start (server/pages/pages.ts). */
export const CONTACT_PLACEHOLDERS = { email: '__SUPPORT_EMAIL__', phone: '__SUPPORT_PHONE__' } as const;

/** A phone number as a link takes it. */
export function phoneLink(phone: string): string {
  return `tel:${phone.replaceAll(' ', '')}`;
}

/** The folder of the build with the pages for this contact: they differ by what is named, not by what it is. */
export function pagesFolder({ email, phone }: Contact): string {
  return `pages/${email === null ? 'no' : 'an'}-email-${phone === null ? 'no' : 'a'}-phone`;
}

/** What to do about something that should not have happened, within a sentence. */
export function callUs({ email, phone }: Contact): string {
  const where = phone ?? email;
  return where === null ? 'tell us at once' : `tell us at once: ${where}`;
}
