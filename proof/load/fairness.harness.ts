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
import { buildReadyInvoice, buildSignedIn, TEST_PASSWORD } from '#server/testing/builders.ts';
import { succeed } from '#server/testing/case-builders.ts';
import { samplePdf, samplePng } from '#server/testing/sample-files.ts';
import { remoteCaller, type ServerProcess } from '#server/testing/servers/server-process.ts';
import type { TestApp } from '#server/testing/test-app.ts';
import { encodeForm, filePart, upload as uploadAs, uploadFields } from '#server/testing/uploads.ts';
import { begun, partOf, pdfOfSize } from '#server/testing/uploads-in-parts.ts';
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
} from './load.harness.ts';
import { asking, busyServer, cookiesOf } from './overload.harness.ts';

/** One account or one address that floods a server, and what everybody else notices of it. */

const HUNG_AFTER_MS = 30_000;
/** What others do beside it: about fifteen people at work. */
const OTHER_CALLS_A_SECOND = 40;
/** Things that the flood is of, which others do too, now and then. */
const OTHER_THINGS_A_SECOND = 2;
const INVOICES = 100;
const LARGE_PIXELS = 7_000;
/** The flood's; others come from 127.0.0.1 to 127.0.0.4. */
const FLOOD_ADDRESS = '127.0.0.9';

/** A server, who floods it, and others who do the same as they, but as people do. */
export interface Place {
  readonly server: ServerProcess;
  readonly next: () => PreparedRequest;
  readonly flooder: Doer;
  readonly others: readonly Doer[];
  readonly officer: Record<string, string>;
}

/** A client with a submitted application, and a draft with a document and an upload that has begun. */
interface Doer extends Client {
  readonly headers: Record<string, string>;
  readonly submitted: string;
  readonly draft: string;
  readonly document: string;
  readonly begun: string;
}

/** Something to flood with. */
export interface Flood {
  /** What the flooder does over and over, from this many connections. */
  readonly connections: number;
  readonly request: (place: Place) => () => PreparedRequest;
  /** What makes others notice it. */
  readonly planted: PlantedFault;
  /** How often the flooder's application was saved before it was submitted, each an event in its evidence. */
  readonly saves?: number;
  /** The same as others do it, one after the other; none where only the flooder does. */
  readonly likewise?: (place: Place) => () => PreparedRequest;
}

const letter = ({ headers, submitted }: Doer) =>
  prepare('letter', `GET /api/v1/applications/${submitted}/key_facts.pdf`, headers);

function list({ headers, business }: Doer) {
  return prepare('list', 'POST /api/v1/invoices/paged', headers, { page: 1, size: 100, businessTag: business.tag });
}

function login(username: string, password: string) {
  return prepare('login', 'POST /api/v1/users/login', { 'x-requested-with': 'fetch' }, { username, password });
}

function upload({ headers, draft }: Doer, picture: Buffer): PreparedRequest {
  const form = encodeForm([
    ...uploadFields({ invoiceTag: draft, typeId: 1 }),
    filePart(picture, 'photo.png', 'image/png'),
  ]);
  return prepareBytes('upload', 'POST /api/v1/files/upload', { ...headers, ...form.headers }, form.payload);
}

const view = ({ headers, document }: Doer) => prepare('view', `GET /api/v1/files/view/${document}`, headers);

/** A part that is sent again: it is read, and changes nothing. */
function part({ headers, begun: tag }: Doer): PreparedRequest {
  const type = { 'content-type': 'application/octet-stream' };
  return prepareBytes('part', `PUT /api/v1/files/uploads/${tag}/parts/0`, { ...headers, ...type }, firstPart);
}

/** One after the other, over and over. */
function inTurn<T>(all: readonly T[]): () => T {
  let turn = 0;
  return () => {
    turn += 1;
    const one = all[turn % all.length];
    if (one === undefined) throw new Error('there is nobody');
    return one;
  };
}

function asOthers(make: (doer: Doer) => PreparedRequest): Required<Flood>['likewise'] {
  return ({ others }) => {
    const next = inTurn(others);
    return () => make(next());
  };
}

const largeDocument = pdfOfSize(MAXIMUM_FILE_BYTES);
const firstPart = partOf(largeDocument, 0);

const largePicture = await sharp({
  create: { width: LARGE_PIXELS, height: LARGE_PIXELS, channels: 3, background: '#7aa' },
})
  .png()
  .toBuffer();

