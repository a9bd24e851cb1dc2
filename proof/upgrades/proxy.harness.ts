import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http';
import { onceAtFileEnd } from '#testing/file-end.ts';
import { listenOnFreePort } from '#testing/servers/listening.ts';
import { until } from '#testing/until.ts';

/** A plain proxy: it polls each server's readiness, balances requests over the ready ones, and never retries. */

const LOOK_EVERY_MS = 100;
const LOOK_WITHIN_MS = 2_000;

export interface TestProxy {
  readonly address: string;
  /** Waits until the proxy has noticed that the server is ready. */
  ready(port: number): Promise<void>;
}

class Upstream {
  ready = false;
  readonly port: number;
  readonly agent = new Agent({ keepAlive: true });
  readonly #timer: NodeJS.Timeout;

  constructor(port: number) {
    this.port = port;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  #look(): void {
    const asked = request({ port: this.port, path: '/readyz', agent: false, timeout: LOOK_WITHIN_MS }, (response) => {
      this.ready = response.statusCode === 200;
      response.resume();
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => {
      this.ready = false;
    });
    asked.end();
  }

  close(): void {
    clearInterval(this.#timer);
    this.agent.destroy();
  }
}

/** Starts a proxy in front of the servers on these ports; it ends after the file's tests. */
export async function startProxy(ports: readonly number[]): Promise<TestProxy> {
  const upstreams = ports.map((port) => new Upstream(port));
  let turn = 0;
  const server = createServer((incoming, answer) => {
    const ready = upstreams.filter((upstream) => upstream.ready);
    turn += 1;
    const upstream = ready[turn % ready.length];
    if (upstream === undefined) answer.writeHead(502, { 'x-proxy': 'nobody is ready' }).end();
    else forward(upstream, incoming, answer);
  });
  onceAtFileEnd(() => {
    server.closeAllConnections();
    server.close();
    for (const upstream of upstreams) upstream.close();
  });
  return {
    address: `http://127.0.0.1:${await listenOnFreePort(server)}`,
    ready: (port) => until(async () => upstreams.find((upstream) => upstream.port === port)?.ready === true),
  };
}

function forward({ port, agent }: Upstream, incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, url, headers } = incoming;
  const outgoing = request({ port, agent, method, path: url, headers: withoutConnection(headers) }, (response) => {
    answer.writeHead(response.statusCode ?? 502, withoutConnection(response.headers));
    response.on('error', () => answer.destroy());
    response.pipe(answer);
  });
  outgoing.on('error', ({ message }) => {
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502, { 'x-proxy': message.replaceAll(/[^\x20-\x7e]/g, ' ') }).end();
  });
  incoming.pipe(outgoing);
}

/** Removes headers that belong to one connection and must not be passed on to the next. */
function withoutConnection(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => name !== 'connection' && name !== 'keep-alive');
  return Object.fromEntries(kept);
}
