import { createContext, useContext } from 'react';
import { CONTACT_PLACEHOLDERS, type Contact } from '#contract/contact.ts';

const placeholders: ReadonlySet<string> = new Set(Object.values(CONTACT_PLACEHOLDERS));

/** Null where this server names none, and under `npm run web`, which fills in nothing. */
function contentOf(name: string): string | null {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  return content === '' || placeholders.has(content) ? null : content;
}

/** How people reach whoever runs this server. It is in the page itself: nothing is asked for, and nothing moves. */
export const ContactContext = createContext<Contact>(
  import.meta.env.SSR
    ? { email: null, phone: null }
    : { email: contentOf('support-email'), phone: contentOf('support-phone') },
);

export function useContact(): Contact {
  return useContext(ContactContext);
}
