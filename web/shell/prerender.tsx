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

/** The text of the one `<style>` that the theme writes. */
export function themeStyles(staff: boolean): string {
  const [, sheet] = /^<style[^>]*>([^<]*)<\/style>$/.exec(renderToString(<Themed staff={staff} withStyles />)) ?? [];
  if (sheet === undefined) throw new Error('the theme writes something other than one style element');
  return sheet;
}
