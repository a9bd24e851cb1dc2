import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import { may } from '#contract/permissions.ts';
import { canaryFound, full, proved } from '#testing/evidence/record.ts';
import { appOfFile, type TestApp } from '#testing/test-app.ts';
import { valueFor } from './fuzz-values.ts';
import { FuzzWorld } from './fuzz-world.harness.ts';
import { type OpenApi, type Operation, operationsOf } from './openapi-operations.ts';
import {
  readSqlmapResults,
  readWapitiReport,
  runSqlmap,
  runWapiti,
  type ScannedRequest,
  serveHoles,
} from './scanners.harness.ts';

/** Two external scanners against a running server. `npm test` does not run them; it only reads sample reports. */

/** Calls that would end the scanner's session, and the file upload. */
const LEFT_OUT = ['logout', 'endSession', 'endOtherSessions', 'changePassword', 'deactivatePerson', 'uploadDocument'];

/** SCAN_ONLY selects some calls; all of them take a quarter of an hour. */
const chosen = new RegExp(process.env.SCAN_ONLY ?? '');

describe('reports', () => {
  it('of sqlmap: each injectable parameter', () => {
    const header = 'Target URL,Place,Parameter,Technique(s),Note(s)';
    const found = 'http://127.0.0.1:1/sector?id=1,GET,id,BEU,';
    expect(readSqlmapResults(`${header}\n${found}\nhttp://127.0.0.1:1/other?x=1,,,,\n`)).toEqual([found]);
    expect(readSqlmapResults(`${header}\n`)).toEqual([]);
  });

  it('of wapiti: each vulnerability and each failed request, but no slow answer', () => {
    const one = { method: 'GET', path: '/hello', info: 'XSS', level: 2, parameter: 'name' };
    const report = {
      vulnerabilities: { 'Cross Site Scripting': [one], 'SQL Injection': [] },
      anomalies: { 'Internal Server Error': [one], 'Resource consumption': [one] },
    };
    expect(readWapitiReport(JSON.stringify(report))).toEqual([
      'Cross Site Scripting: GET /hello (XSS)',
      'Internal Server Error: GET /hello (XSS)',
    ]);
    expect(() => readWapitiReport('{}')).toThrow();
  });
});

describe.runIf(full)('a running server', () => {
  const app = appOfFile({ PUBLIC_URL: 'https://localhost' });
  let world: FuzzWorld;
  beforeAll(async () => {
    world = await FuzzWorld.create(app);
  });

  it('has its planted holes found by each scanner (canary)', async () => {
    const query = async (statement: string) => (await sql<object>`${sql.raw(statement)}`.execute(app.platform.db)).rows;
    const toy = await serveHoles(query);
    const injections = await runSqlmap(toy.port, [{ method: 'GET', path: '/sector?id=1', cookie: '' }]);
    expect(injections.join()).toMatch(/\/sector\?id=1,GET,id,/);
    const holes = (await runWapiti(toy.port, '', [])).join('; ');
    expect(holes).toMatch(/Cross Site Scripting: GET \/hello/);
    expect(holes).toMatch(/SQL Injection: GET \/sector/);
    toy.close();
    canaryFound('scanners', 'sqlmap found the planted injection; wapiti found it and the planted script');
  });

  it('has no hole that sqlmap or wapiti finds', async () => {
    const document: OpenApi = (await app.server.inject('/api/v1/openapi.json')).json();
    const operations = operationsOf(document).filter(
      ({ name }) => chosen.test(name) && !LEFT_OUT.includes(name.split('_')[0] ?? ''),
    );
    const port = Number(new URL(await app.server.listen({ host: '127.0.0.1', port: 0 })).port);
    const requests = (await Promise.all(operations.map((operation) => scanned(world, operation)))).flat();
    const before = await answered(app);
    expect(await runSqlmap(port, requests)).toEqual([]);
    const bySqlmap = (await answered(app)) - before;
    // A scanner that sends no requests finds nothing, so each request must have been altered many times.
    expect(bySqlmap).toBeGreaterThan(10 * requests.length);
    const reads = requests.filter(({ method }) => method === 'GET');
    for (const cookie of new Set(reads.map((request) => request.cookie))) {
      const paths = reads.filter((request) => request.cookie === cookie).map(({ path }) => path.replace('*', ''));
      const withQuery = paths.map((path) => (path.includes('?') ? path : `${path}?page=1`));
      expect(await runWapiti(port, cookie, ['/login?next=x', '/home?search=x', ...withQuery])).toEqual([]);
    }
    const byWapiti = (await answered(app)) - before - bySqlmap;
    expect(byWapiti).toBeGreaterThan(10 * reads.length);
    expect((await app.server.inject('/livez')).statusCode).toBe(200);
    proved(
      'scanners',
      `sqlmap sent ${bySqlmap} requests made of ${requests.length} over ${operations.length} ways to call, wapiti ${byWapiti} made of ${reads.length}: nothing found`,
    );
  });
});

/** The number of requests answered so far. */
async function answered(app: TestApp): Promise<number> {
  const { body } = await app.server.inject('/metrics');
  const counts = [...body.matchAll(/^http_request_duration_seconds_count\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** The requests for an operation, sent by a permitted person: one with an alterable path, one with query and body. */
async function scanned(world: FuzzWorld, operation: Operation): Promise<readonly ScannedRequest[]> {
  const cookie = await cookieFor(world, operation);
  const example = (schema: Parameters<typeof valueFor>[0], name: string): unknown =>
    fc.sample(valueFor(schema, world.known, name, operation.path), { numRuns: 1, seed: 1 })[0];
  const fill = (marker: string) =>
    operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .reduce(
        (path, { name, schema }) => path.replace(`{${name}}`, `${String(example(schema, name))}${marker}`),
        operation.path,
      );
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(example(schema, name)))}`);
  const asked = query.length === 0 ? '' : `?${query.join('&')}`;
  const schema = operation.bodies.get('application/json');
  const body = schema === undefined ? {} : { body: JSON.stringify(example(schema, '') ?? {}) };
  const { method } = operation;
  return [
    ...(operation.path.includes('{') ? [{ method, path: fill('*'), cookie, ...body }] : []),
    ...(asked === '' && schema === undefined ? [] : [{ method, path: `${fill('')}${asked}`, cookie, ...body }]),
  ];
}

function cookieFor(world: FuzzWorld, { name }: Operation): Promise<string> {
  const calls: Readonly<Record<string, Endpoint>> = endpoints;
  const needs = calls[name.split('_')[0] ?? '']?.needs ?? 'public';
  if (needs === 'public') return Promise.resolve('');
  const isClients = needs === 'session' || may({ tag: '', perms: ['BIDA'] }, needs);
  return world.session(isClients ? 'client' : 'admin');
}
