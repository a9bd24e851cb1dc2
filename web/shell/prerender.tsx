import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import type { Contact } from '#contract/contact.ts';
import type { Option } from '#contract/fields.ts';
import { referenceEndpoints } from '#contract/reference/endpoints.ts';
import { queryClient } from '#web/platform/api/query-client.ts';
import { keyOf } from '#web/platform/api/query-key.ts';
import { FixedRouter } from '#web/platform/router/router.tsx';
import { routes } from '#web/routes.tsx';
import { ContactContext } from '#web/ui/support/support-contact.ts';
import { Themed } from '#web/ui/theme/theme.tsx';
import { Application } from './application.tsx';
import { loadScreenAt } from './screens.tsx';

/** The HTML of a public page for an unknown person. Runs when the web is built (scripts/build/prerender.ts). */
export async function prerender(
  pathname: string,
  lookups: Readonly<Record<'sectors' | 'districts', readonly Option[]>>,
  contact: Contact,
): Promise<string> {
  queryClient.setQueryData(keyOf(referenceEndpoints.sectors), lookups.sectors);
  queryClient.setQueryData(keyOf(referenceEndpoints.districts), lookups.districts);
  await loadScreenAt(routes, pathname);
  const Router = ({ children }: { readonly children: ReactNode }) => (
    <FixedRouter pathname={pathname}>{children}</FixedRouter>
  );
  return renderToString(
    <ContactContext value={contact}>
      <Application Router={Router} />
    </ContactContext>,
  );
}

/** The theme's styles that are the same for everybody. Each page gets the part that it uses. */
export function themeStyles(): string {
  const written = renderToString(<Themed staff={false} withStyles />);
  return [...written.matchAll(/<style[^>]*>([^<]*)<\/style>/g)].map(([, sheet]) => sheet).join('');
}
