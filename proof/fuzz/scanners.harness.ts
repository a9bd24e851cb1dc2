import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { listenOnFreePort } from '#testing/servers/listening.ts';

/** Runs Debian's sqlmap and wapiti against a local server. */

/** A request that a scanner alters; sqlmap injects at `*` in a path. */
export interface ScannedRequest {
  readonly method: string;
  readonly path: string;
  readonly cookie: string;
  readonly body?: string;
}

/** sqlmap's results: one line for each injectable parameter. */
export function readSqlmapResults(csv: string): readonly string[] {
  return csv
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/,,,,/.test(line));
}

const wapitiReport = z.object({
  vulnerabilities: z.record(z.string(), z.array(z.object({ method: z.string(), path: z.string(), info: z.string() }))),
  anomalies: z.record(z.string(), z.array(z.object({ method: z.string(), path: z.string(), info: z.string() }))),
});

/**
 * Kasente sends 0, as OWASP's Secure Headers Project advises, because browsers dropped that filter. wapiti treats 0 as
 * absent.
 */
const OUTDATED = 'X-XSS-Protection is not set';

/** wapiti's findings: vulnerabilities and failed requests. Slow replies are another claim's subject. */
export function readWapitiReport(json: string): readonly string[] {
  const { vulnerabilities, anomalies } = wapitiReport.parse(JSON.parse(json));
  const failed = Object.entries(anomalies).filter(([kind]) => kind !== 'Resource consumption');
  return [...Object.entries(vulnerabilities), ...failed].flatMap(([kind, found]) =>
    found
      .filter(({ info }) => info !== OUTDATED)
      .map(({ method, path, info }) => `${kind}: ${method} ${path} (${info})`),
  );
}

/** Runs sqlmap on the requests; returns its results. */
export async function runSqlmap(port: number, requests: readonly ScannedRequest[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kasente-sqlmap-'));
  const separator = '='.repeat(54);
  const log = requests.map(({ method, path, cookie, body }) =>
    [
      separator,
      `12:00:00  http://127.0.0.1:${port}  [127.0.0.1]`,
      separator,
      `${method} ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      ...(cookie === '' ? [] : [`Cookie: ${cookie}`]),
      'X-Requested-With: fetch',
      ...(body === undefined ? [] : ['Content-Type: application/json']),
      '',
      body ?? '',
      separator,
      '',
    ].join('\r\n'),
  );
  await writeFile(join(folder, 'requests.log'), log.join('\r\n'));
  const flags = [
    '--batch',
    '--flush-session',
    '--ignore-stdin',
    '--disable-coloring',
    '--technique=BEUS',
    '--threads=2',
    '--timeout=30',
  ];
  await run('sqlmap', ['-l', join(folder, 'requests.log'), `--output-dir=${folder}`, '--ignore-code=*', ...flags]);
  const results = (await readdir(folder)).filter((name) => /^results-.*\.csv$/.test(name));
  const found = await Promise.all(results.map((name) => readFile(join(folder, name), 'utf8')));
  await rm(folder, { recursive: true });
  return found.flatMap(readSqlmapResults);
}

const MODULES = 'sql,blindsql,xss,permanentxss,exec,file,crlf,redirect,csp,cookieflags,http_headers';

/** Runs wapiti on the pages and those that they link to; returns its findings. */
export async function runWapiti(port: number, cookie: string, paths: readonly string[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kasente-wapiti-'));
  const base = `http://127.0.0.1:${port}`;
  const report = join(folder, 'report.json');
  const starts = paths.flatMap((path) => ['-s', `${base}${path}`]);
  const kept = ['--store-session', folder, '--store-config', folder, '--flush-session', '--no-bugreport'];
  const session = cookie === '' ? [] : ['-H', `Cookie: ${cookie}`];
  const output = ['-v', '0', '-f', 'json', '-o', report];
  await run('wapiti', ['-u', `${base}/`, ...starts, ...session, ...kept, '-m', MODULES, ...output]);
  const found = readWapitiReport(await readFile(report, 'utf8'));
  await rm(folder, { recursive: true });
  return found;
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const scanner = spawn(program, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    scanner.once('error', () => reject(new Error(`${program} is not installed: apt-get install sqlmap wapiti`)));
    scanner.once('close', resolve);
  });
  const [output, errors, code] = await Promise.all([text(scanner.stdout), text(scanner.stderr), ended]);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${output.slice(-2000)}${errors.slice(-2000)}`);
}

/** A server with two holes: an unescaped number in SQL, and an unescaped name in a page. */
export async function serveHoles(query: (statement: string) => Promise<readonly object[]>) {
  const server = createServer((request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    reply.setHeader('content-type', 'text/html');
    if (pathname === '/sector') {
      query(`select name from sectors where id = ${searchParams.get('id')}`).then(
        (rows) => reply.end(`<p>${rows.map((row) => JSON.stringify(row)).join()}</p>`),
        (error: unknown) => reply.writeHead(500).end(`Warning: PostgreSQL query failed: ${String(error)}`),
      );
      return;
    }
    const name = searchParams.get('name') ?? 'you';
    reply.end(`<p>Hello ${name}</p><a href="/sector?id=1">a sector</a> <a href="/hello?name=x">hello</a>`);
  });
  return { port: await listenOnFreePort(server), close: () => server.close() };
}
