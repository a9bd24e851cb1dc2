import type { FastifyInstance, FastifyRequest } from 'fastify';
import { API_ROOT } from '#contract/endpoint.ts';
import { AppError } from '#server/calls/app-error.ts';
import { isFromThisMachine } from '#server/machine/this-machine.ts';
import type { Platform } from '#server/platform/platform.ts';
import { type ListedMessage, messagesPage } from './messages.page.ts';
import { listMessages } from './messages.queries.ts';

/**
 * All messages, for developers: JSON for programs and a page for people (docs/decisions/0041-left-open.md). Served only
 * to this machine; never in production, nor in a demonstration for others.
 */
export function developmentMessages(server: FastifyInstance, platform: Platform): void {
  server.get(`${API_ROOT}/dev/messages`, async (request, reply) => {
    refuseOthers(request);
    reply.header('cache-control', 'no-store');
    return readMessages(platform);
  });
  server.get('/dev/messages', async (request, reply) => {
    refuseOthers(request);
    // Reloads every two seconds.
    reply.type('text/html; charset=utf-8').headers({ 'cache-control': 'no-store', refresh: '2' });
    return messagesPage(await readMessages(platform));
  });
}

function refuseOthers(request: FastifyRequest): void {
  if (!isFromThisMachine(request)) throw new AppError('NOT_FOUND');
}

async function readMessages({ db, sealer }: Platform): Promise<readonly ListedMessage[]> {
  const rows = await listMessages(db);
  return rows.map(({ recipient, channel, subject, body, createdAt }) => ({
    to: recipient,
    channel,
    subject,
    body: body === null ? '' : readable(() => sealer.unseal(body)),
    createdAt: createdAt.toISOString(),
  }));
}

/** The data folder's secret may be newer than the database, so some messages may be unreadable. */
function readable(unseal: () => string): string {
  try {
    return unseal();
  } catch {
    return '(sealed with another secret)';
  }
}
