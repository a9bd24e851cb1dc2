import { randomBytes } from 'node:crypto';
import { inTurns, median } from '#bench/rounds.ts';
import type { Row } from '#bench/row.ts';
import { partsOf } from '#contract/documents/schema.ts';
import { API_ROOT } from '#contract/endpoint.ts';
import { startServer, type TestServer } from '#e2e/support/server.ts';
import { DEMONSTRATION_PASSWORD } from '#server/config/demonstration-people.ts';
import { watchMemory } from '#testing/memory-watch.ts';
import { cookieHeader, remoteCaller } from '#testing/servers/server-process.ts';
import { sendSlowly } from '#testing/servers/slow-request.ts';
import type { Answer, TestCaller } from '#testing/test-app.ts';
import { encodeForm, filePart, uploadFields } from '#testing/uploads.ts';
import { begun, partOf, pdfOfSize } from '#testing/uploads-in-parts.ts';

/**
 * Measures how much memory the server needs for each further 10 MB upload in progress: `node bench/server/uploads.ts`. The
 * server runs as `npm start` runs it.
 */

const COMMAND = 'node bench/server/uploads.ts';
const CLIENTS = ['0700000001', '0700000002'];
/** Drafts per client: as many unfinished uploads as a person may have. */
const DRAFTS = 6;
const AT_ONCE = CLIENTS.length * DRAFTS;
const FEW = 2;
const GOAL_MB = 2;
const MB = 1024 * 1024;
/** Sent per pause: about 25 Mbit/s, so that an upload takes seconds. */
const PIECE_BYTES = 64 * 1024;

/** A client of the demonstration, and the drafts that they upload to. */
interface Client {
  readonly caller: TestCaller;
  readonly tags: readonly string[];
}

interface Place {
  readonly caller: TestCaller;
  readonly tag: string;
}

/** Uploads a document to a draft. */
type Way = (server: TestServer, caller: TestCaller, invoiceTag: string, content: Buffer) => Promise<void>;

/** Calls the server, and throws unless it accepts. */
async function post(caller: TestCaller, path: string, body: object): Promise<Answer['body']> {
  const answer = await caller.post(path, body);
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function signIn({ address }: TestServer, username: string): Promise<Client> {
  const caller = remoteCaller(() => address);
  await post(caller, '/users/login', { username, password: DEMONSTRATION_PASSWORD });
  const { body: buyers } = await caller.get('/profiles/buyers');
  const tags: string[] = [];
  for (let index = 0; index < DRAFTS; index += 1) {
    const invoice = {
      invoiceNumber: `BENCH-${index}`,
      date: '2026-01-05',
      currencyId: 1,
      buyerId: buyers[0].id,
      amount: 1e6,
    };
    tags.push((await post(caller, '/invoices', { invoice })).data.tag);
  }
  return { caller, tags };
}

/** Sends one request a piece at a time, pausing after each. */
async function send(
  { address }: TestServer,
  caller: TestCaller,
  { path, ...request }: { readonly path: string; readonly method: string; readonly headers: Record<string, string> },
  content: Buffer,
  pauseMs: number,
): Promise<void> {
  const headers = { cookie: cookieHeader(caller), 'x-requested-with': 'fetch', ...request.headers };
  const line = { bytes: PIECE_BYTES, pauseMs };
  const status = await sendSlowly(`${address}${API_ROOT}${path}`, { ...request, headers }, content, line);
  if (status !== 200) throw new Error(`${path} answered ${status}`);
}

const inOneRequest: Way = async (server, caller, invoiceTag, content) => {
  const { payload, headers } = encodeForm([...uploadFields({ invoiceTag, typeId: 1 }), filePart(content)]);
  await send(server, caller, { method: 'POST', path: '/files/upload', headers }, payload, 20);
};

const inParts: Way = async (server, caller, invoiceTag, content) => {
  const tag = await begun(caller, { invoiceTag, typeId: 1 }, content);
  for (let part = 0; part < partsOf(content.length); part += 1) {
    const headers = { 'content-type': 'application/octet-stream' };
    const path = `/files/uploads/${tag}/parts/${part}`;
    await send(server, caller, { method: 'PUT', path, headers }, partOf(content, part), 60);
  }
  await post(caller, `/files/uploads/${tag}/finish`, {});
};

/** The server's maximum memory during these uploads, in MB. */
async function peakOf(server: TestServer, places: readonly Place[], upload: Way): Promise<number> {
  const memory = watchMemory(async () => [server.pid]);
  // A unique text makes each PDF unique; its filler is not ASCII, as in a scan.
  const document = () => pdfOfSize(10 * MB, randomBytes(8).toString('hex'));
  await Promise.all(places.map(({ caller, tag }) => upload(server, caller, tag, document())));
  return (await memory.stop()) / MB;
}

/**
 * The memory of each further upload, in MB: the peak of all uploads at once less the peak of two at a time. Node leaves
 * about 60 MB of buffers uncollected, however few uploads there are.
 */
async function measure(server: TestServer, places: readonly Place[], upload: Way): Promise<number> {
  let few = 0;
  for (let index = 0; index < places.length; index += FEW)
    few = Math.max(few, await peakOf(server, places.slice(index, index + FEW), upload));
  const many = await peakOf(server, places, upload);
  console.log(`${FEW} at once: ${few.toFixed(0)} MB, ${places.length} at once: ${many.toFixed(0)} MB`);
  return (many - few) / (places.length - FEW);
}

interface Side {
  readonly name: string;
  readonly upload: Way;
  /** In MB, one per round. */
  readonly figures: number[];
}

/** Measures one round on a new server. */
async function measureOnce({ upload, figures }: Side): Promise<void> {
  const server = await startServer();
  try {
    const clients = await Promise.all(CLIENTS.map((username) => signIn(server, username)));
    const places = clients.flatMap(({ caller, tags }) => tags.map((tag) => ({ caller, tag })));
    figures.push(await measure(server, places, upload));
  } finally {
    await server.stop();
  }
}

function rowOf({ name, figures }: Side): Row {
  const figure = median(figures);
  return {
    work: `server memory for each of ${AT_ONCE} uploads of 10 MB in flight, ${name}`,
    goal: `at most ${GOAL_MB} MB`,
    // The garbage collector's timing can outweigh the difference and make it negative.
    figure: figure < 0 ? 'not distinguishable from 0' : `${figure.toFixed(2)} MB`,
    holds: figure <= GOAL_MB,
    command: COMMAND,
    detail: `median of rounds: ${figures.map((one) => one.toFixed(2)).join(', ')} MB`,
  };
}

/** Measures both ways of uploading in turns, each time on a new server. */
export async function run(): Promise<Row[]> {
  const sides: readonly Side[] = [
    { name: 'in one request', upload: inOneRequest, figures: [] },
    { name: 'in parts', upload: inParts, figures: [] },
  ];
  await inTurns(sides.map((side) => () => measureOnce(side)));
  return sides.map(rowOf);
}

if (import.meta.main) console.table(await run());
