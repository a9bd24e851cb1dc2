import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from '#server/config/config.ts';
import { describeProxy } from '#server/installation/in-force.ts';
import type { Seen } from './doctor-checks.ts';

/**
 * Calls PUBLIC_URL while no server runs, and receives the call itself: checks that the proxy leads here, which headers
 * it sends, and that TRUST_PROXY matches them.
 */

const WITHIN_MS = 5_000;
/** A proxy with health checks forwards nothing until a few calls of `/readyz` have succeeded. */
const NOTICED_WITHIN_MS = 15_000;
const ASK_AGAIN_MS = 500;

/** The call that arrived through the public address. */
interface Arrived {
  readonly from: string;
  readonly forwardedFor: string | undefined;
  readonly protocol: string | undefined;
}

export async function lookAtProxy(config: Config): Promise<Seen> {
  const { publicUrl, port } = config;
  if (publicUrl === undefined)
    return { state: 'right', found: 'no PUBLIC_URL is set: people reach it where it listens' };
  const answer = await ask(`${publicUrl}/livez`);
  if (answer === 'answered 200')
    return { state: 'right', found: `${publicUrl} answers; what its proxy tells is tried while no server runs` };
  const server = createServer();
  const path = `/${randomBytes(16).toString('hex')}`;
  const arrivals: Arrived[] = [];
  server.on('request', (request, response) => {
    if (request.url === path) arrivals.push(arrivalOf(request));
    else if (request.url !== '/readyz') return void request.socket.destroy(); // somebody else's call
    response.writeHead(200, { connection: 'close' }).end();
  });
  try {
    server.listen(port, config.host);
    await once(server, 'listening');
  } catch {
    const todo = 'look at the proxy, its certificate and the name';
    return { state: 'wrong', found: `${publicUrl} does not answer (${answer}), though a server has the port`, todo };
  }
  try {
    const until = performance.now() + NOTICED_WITHIN_MS;
    let reason = await ask(`${publicUrl}${path}`);
    while (arrivals.length === 0 && performance.now() < until) {
      await wait(ASK_AGAIN_MS);
      reason = await ask(`${publicUrl}${path}`);
    }
    const [arrived] = arrivals;
    if (arrived !== undefined) return judge(config, arrived);
    const todo = `let the proxy at PUBLIC_URL pass on to ${config.host}:${port}, and look that the name leads to it`;
    return { state: 'wrong', found: `what is asked of ${publicUrl} does not arrive here (${reason})`, todo };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function arrivalOf({ socket, headers }: IncomingMessage): Arrived {
  const one = (value: string | string[] | undefined): string | undefined =>
    Array.isArray(value) ? value.join(',') : value;
  return {
    from: socket.remoteAddress ?? '',
    forwardedFor: one(headers['x-forwarded-for']),
    protocol: one(headers['x-forwarded-proto']),
  };
}

/** The answer's status, or the error. */
async function ask(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(WITHIN_MS) });
    await answer.body?.cancel();
    return `answered ${answer.status}`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : String(cause);
  }
}

function judge(config: Config, { from, forwardedFor, protocol }: Arrived): Seen {
  const set = `TRUST_PROXY is ${describeProxy(config)}`;
  const believed = believes(config, from);
  if (forwardedFor === undefined && config.trustProxy !== false) {
    const todo = 'take TRUST_PROXY away where nothing is in front; else let the proxy set X-Forwarded-For';
    return { state: 'wrong', found: `${set}, and what arrives has no X-Forwarded-For: anybody could bring one`, todo };
  }
  if (forwardedFor !== undefined && !believed) {
    const todo = `set TRUST_PROXY to the number of proxies in front, or to their addresses (${from})`;
    return {
      state: 'wrong',
      found: `${set}, and a proxy at ${from} is in front: everybody would count as one address`,
      todo,
    };
  }
  if (protocol !== undefined && config.publicUrl?.startsWith(`${protocol}:`) === false) {
    const todo = 'let the proxy say by which protocol it was asked';
    return { state: 'warning', found: `the proxy says ${protocol}, and PUBLIC_URL is ${config.publicUrl}`, todo };
  }
  const front = forwardedFor === undefined ? 'nothing in front changes it' : `the proxy at ${from} is believed`;
  return { state: 'right', found: `${config.publicUrl} leads here; ${front}` };
}

function believes({ trustProxy }: Config, from: string): boolean {
  if (typeof trustProxy === 'boolean') return trustProxy;
  const trusts =
    typeof trustProxy === 'string' ? proxyAddr.compile(trustProxy.split(',').map((part) => part.trim())) : trustProxy;
  return trusts(from, 0);
}
