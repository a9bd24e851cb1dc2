import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/calls/app-error.ts';
import { sendFailure } from '#server/http/failures.ts';
import { type Pages, WEB_FOLDER } from '#server/responses/pages.ts';
import { styleNonce } from '#server/responses/security-headers.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';
/** For the icon and other files without a hash in their names. */
const FOR_A_WEEK = 'public, max-age=604800';

/** The build's placeholder for a nonce (vite.config.ts). */
const NONCE_PLACEHOLDER = '__NONCE__';

/**
 * The quality for compressing pages, which we do for each reply because of the nonce. It takes a millisecond in another
 * thread, for 12 kB instead of 43; the best quality would take 50 times as long and save 0.7 kB.
 */
const PAGE_QUALITY = 5;

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
  server.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' || request.method === 'HEAD';
    const path = pathOf(request.url);
    if (application === undefined || !wantsPage || /^\/api(\/|$)/.test(path))
      return sendFailure(reply, new AppError('NOT_FOUND'));
    return sendPage(request, reply, prerendered.get(path) ?? application);
  });
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, page: string): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').header('vary', 'accept-encoding');
  const content = page.replaceAll(NONCE_PLACEHOLDER, styleNonce(reply));
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (/\bbr\b/.test(accepted)) {
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: PAGE_QUALITY } };
    return reply.header('content-encoding', 'br').send(await promisify(brotliCompress)(content, quality));
  }
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(content));
  return reply.send(content);
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}