export const floods = {
  'letters of one client': {
    connections: 40,
    planted: 'unfair-turns',
    request:
      ({ flooder }) =>
      () =>
        letter(flooder),
    likewise: asOthers(letter),
  },
  'evidence after 1,500 saves': {
    connections: 4,
    planted: 'letters-hold-the-server',
    saves: 1_500,
    request:
      ({ flooder, officer }) =>
      () =>
        prepare('evidence', `GET /api/v1/desk/cases/${flooder.submitted}/evidence.pdf`, officer),
  },
  'lists of one client': {
    connections: 150,
    planted: 'unfair-turns',
    request:
      ({ flooder }) =>
      () =>
        list(flooder),
    likewise: asOthers(list),
  },
  'large pictures of one client': {
    connections: 44,
    planted: 'unfair-turns',
    request:
      ({ flooder }) =>
      () =>
        upload(flooder, largePicture),
    likewise: asOthers((doer) => upload(doer, samplePng())),
  },
  'large documents opened by one client': {
    connections: 40,
    planted: 'unfair-turns',
    request:
      ({ flooder }) =>
      () =>
        view(flooder),
    likewise: asOthers(view),
  },
  'parts of uploads by one client': {
    connections: 100, // as many as may wait: what is refused sends its part all the same, which loads this sender as much as the server
    planted: 'unfair-turns',
    request:
      ({ flooder }) =>
      () =>
        part(flooder),
    likewise: asOthers(part),
  },
  'wrong logins from one address': {
    connections: 150,
    planted: 'unfair-turns',
    request: () => () => login(`07${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`, 'Not-the-password-1'),
    likewise: asOthers(({ person }) => login(person.username, TEST_PASSWORD)),
  },
} as const satisfies Record<string, Flood>;

/** A server with people at work, and a client who saved an application very often before submitting it. */
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
      nth === 0 ? buildDoer(site, largeDocument, saves) : buildDoer(site, samplePdf()),
    ),
  );
  const officer = await buildSignedIn(site, { perms: ['KSTAF', 'KADMIN'] });
  // As if each officer had proved a second factor, which a production server asks of them.
  await app.platform.db
    .updateTable('sessions')
    .set({ second_factor: true })
    .where('person_id', '=', officer.person.id)
    .execute();
  if (flooder === undefined) throw new Error('nobody floods');
  return { server, next, flooder, others, officer: cookiesOf(officer) };
}

async function buildDoer(app: TestApp, content: Buffer, saves = 0): Promise<Doer> {
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
  return { ...client, headers: cookiesOf(client), submitted, draft, document, begun: upload };
}

/** Floods for so long while others work, and gives what they noticed, what the flood was told and how long `/livez` took. */
export async function notice(place: Place, { connections, request, likewise }: Flood, seconds: number) {
  const flooding = client(place, [FLOOD_ADDRESS]);
  const [people, like] = [client(place), client(place)];
  await inTurns(people, 4, 1, place.next); // warm
  const quiet = await atRate(people, OTHER_CALLS_A_SECOND, seconds / 4, place.next);
  const health = asking(place.server.address, '/livez');
  const [flood, work, same] = await Promise.all([
    inTurns(flooding, connections, seconds, request(place)),
    atRate(people, OTHER_CALLS_A_SECOND, seconds, place.next),
    likewise === undefined ? [] : atRate(like, OTHER_THINGS_A_SECOND, seconds, likewise(place)),
  ]);
  return { ...noticed([...work, ...same], await health()), quietP99Ms: percentile(quiet, 99), flood: byStatus(flood) };
}

/** Opens thousands of connections from one address that never say what they want, while others come new each time. */
export async function noticeSlowConnections(place: Place, connections: number, seconds: number) {
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
  const found = noticed(work, await health());
  end();
  return found;
}

function noticed(others: readonly Outcome[], slowestHealthMs: number) {
  return {
    others: others.length,
    refused: others.filter(({ status }) => status !== 200).map(({ kind, status }) => `${kind}: ${status}`),
    p99Ms: percentile(others, 99),
    slowestHealthMs,
  };
}

function client({ server }: Place, addresses?: readonly string[]): LoadClient {
  const made = new LoadClient(server.port, HUNG_AFTER_MS, addresses);
  onTestFinished(() => made.close());
  return made;
}

/** Holds this many connections open from a process of its own, so that it is not this one that is busy; ends it when called. */
async function holdOpen(port: number, connections: number): Promise<() => void> {
  const program = join(import.meta.dirname, 'slow-connections.child.ts');
  const child = spawn(process.execPath, [program, String(port), String(connections), FLOOD_ADDRESS], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  await once(child.stdout, 'data');
  return () => void child.kill();
}
