import { createContext, useContext } from 'react';
import { CONTACT_PLACEHOLDERS, type Contact } from '#contract/contact.ts';

const placeholders: ReadonlySet<string> = new Set(Object.values(CONTACT_PLACEHOLDERS));

/** Null if this server names none, and under `npm run web`, where nothing is filled in. */
function contentOf(name: string): string | null {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  return content === '' || placeholders.has(content) ? null : content;
}

/** How people reach the operator of this server. It is in the page itself, so it needs no call and nothing moves. */
export const ContactContext = createContext<Contact>(
  import.meta.env.SSR
    ? { email: null, phone: null }
    : { email: contentOf('support-email'), phone: contentOf('support-phone') },
);

export function useContact(): Contact {
  return useContext(ContactContext);
}
