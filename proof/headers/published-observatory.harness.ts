import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { listenOnFreePort } from '#testing/servers/listening.ts';
import { testCertificate } from '#testing/servers/test-certificate.ts';
import type { TestApp } from '#testing/test-app.ts';

/**
 * HTTP Observatory's published scanner. It has 197 packages and 132 MB with its dependencies, so it is installed into a temporary
 * folder, without its install scripts, which would fetch lists of other sites.
 */

const SCANNER = '@mdn/mdn-http-observatory';
const VERSION = '1.4.8';
const LOG_IN_FIRST = '/log-in-first?';

const published = z.object({
  scan: z.object({ score: z.int() }),
  tests: z.record(z.string(), z.object({ result: z.string(), scoreModifier: z.int() })),
});

interface Way {
  readonly path: string;
  readonly as: 'visitor' | 'client';
}

/** The published scanner's result for each path, over trusted TLS; as a client with a session. */
export async function scanWithPublishedObservatory(app: TestApp, sessionCookie: string, ways: readonly Way[]) {
  const folder = await mkdtemp(join(tmpdir(), 'kasente-observatory-'));
  await install(folder);
  const front = createServer(testCertificate, (request, reply) => void pass(app, sessionCookie, request, reply));
  const port = await listenOnFreePort(front);
  const found: { score: number; tests: z.output<typeof published>['tests'] }[] = [];
  for (const { path, as } of ways) {
    const target = `localhost:${port}${as === 'client' ? `${LOG_IN_FIRST}${path}` : path}`;
    const { scan, tests } = published.parse(JSON.parse(await run(folder, target)));
    found.push({ score: scan.score, tests });
  }
  front.closeAllConnections();
  front.close();
  await rm(folder, { recursive: true });
  return found;
}

async function install(folder: string): Promise<void> {
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  const { status } = spawnSync('npm', ['install', ...flags, `${SCANNER}@${VERSION}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${SCANNER} could not be installed: check the network, then prove again`);
  await writeFile(join(folder, 'node_modules', SCANNER, 'conf/hsts-preload.json'), '{}');
  await writeFile(join(folder, 'authority.pem'), testCertificate.cert);
}

async function run(folder: string, target: string): Promise<string> {
  const scanner = spawn(process.execPath, [join(folder, 'node_modules', SCANNER, 'src/scan.js'), target], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return text(scanner.stdout);
}

/** The TLS front of Kasente; a special path gives a visitor a client's session, as a login would. */
async function pass(app: TestApp, sessionCookie: string, request: IncomingMessage, reply: ServerResponse) {
  const url = request.url ?? '/';
  if (url.startsWith(LOG_IN_FIRST)) {
    const cookie = `${sessionCookie}; Path=/; HttpOnly; Secure; SameSite=Strict`;
    reply.writeHead(302, { location: url.slice(LOG_IN_FIRST.length), 'set-cookie': cookie }).end();
    return;
  }
  const { cookie } = request.headers;
  const method = request.method === 'OPTIONS' ? 'OPTIONS' : 'GET';
  const answer = await app.server.inject({ method, url, headers: cookie === undefined ? {} : { cookie } });
  reply.writeHead(answer.statusCode, answer.headers).end(answer.rawPayload);
}
