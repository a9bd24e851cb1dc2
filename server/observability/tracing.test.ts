import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { buildPerson, TEST_PASSWORD } from '#testing/builders.ts';
import { Gathering } from '#testing/gathering.ts';
import { remoteCaller, startServerProcess } from '#testing/servers/server-process.ts';
import { appOfFile } from '#testing/test-app.ts';

/** The traces that a collector gets from a server with and without OpenTelemetry's standard settings. */

const attribute = z.object({
  key: z.string(),
  value: z.object({ stringValue: z.string().optional(), intValue: z.coerce.string().optional() }),
});
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  attributes: z.array(attribute),
});
const posted = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});
type Span = z.output<typeof span>;

/** A collector that accepts OTLP over HTTP. */
async function startCollector() {
  const received = new Gathering<{ readonly type: string; readonly path: string; readonly body: Buffer }>();
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    void buffer(request).then((body) => {
      received.add({ path, type: headers['content-type'] ?? '', body });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return { received, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const attributesOf = ({ attributes }: { readonly attributes: Span['attributes'] }) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

const app = appOfFile();
let collector: Awaited<ReturnType<typeof startCollector>>;
beforeAll(async () => {
  collector = await startCollector();
});
afterAll(async () => {
  collector.close();
});

describe('with OpenTelemetry’s settings', () => {
  it('a request is a span with its route and status, its statements are spans in it, and neither contains personal data', async () => {
    const { username } = await buildPerson(app, { perms: ['KSTAF'] });
    const server = await startServerProcess(app.database, {
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      },
    });
    const caller = remoteCaller(() => server.address);
    const parent = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
    await caller.post('/users/login', { username, password: TEST_PASSWORD });
    const search = { searchPhrase: 'Amina', page: 1, size: 10 };
    const listed = await caller.post('/persons', search, { traceparent: `00-${parent.trace}-${parent.span}-01` });
    expect(listed.status).toBe(200);
    expect((await caller.get(`/invoices/${randomUUID()}`)).status).toBe(404);
    await fetch(`${server.address}/readyz`);
    expect(await server.stop()).toBe(0); // the server sends the remaining spans when it stops

    const bodies = collector.received.all.map(({ path, type, body }) => {
      expect([path, type]).toEqual(['/v1/traces', 'application/json']);
      return body.toString();
    });
    const resources = bodies.flatMap((body) => posted.parse(JSON.parse(body)).resourceSpans);
    const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    expect(attributesOf(resources[0]?.resource ?? { attributes: [] })).toMatchObject({
      'service.name': 'kasente',
      'service.version': expect.stringMatching(/^\d/),
      'deployment.environment.name': 'test',
    });

    const requests = spans.filter(({ kind }) => kind === 2);
    expect(requests.map(({ name }) => name)).toEqual([
      'POST /api/v1/users/login',
      'POST /api/v1/persons',
      'GET /api/v1/invoices/:tag',
    ]);
    const [, list] = requests;
    expect(list).toMatchObject({ traceId: parent.trace, parentSpanId: parent.span });
    expect(list && attributesOf(list)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/persons',
      'http.response.status_code': '200',
      'kasente.request_id': expect.stringMatching(/^[\da-f-]{36}$/),
    });
    for (const request of requests) {
      const statements = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
      expect(statements.length).toBeGreaterThan(0);
      for (const statement of statements) {
        expect(Object.keys(attributesOf(statement)).sort()).toEqual([
          'db.operation.name',
          'db.query.text',
          'db.system.name',
        ]);
      }
    }
    expect(spans.some((one) => attributesOf(one)['db.query.text']?.includes('from "persons"'))).toBe(true);
    for (const secret of [username, TEST_PASSWORD, 'Amina', '127.0.0.1']) expect(bodies.join()).not.toContain(secret);
    // Statements of jobs, several a second, don't start traces of their own.
    expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ kind }) => kind)).toEqual([2, 2]);
  });

  it('traces are protobuf by default', async () => {
    const before = collector.received.all.length;
    const server = await startServerProcess(app.database, {
      env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/elsewhere`, OTEL_SERVICE_NAME: 'kasente-two' },
    });
    await fetch(`${server.address}/api/v1/sectors`);
    await server.stop();
    const [sent] = collector.received.all.slice(before);
    expect(sent).toMatchObject({ path: '/elsewhere', type: 'application/x-protobuf' });
    expect(sent?.body.includes('GET /api/v1/sectors') && sent.body.includes('kasente-two')).toBe(true);
  });

  it('an unreachable collector is logged and delays nothing', async () => {
    const server = await startServerProcess(app.database, {
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
        OTEL_EXPORTER_OTLP_TIMEOUT: '300',
        OTEL_BSP_SCHEDULE_DELAY: '50',
      },
    });
    expect((await fetch(`${server.address}/api/v1/sectors`)).status).toBe(200);
    const told = () => server.output().match(/"msg":"traces are not sent"/g);
    await vi.waitFor(() => expect(told()).toHaveLength(1), { timeout: 100_000 });
    expect((await fetch(`${server.address}/api/v1/sectors`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(told()).toHaveLength(1);
  });
});

describe('the OpenTelemetry modules that are loaded', () => {
  // When it ends, it prints the number of loaded CommonJS modules, which includes all of OpenTelemetry's. The library
  // of /metrics already loads OpenTelemetry's interface.
  const listing = `import { createRequire } from 'node:module'; const { cache } = createRequire('${import.meta.url}');
    process.on('exit', () => console.log('loaded: ' + Object.keys(cache).filter((path) => /@opentelemetry.(?!api.)/.test(path)).length));`;
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(listing)}`];

  it.each([
    ['nothing, without its settings', {}, false],
    ['nothing, where they are switched off', { OTEL_SDK_DISABLED: 'true' }, false],
    ['its library, with them', { OTEL_TRACES_EXPORTER: 'otlp' }, true],
  ])('%s', async (_, env: Record<string, string>, isLoaded) => {
    const endpoint: Record<string, string> =
      Object.keys(env).length === 0 ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const server = await startServerProcess(app.database, { env: { ...endpoint, ...env }, nodeArgs });
    await fetch(`${server.address}/api/v1/sectors`);
    await server.stop();
    const loaded = /loaded: (\d+)/.exec(server.output())?.[1];
    expect(Number(loaded) > 0).toBe(isLoaded);
  });
});
