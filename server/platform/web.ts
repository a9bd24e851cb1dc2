import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '#server/platform/app-error.ts';
import { sendFailure } from '#server/platform/failures.ts';

/** Where the build puts the web application; its hashed files are below `assets/`. */
const WEB_FOLDER = join(import.meta.dirname, '..', '..', 'dist', 'web');

const FOR_EVER = 'public, max-age=31536000, immutable';
/** The icon and what else has one name for good. */
const FOR_A_WEEK = 'public, max-age=604800';

/** What the build writes wherever a nonce belongs (vite.config.ts). */
const NONCE_PLACEHOLDER = '__NONCE__';

/**
 * Serves the web application: hashed files for ever, and for every other GET outside the API the page itself,
 * which shows the login screen where it knows no better (decisions, 'The wire'). It serves the build that it found at
 * its start, page and files alike: whoever builds again starts it again, as a deploy does.
 */
export async function serveWeb(server: FastifyInstance): Promise<void> {
  const page = await readPage();
  if (page === undefined) server.log.warn('the web application has not been built: only the API is served');
  else {
    await server.register(fastifyStatic, {
      root: WEB_FOLDER,
      index: false,
      wildcard: false,
      preCompressed: true,
      globIgnore: ['**/index.html', '**/*.br', '**/*.gz'],
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.includes('/assets/') ? FOR_EVER : FOR_A_WEEK);
      },
    });
    // Some browsers ask for it whatever the page says.
    server.get('/favicon.ico', (_request, reply) =>
      reply.header('cache-control', FOR_A_WEEK).redirect('/icon.svg', 301),
    );
  }
  server.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' || request.method === 'HEAD';
    if (page === undefined || !wantsPage || /^\/api(\/|$)/.test(pathOf(request.url)))
      return sendFailure(reply, new AppError('NOT_FOUND'));
    return sendPage(reply, page);
  });
}

async function readPage(): Promise<string | undefined> {
  const path = join(WEB_FOLDER, 'index.html');
  return existsSync(path) ? readFile(path, 'utf8') : undefined;
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(page.replaceAll(NONCE_PLACEHOLDER, reply.cspNonce.style));
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}
