import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/calls/app-error.ts';
import { sendFailure } from '#server/http/failures.ts';
import { type Page, type Pages, WEB_FOLDER } from '#server/responses/pages.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';
/** For the icon and other files without a hash in their names. */
const FOR_A_WEEK = 'public, max-age=604800';

/**
 * Serves the web application: hashed files, cached for ever, and for every other GET outside the API a page. That is
 * the prerendered page of the path, or else the application's, which shows the login screen for an unknown path. Pages
 * and files are read at the start, so after a new build the server has to be restarted, as a deploy does.
 */
export async function serveWeb(server: FastifyInstance, { application, prerendered }: Pages): Promise<void> {
  if (application === undefined) server.log.warn('the web application has not been built: only the API is served');
  else {
    await server.register(fastifyStatic, {
      root: WEB_FOLDER,
      index: false,
      wildcard: false,
      preCompressed: true,
      globIgnore: ['**/*.html', '**/*.br', '**/*.gz'],
      cacheControl: false,
      // Files that are cached for ever are neither revalidated nor requested in parts.
      etag: false,
      lastModified: false,
      acceptRanges: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.includes('/assets/') ? FOR_EVER : FOR_A_WEEK);
      },
    });
    // Some browsers request it regardless of the page.
    server.get('/favicon.ico', (_request, reply) =>
      reply.header('cache-control', FOR_A_WEEK).redirect('/icon.svg', 301),
    );
  }
  server.setNotFoundHandler(async (request, reply) => {
    const wantsPage = request.method === 'GET' || request.method === 'HEAD';
    const path = pathOf(request.url);
    if (application === undefined || !wantsPage || /^\/api(\/|$)/.test(path))
      return sendFailure(reply, new AppError('NOT_FOUND'));
    return sendPage(request, reply, prerendered.get(path) ?? application);
  });
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page) {
  reply
    .type('text/html; charset=utf-8')
    .headers({ 'cache-control': 'no-store', vary: 'accept-encoding', 'content-security-policy': page.policy });
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = (['br', 'gzip'] as const).find((each) => new RegExp(`\\b${each}\\b`).test(String(accepted)));
  if (encoding === undefined) return page.html;
  reply.header('content-encoding', encoding);
  return page.compressed(encoding);
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}
