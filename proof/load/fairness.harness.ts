import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { onTestFinished } from 'vitest';
import { MAXIMUM_FILE_BYTES } from '#contract/documents/schema.ts';
import type { PlantedFault } from '#proof/planted/planted.ts';
import { buildClient, type Client, rowOf, saveApplication, saveInvoice } from '#server/invoices/invoices.harness.ts';
import { newToken } from '#server/secrets/tokens.ts';
import { buildReadyInvoice, buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { succeed } from '#testing/case-builders.ts';
import { samplePdf, samplePng } from '#testing/sample-files.ts';
import { remoteCaller, type ServerProcess } from '#testing/servers/server-process.ts';
import type { TestApp } from '#testing/test-app.ts';
import { encodeForm, filePart, upload as uploadAs, uploadFields } from '#testing/uploads.ts';
import { begun, partOf, pdfOfSize } from '#testing/uploads-in-parts.ts';
import {
  atRate,
  byStatus,
  inTurns,
  LoadClient,
  type Outcome,
  type PreparedRequest,
  percentile,
  prepare,
  prepareBytes,
  roundRobin,
} from './load.harness.ts';
import { asking, busyServer, calls, cookiesOf } from './overload.harness.ts';

/** One account or one address floods a server, while other people's calls are measured. */

const HUNG_AFTER_MS = 30_000;
/** About fifteen people at work during the flood. */
const OTHER_CALLS_A_SECOND = 40;
/** Other people's occasional calls of the same kind as the flood. */
const SAME_CALLS_A_SECOND = 2;
/** Honest people at the flood's own address: people and proxies wait for up to a minute. */
const BESIDE = { callsASecond: 0.5, waitMs: 60_000 } as const;
const INVOICES = 100;
const LARGE_PIXELS = 7_000;
/** The flooder's address; others come from 127.0.0.1 to 127.0.0.4. */
const FLOOD_ADDRESS = '127.0.0.9';

/** A server, the account that floods it, and others who make the same calls at a normal rate. */
export interface Place {
  readonly server: ServerProcess;
  readonly next: () => PreparedRequest;
  readonly flooder: Account;
  readonly others: readonly Account[];
  /** The headers of an officer's calls. */
  readonly officer: Record<string, string>;
}

/** A client with a submitted application, and a draft with a document and an unfinished upload. */
interface Account extends Client {
  readonly submitted: string;
  readonly draft: string;
  readonly document: string;
  readonly begun: string;
}

/** A kind of flood. */
export interface Flood {
  /** The flooder repeats a call from this many connections. */
  readonly connections: number;
  readonly call: (flooder: Account, place: Place) => PreparedRequest;
  /** The planted fault that lets others notice the flood. */
  readonly planted: PlantedFault;
  /** How often the flooder's application is saved before it is submitted; each save is an event in its evidence. */
  readonly saves?: number;
  /** The same kind of call, as other people make it; absent if only the flooder makes it. */
  readonly likewise?: (other: Account) => PreparedRequest;
  /**
   * What honest people at the flood's own address call meanwhile. They get a reply, late or with the time to try again.
   */
  readonly beside?: (other: Account) => PreparedRequest;
}

const letter = (account: Account) =>
  prepare('letter', `GET /api/v1/applications/${account.submitted}/key_facts.pdf`, cookiesOf(account));

function list(account: Account) {
  const body = { page: 1, size: 100, businessTag: account.business.tag };
  return prepare('list', 'POST /api/v1/invoices/paged', cookiesOf(account), body);
}

function login(username: string, password: string) {
  return prepare('login', 'POST /api/v1/users/login', { 'x-requested-with': 'fetch' }, { username, password });
}

function upload(account: Account, picture: Buffer): PreparedRequest {
  const form = encodeForm([
    ...uploadFields({ invoiceTag: account.draft, typeId: 1 }),
    filePart(picture, 'photo.png', 'image/png'),
  ]);
  const headers = { ...cookiesOf(account), ...form.headers };
  return prepareBytes('upload', 'POST /api/v1/files/upload', headers, form.payload);
}

const view = (account: Account) => prepare('view', `GET /api/v1/files/view/${account.document}`, cookiesOf(account));

/** A part that was sent before: the server reads it, and nothing changes. */
function part(account: Account): PreparedRequest {
  const headers = { ...cookiesOf(account), 'content-type': 'application/octet-stream' };
  return prepareBytes('part', `PUT /api/v1/files/uploads/${account.begun}/parts/0`, headers, firstPart);
}

const largeDocument = pdfOfSize(MAXIMUM_FILE_BYTES);
const firstPart = partOf(largeDocument, 0);

const largePicture = await sharp({
  create: { width: LARGE_PIXELS, height: LARGE_PIXELS, channels: 3, background: '#7aa' },
})
  .png()
  .toBuffer();

const UNFAIR = { planted: 'unfair-turns' } as const;

export const floods = {
  'letters of one client': { ...UNFAIR, connections: 40, call: letter, likewise: letter },
  'evidence after 1,500 saves': {
    connections: 4,
    planted: 'letters-hold-the-server',
    saves: 1_500,
    call: ({ submitted }, { officer }) =>
      prepare('evidence', `GET /api/v1/desk/cases/${submitted}/evidence.pdf`, officer),
  },
  'lists of one client': { ...UNFAIR, connections: 150, call: list, likewise: list },
  'large pictures of one client': {
    ...UNFAIR,
    connections: 44,
    call: (flooder) => upload(flooder, largePicture),
    likewise: (other) => upload(other, samplePng()),
  },
  'large documents opened by one client': { ...UNFAIR, connections: 40, call: view, likewise: view },
  'parts of uploads by one client': {
    ...UNFAIR,
    // The number that may wait. A refused call sends its part anyway, which loads this process as much as the server.
    connections: 100,
    call: part,
    likewise: part,
  },
  'wrong logins from one address': {
    ...UNFAIR,
    connections: 150,
    call: () => login(`07${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`, 'Not-the-password-1'),
    likewise: ({ person }) => login(person.username, TEST_PASSWORD),
    beside: ({ person }) => login(person.username, TEST_PASSWORD),
  },
  'made-up cookies from one address': {
    ...UNFAIR,
    connections: 100,
    call: () =>
      prepare('session', 'GET /api/v1/users/session', {
        'x-requested-with': 'fetch',
        cookie: `kasente_session=${newToken()}`,
      }),
    likewise: calls.session,
  },
} as const satisfies Record<string, Flood>;

/** A server with people at work; the flooder's application is saved this often before it is submitted. */
export async function openPlace({
  planted,
  env = {},
  saves,
}: {
  planted?: PlantedFault;
  env?: Record<string, string>;
  saves?: number | undefined;
} = {}): Promise<Place> {
  const { app, server, next } = await busyServer(planted, env);
  const site = { ...app, visitor: () => remoteCaller(() => server.address) };
  const [flooder, ...others] = await Promise.all(
    Array.from({ length: 5 }, (_, nth) =>
      nth === 0 ? buildAccount(site, largeDocument, saves) : buildAccount(site, samplePdf()),
    ),
  );
  const officer = await buildSignedIn(site, { perms: ['KSTAF', 'KADMIN'] });
  // A production server requires a second factor of officers.
  await app.platform.db
    .updateTable('sessions')
    .set({ second_factor: true })
    .where('person_id', '=', officer.person.id)
    .execute();
  if (flooder === undefined) throw new Error('nobody floods');
  return { server, next, flooder, others, officer: cookiesOf(officer) };
}

async function buildAccount(app: TestApp, content: Buffer, saves = 0): Promise<Account> {
  const client = await buildClient(app);
  for (let nth = 0; nth < INVOICES; nth += 1) await saveInvoice(client);
  const { tag: draft } = await saveInvoice(client);
  const place = { invoiceTag: draft, typeId: 2 };
  const document = (await succeed(uploadAs(client.caller, place, content))).body.data.tag;
  const upload = await begun(client.caller, place, largeDocument);
  const { tag: submitted } = await buildReadyInvoice(app, client.person);
  const { application_reference: reference } = await rowOf(app, submitted);
  for (let nth = 0; nth < saves; nth += 1) await saveApplication(client, submitted, { reference });
  await succeed(client.caller.post(`/applications/${submitted}/submit`));
  return { ...client, submitted, draft, document, begun: upload };
}

/**
 * Floods a server while others work; returns the others' figures, the replies to the flood and the slowest `/livez`.
 */
export async function measureFlood(place: Place, { connections, call, likewise, beside }: Flood, seconds: number) {
  const flooding = client(place, [FLOOD_ADDRESS]);
  const [people, like] = [client(place), client(place)];
  const neighbours = client(place, [FLOOD_ADDRESS], BESIDE.waitMs);
  const nextOther = roundRobin(place.others);
  await inTurns(people, 4, 1, place.next); // warm-up
  const quiet = await atRate(people, OTHER_CALLS_A_SECOND, seconds / 4, place.next);
  const health = asking(place.server.address, '/livez');
  const [flood, work, same, besides] = await Promise.all([
    inTurns(flooding, connections, seconds, () => call(place.flooder, place)),
    atRate(people, OTHER_CALLS_A_SECOND, seconds, place.next),
    likewise === undefined ? [] : atRate(like, SAME_CALLS_A_SECOND, seconds, () => likewise(nextOther())),
    beside === undefined ? [] : atRate(neighbours, BESIDE.callsASecond, seconds, () => beside(nextOther())),
  ]);
  return {
    ...summaryOf([...work, ...same], await health()),
    beside: besides,
    quietP99Ms: percentile(quiet, 99),
    flood: byStatus(flood),
  };
}

/**
 * Opens thousands of connections from one address that never finish a request, while other people open a new connection
 * for each call.
 */
export async function measureSlowConnections(place: Place, connections: number, seconds: number) {
  const end = await holdOpen(place.server.port, connections);
  const health = asking(place.server.address, '/livez');
  const work: Outcome[] = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const newcomer = new LoadClient(place.server.port, HUNG_AFTER_MS);
    work.push(await newcomer.send(place.next()));
    newcomer.close();
    await wait(1000 / OTHER_CALLS_A_SECOND);
  }
  const found = summaryOf(work, await health());
  end();
  return found;
}

function summaryOf(others: readonly Outcome[], slowestHealthMs: number) {
  return {
    others: others.length,
    refused: others.filter(({ status }) => status !== 200).map(({ kind, status }) => `${kind}: ${status}`),
    p99Ms: percentile(others, 99),
    slowestHealthMs,
  };
}

function client({ server }: Place, addresses?: readonly string[], hungAfterMs = HUNG_AFTER_MS): LoadClient {
  const made = new LoadClient(server.port, hungAfterMs, addresses);
  onTestFinished(() => made.close());
  return made;
}

/** Holds this many connections open from another process, so that this one stays idle; call the result to end it. */
async function holdOpen(port: number, connections: number): Promise<() => void> {
  const program = join(import.meta.dirname, 'slow-connections.child.ts');
  const child = spawn(process.execPath, [program, String(port), String(connections), FLOOD_ADDRESS], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  await once(child.stdout, 'data');
  return () => void child.kill();
}
