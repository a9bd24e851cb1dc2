import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { failures } from '#contract/errors.ts';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { appOfFile, type TestApp } from '#testing/test-app.ts';
import { type FuzzRequest, requestOf } from './fuzz-requests.ts';
import { rawRequestOf, sendRaw } from './fuzz-sockets.harness.ts';
import { naughtyStrings } from './fuzz-values.ts';
import { FuzzWorld, faultOf, type Role } from './fuzz-world.harness.ts';
import { type OpenApi, type Operation, operationsOf } from './openapi-operations.ts';

/** Requests from the OpenAPI document, sent as a visitor, a client, an officer and an administrator. */

const MADE = Number(process.env.FUZZ_REQUESTS ?? rounds(200, 98_000));
const RAW = rounds(40, 2000);
const AT_ONCE = 8;
const A_CHUNK = 400;
/** A new seed each time finds more; a failure names it. */
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

const app = appOfFile();
let world: FuzzWorld;
let operations: readonly Operation[];
let document: OpenApi;
beforeAll(async () => {
  plant(app);
  world = await FuzzWorld.create(app);
  document = (await app.server.inject('/api/v1/openapi.json')).json();
  operations = operationsOf(document);
});

interface Hunt {
  readonly faults: readonly string[];
  readonly answers: ReadonlyMap<number, number>;
  readonly reached: ReadonlySet<string>;
}

/** Sends this many requests in random roles; returns what was wrong with the replies. */
async function hunt(among: readonly Operation[], as: readonly Role[], count: number): Promise<Hunt> {
  const faults = new Map<string, string>();
  const answers = new Map<number, number>();
  const reached = new Set<string>();
  const arbitrary = fc.record({
    role: fc.constantFrom(...as),
    request: fc.oneof(...among.map((operation) => requestOf(operation, world.known))),
  });
  const look = async ({ role, request }: { role: Role; request: FuzzRequest }): Promise<void> => {
    const answer = await world.send(role, request);
    answers.set(answer.statusCode, (answers.get(answer.statusCode) ?? 0) + 1);
    if (answer.statusCode === 200) reached.add(request.operation.name);
    const fault = faultOf(request, answer);
    if (fault !== undefined)
      faults.set(`${request.operation.name} ${fault.slice(0, 60)}`, described(role, request, fault));
  };
  for (let sent = 0; sent < count; sent += A_CHUNK) {
    const chunk = fc.sample(arbitrary, { numRuns: Math.min(A_CHUNK, count - sent), seed: seed + sent });
    while (chunk.length > 0) await Promise.all(chunk.splice(0, AT_ONCE).map(look));
  }
  return { faults: [...faults.values()], answers, reached };
}

function described(role: Role, { operation, url, headers, payload }: FuzzRequest, fault: string): string {
  return `as ${role}, seed ${seed}: ${operation.method} ${url.slice(0, 300)} ${JSON.stringify(headers)} ${JSON.stringify(String(payload)).slice(0, 500)}: ${fault}`;
}

/** Adds faulty routes, which the document does not name. */
function plant({ server }: TestApp): void {
  server.post('/api/v1/planted/throws', async (request) => {
    if (typeof request.body === 'object' && request.body !== null && Object.keys(request.body).length > 0)
      throw new TypeError('planted');
    return { success: true };
  });
  server.post('/api/v1/planted/leaks', async () => ({ success: true, password_hash: 'planted' }));
  server.post('/api/v1/planted/fails', async (_, reply) =>
    reply.code(400).send({ success: false, msg: 'planted', code: 'BAD_REQUEST' }),
  );
  server.post('/api/v1/planted/adds', async (_, reply) =>
    reply.code(429).send({ success: false, msg: `${failures.CODE_LIMIT.msg}. planted`, code: 'CODE_LIMIT' }),
  );
}

