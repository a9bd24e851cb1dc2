import type { FastifyRequest } from 'fastify';
import { type FailureCode, failures } from '#contract/errors.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { escapeHtml } from './html.ts';
import { plainPage } from './plain-page.ts';

/** Whether the reply is shown in a browser tab, because documents open in tabs of their own. */
export function isFileTab(request: FastifyRequest): boolean {
  if (request.routeOptions.config.endpoint?.file === undefined) return false;
  const { accept, 'sec-fetch-dest': dest } = request.headers;
  return dest === undefined ? accept?.includes('text/html') === true : dest === 'document';
}

/** A page without scripts that explains why there is no document, and where to go. */
export function failurePage(code: FailureCode): string {
  const { msg } = failures[code];
  const link = code === 'NOT_SIGNED_IN' ? '<a href="/login">Log in</a>' : `<a href="/">Open ${PRODUCT_NAME}</a>`;
  const reason = code === 'NOT_FOUND' ? 'It may have been deleted or replaced' : msg;
  return plainPage(
    'Document not shown',
    `<main>
<h1>The document cannot be shown</h1>
<p>${escapeHtml(reason)}.</p>
<p>${link}</p>
</main>`,
  );
}
