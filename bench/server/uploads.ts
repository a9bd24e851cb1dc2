import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inTurns, median } from '#bench/rounds.ts';
import type { Row } from '#bench/row.ts';
import { PART_BYTES, partsOf } from '#contract/documents/schema.ts';
import { startServer, type TestServer } from '#e2e/support/server.ts';
import { sampleDocument } from '#server/demonstration/sample-document.ts';

/**
 * How much memory the server takes for each further upload of 10 MB that is under way: `node bench/server/uploads.ts`. The server
 * runs as `npm start` runs it; its resident memory is looked at all the time.
 */

const COMMAND = 'node bench/server/uploads.ts';
/** Each of the demonstration's two clients sends six: as many unfinished ones as a person may have. */
const CLIENTS = ['0700000001', '0700000002'] as const;
const EACH = 6;
const AT_ONCE = CLIENTS.length * EACH;
/** What they are compared with. */
const FEW = 2;
const GOAL_MB = 2;
const MB = 1024 * 1024;
const FILE_BYTES = 10 * MB;
const PIECE_BYTES = 64 * 1024;
/** Between two pieces: a line of 25 Mbit/s, so that it takes seconds and not minutes. */
const PAUSE_MS = 20;

/** The resident memory of a process in MB; Linux tells it in its own file. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

/** A client of the demonstration, with drafts to upload to. */
class Client {
  readonly #address: string;
  #cookie = '';
  tags: string[] = [];

  constructor(address: string) {
    this.#address = address;
  }

  async signIn(username: string): Promise<void> {
    const login = { username, password: 'Kasente-demo-1' };
    const answer = await fetch(`${this.#address}/api/v1/users/login`, this.#json('POST', login));
    this.#cookie = answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
    const buyers: { id: number }[] = JSON.parse(await (await this.#get('profiles/buyers')).text());
    for (let index = 0; index < EACH; index += 1) {
      const invoice = {
        invoiceNumber: `BENCH-${index}`,
        date: '2026-01-05',
        currencyId: 1,
        buyerId: buyers[0]?.id,
        amount: 1e6,
      };
      const saved = await this.json('POST', '/invoices', { invoice });
      this.tags.push(saved.data.tag);
    }
  }

  #get(path: string): Promise<Response> {
    return fetch(`${this.#address}/api/v1/${path}`, { headers: this.#headers() });
  }

  #headers(): Record<string, string> {
    return { cookie: this.#cookie, 'x-requested-with': 'fetch', 'sec-fetch-site': 'same-origin' };
  }

  #json(method: string, body: unknown): RequestInit {
    return { method, headers: { ...this.#headers(), 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }

  async json(method: string, path: string, body: unknown): Promise<{ data: { tag: string } }> {
    const answer = await fetch(`${this.#address}/api/v1${path}`, this.#json(method, body));
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return JSON.parse(await answer.text());
  }

  /** Sends bytes a piece at a time, as a line does that takes these milliseconds for a piece. */
  trickle(method: string, path: string, type: string, content: Buffer, pauseMs: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = { ...this.#headers(), 'content-type': type, 'content-length': content.length };
      const sent = request(`${this.#address}/api/v1${path}`, { method, headers }, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      });
      sent.once('error', reject);
      const write = async (): Promise<void> => {
        for (let start = 0; start < content.length; start += PIECE_BYTES) {
          sent.write(content.subarray(start, start + PIECE_BYTES));
          await sleep(pauseMs);
        }
        sent.end();
      };
      write().catch(reject);
    });
  }
}

/** A PDF of 10 MB that no other upload has. */
function tenMegabytes(): Buffer {
  const whole = sampleDocument(randomBytes(8).toString('hex'));
  const end = whole.subarray(whole.lastIndexOf('startxref'));
  // A comment of bytes that are no ASCII, as those of a scan are: a server that makes text of them pays for it.
  const filler = randomBytes(FILE_BYTES - whole.length - end.length - 2).map((byte) => byte | 0x80);
  return Buffer.concat([whole, Buffer.from('%'), filler, Buffer.from('\n'), end]);
}

async function inOneRequest(client: Client, tag: string, content: Buffer): Promise<void> {
  const boundary = 'bench-upload';
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(field('invoiceTag', tag) + field('typeId', '1') + file),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const status = await client.trickle(
    'POST',
    '/files/upload',
    `multipart/form-data; boundary=${boundary}`,
    body,
    PAUSE_MS,
  );
  if (status !== 200) throw new Error(`an upload answered ${status}`);
}

async function inParts(client: Client, invoiceTag: string, content: Buffer): Promise<void> {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const begun = { invoiceTag, typeId: 1, fileName: 'a.pdf', size: content.length, sha256 };
  const { tag } = (await client.json('POST', '/files/uploads', begun)).data;
  for (let part = 0; part < partsOf(content.length); part += 1) {
    const bytes = content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    const status = await client.trickle(
      'PUT',
      `/files/uploads/${tag}/parts/${part}`,
      'application/octet-stream',
      bytes,
      60,
    );
    if (status !== 200) throw new Error(`a part answered ${status}`);
  }
  await client.json('POST', `/files/uploads/${tag}/finish`, {});
}

type Way = (client: Client, tag: string, content: Buffer) => Promise<void>;

interface Place {
  readonly client: Client;
  readonly tag: string;
}

/** The most memory that the server has while these uploads are under way, in MB. */
async function peakOf({ pid }: TestServer, places: readonly Place[], upload: Way): Promise<number> {
  let most = 0;
  const done = new AbortController();
  const watching = (async () => {
    while (!done.signal.aborted) {
      most = Math.max(most, await residentMb(pid));
      await sleep(20);
    }
  })();
  try {
    await Promise.all(places.map(({ client, tag }) => upload(client, tag, tenMegabytes())));
  } finally {
    done.abort();
    await watching;
  }
  return most;
}

/**
 * What each further upload under way takes, in MB: as many are sent two at a time and then all at once, and the peaks
 * compared. Node lets some 60 MB of buffers lie before it collects them, however few are in flight.
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
  /** In MB, one of each round. */
  readonly figures: number[];
}

/** One round of a way, on a new server. */
async function measureOnce({ upload, figures }: Side): Promise<void> {
  const server = await startServer();
  try {
    const clients = CLIENTS.map(() => new Client(server.address));
    await Promise.all(clients.map((client, index) => client.signIn(CLIENTS[index] ?? '')));
    const places = clients.flatMap((client) => client.tags.map((tag) => ({ client, tag })));
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
    // When Node collects its garbage weighs more than what is looked for: less than nothing is nothing that can be seen.
    figure: figure < 0 ? 'not distinguishable from 0' : `${figure.toFixed(2)} MB`,
    holds: figure <= GOAL_MB,
    command: COMMAND,
    detail: `median of rounds: ${figures.map((one) => one.toFixed(2)).join(', ')} MB`,
  };
}

/** Measures both ways of uploading in turns, each time on a server of its own. */
export async function run(): Promise<Row[]> {
  const sides: readonly Side[] = [
    { name: 'in one request', upload: inOneRequest, figures: [] },
    { name: 'in parts', upload: inParts, figures: [] },
  ];
  await inTurns(sides.map((side) => () => measureOnce(side)));
  return sides.map(rowOf);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(await run());