describe('the canary', () => {
  it('finds a route that throws, one with an extra key, and failures with a wrong or an extended text', async () => {
    const { path, described: like } = { path: '/api/v1/users/logout', described: 'post' };
    const wrong = ['throws', 'leaks', 'fails', 'adds'].map((name) => `/api/v1/planted/${name}`);
    const call = document.paths[path]?.[like];
    if (call === undefined) throw new Error(`${path} is not described`);
    const planted = operationsOf({
      ...document,
      paths: Object.fromEntries(wrong.map((each) => [each, { post: call }])),
    });
    const { faults } = await hunt(planted, ['visitor'], 300);
    const found = (name: string, text: string) =>
      faults.some((fault) => fault.includes(`planted/${name}`) && fault.includes(text));
    expect([
      found('throws', 'answered 500'),
      found('leaks', 'additional properties'),
      found('fails', 'BAD_REQUEST: planted'),
      found('adds', 'CODE_LIMIT: '),
    ]).toEqual([true, true, true, true]);
    canaryFound(
      'fuzz',
      'a route that throws, one that answers a key too many, and failures in other words or with words of their own were found',
    );
  });

  it('finds a changed foreign row, and a changed administrator', async () => {
    const [rows, administrators] = [await world.foreignRows(), await world.administrators()];
    const { db } = app.platform;
    await db
      .updateTable('persons')
      .set({ first_name: 'Planted' })
      .where(sql<boolean>`permissions @> array['KADMIN']`)
      .execute();
    expect([(await world.foreignRows()) === rows, (await world.administrators()) === administrators]).toEqual([
      false,
      false,
    ]);
    canaryFound('fuzz', 'a changed row of somebody else’s was found');
  });
});

describe('requests made from the OpenAPI document', () => {
  it('are answered as documented, below 500, and change no foreign row', async () => {
    const before = await world.foreignRows();
    const outside = await hunt(operations, ['visitor', 'client'], Math.ceil(MADE / 2));
    expect(outside.faults).toEqual([]);
    expect(await world.foreignRows()).toBe(before);
    expect(await world.clientsPermissions()).toEqual(['BIDA Active']);
    const administrators = await world.administrators();
    const staff = await hunt(operations, ['staff'], Math.ceil(MADE / 4));
    expect(staff.faults).toEqual([]);
    expect(await world.administrators()).toBe(administrators);
    const admin = await hunt(operations, ['admin'], Math.floor(MADE / 4));
    expect(admin.faults).toEqual([]);
    const port = Number(new URL(await app.server.listen({ host: '127.0.0.1', port: 0 })).port);
    const raw = fc.sample(rawRequestOf(operations), { numRuns: RAW, seed });
    const odd = await oddAnswers(port, raw);
    expect(odd).toEqual([]);
    expect((await app.server.inject('/livez')).statusCode).toBe(200);
    const answers = [outside, staff, admin].flatMap((each) => [...each.answers]);
    const sent = answers.reduce((sum, [, count]) => sum + count, raw.length);
    const wellAnswered = answers.filter(([status]) => status === 200).reduce((sum, [, count]) => sum + count, 0);
    const reached = new Set([outside, staff, admin].flatMap((each) => [...each.reached])).size;
    expect(wellAnswered).toBeGreaterThan(MADE / 20);
    proved(
      'fuzz',
      `${sent} requests over ${operations.length} ways to call with ${naughtyStrings.length} naughty strings among them (${wellAnswered} answered 200, ${reached} ways reached so; ${raw.length} as raw bytes): 0 answers of 500 or more, 0 off the schema, 0 foreign rows changed`,
    );
  });
});

/** The raw requests whose answer has a status of 500 or more, or leaks internals. */
async function oddAnswers(port: number, requests: readonly Parameters<typeof sendRaw>[1][]): Promise<string[]> {
  const odd: string[] = [];
  for (const request of requests) {
    const { status, text } = await sendRaw(port, request);
    if (status >= 500 || /node_modules|\bat \w+ \(|root:x:0|SECRET_KEY/.test(text))
      odd.push(`${request.head.slice(0, 300)}: ${text.slice(0, 300)}`);
  }
  return odd;
}
