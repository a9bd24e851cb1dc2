import { randomInt, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { API_ROOT } from '#contract/endpoint.ts';
import { LATE_CLIENT } from '#server/demonstration/invoices.ts';
import { DEMONSTRATION_PASSWORD, demonstrationLogins } from '#server/demonstration/people.ts';
import { rounds } from '#server/testing/evidence/record.ts';
import { samplePdf } from '#server/testing/sample-files.ts';
import { encodeForm, filePart, uploadFields } from '#server/testing/uploads.ts';
import type { Entry, Ledger } from './ledger.harness.ts';

/** Clients who work as fast as they are answered, and write into their ledger what was acknowledged. */

/** What became of one request. */
interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: unknown;
  readonly cookies: readonly string[];
}

interface Sent {
  readonly path: string;
  readonly method?: 'GET';
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const saved = z.object({ data: z.object({ tag: z.string() }) });
const read = z.object({ invoiceNumber: z.string() });
const loggedIn = z.object({ user: z.object({ tag: z.string(), bizTag: z.string() }) });
const options = z.array(z.object({ id: z.int() }));

/** One of this many invoices goes the whole way: application, documents, submission. */
const WHOLE_CASE_EVERY = 25;
const READ_EVERY = 7;
const MANDATORY_TYPES = [1, 2, 3];
const REPEAT_AFTER_MS = 20;
/** Nobody waits longer for an answer. */
const HUNG_AFTER_MS = rounds(90_000, 20_000); // `npm test` runs on busy machines

interface Person {
  readonly cookie: string;
  readonly businessTag: string;
  readonly buyerId: number;
}

/** How answers came. */
export interface Answered {
  /** Requests by status; 0 is a broken connection. */
  readonly byStatus: ReadonlyMap<number, number>;
  /** What should not have been answered, a sentence each. */
  readonly faults: readonly string[];
  readonly worstMs: number;
}

export class Clients {
  readonly #ledger: Ledger;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #acknowledged = new EventEmitter();
  readonly #byStatus = new Map<number, number>();
  readonly #faults: string[] = [];
  #address: URL;
  #worstMs = 0;
  #stopped = false;
  #people: readonly Person[] = [];
  #working: readonly Promise<void>[] = [];

  constructor(ledger: Ledger, address: URL) {
    this.#ledger = ledger;
    this.#address = address;
    this.#acknowledged.setMaxListeners(0);
  }

  /** Where the server is now, after it was started again. */
  moveTo(address: URL): void {
    this.#address = address;
  }

  get answered(): Answered {
    return { byStatus: this.#byStatus, faults: this.#faults, worstMs: Math.round(this.#worstMs) };
  }

  /**
   * Logs the demonstration's clients in, but for the one whose advance was written off, and lets this many workers work for
   * them until {@link stop}.
   */
  async start(workers: number): Promise<void> {
    const logins = demonstrationLogins.filter(
      ({ perms, business }) => perms.includes('BIDA') && business !== LATE_CLIENT,
    );
    this.#people = await Promise.all(logins.map(({ username }) => this.#logIn(username)));
    this.#working = Array.from({ length: workers }, (_, index) => this.#work(index));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#working);
    this.#agent.destroy();
  }

  /** Waits for this many more acknowledgements. */
  async acknowledgements(count: number): Promise<void> {
    const enough = this.#ledger.acknowledgements + count;
    while (this.#ledger.acknowledgements < enough && !this.#stopped) await once(this.#acknowledged, 'one');
  }

  async #logIn(username: string): Promise<Person> {
    const { body, cookies } = await this.#send({
      path: '/users/login',
      ...json({ username, password: DEMONSTRATION_PASSWORD }),
    });
    const { user } = loggedIn.parse(body);
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ');
    const buyers = await this.#send({ path: '/profiles/buyers', method: 'GET', headers: { cookie } });
    return { cookie, businessTag: user.bizTag, buyerId: options.parse(buyers.body)[0]?.id ?? 0 };
  }

  async #work(worker: number): Promise<void> {
    const person = this.#people[worker % this.#people.length];
    if (person === undefined) throw new Error('nobody works');
    for (let round = worker; !this.#stopped; round += 1) {
      const invoice = this.#ledger.open({ kind: 'invoice', number: `L-${randomUUID()}` });
      const tag = await this.#settle(person, invoice, saveInvoice(person, invoice.number));
      if (tag === undefined) continue;
      if (round % WHOLE_CASE_EVERY === 0) await this.#wholeCase(person, tag);
      if (round % READ_EVERY === 0) await this.#readBack(person, tag, invoice.number);
    }
  }

  /** What was acknowledged is what is read. */
  async #readBack({ cookie }: Person, tag: string, number: string): Promise<void> {
    const sent = { path: `/invoices/${tag}`, method: 'GET', headers: { cookie } } as const;
    const answer = await this.#send(sent).catch(() => undefined);
    if (answer === undefined) return;
    if (answer.status !== 200) this.#judge(answer);
    else if (read.parse(answer.body).invoiceNumber !== number) this.#faults.push(`${tag} was read as something else`);
  }

  async #wholeCase(person: Person, invoiceTag: string): Promise<void> {
    const application = this.#ledger.open({ kind: 'application', invoiceTag, reference: randomUUID() });
    let whole =
      (await this.#settle(person, application, saveApplication(invoiceTag, application.reference))) !== undefined;
    for (const typeId of MANDATORY_TYPES) {
      const content = samplePdf(randomUUID());
      const document = this.#ledger.open({ kind: 'document', invoiceTag, typeId, content });
      whole = (await this.#settle(person, document, upload(invoiceTag, typeId, content))) !== undefined && whole;
    }
    if (!whole) return;
    const submission = this.#ledger.open({ kind: 'submission', invoiceTag });
    await this.#settle(person, submission, { path: `/applications/${invoiceTag}/submit`, ...json({}) });
  }

  /**
   * Sends it until it is acknowledged, and returns the tag it got; of those that are not half are repeated under their
   * key, the others are left as they are: undefined.
   */
  async #settle(person: Person, entry: Entry, sent: Sent): Promise<string | undefined> {
    const isRepeated = randomInt(2) === 0;
    const headers = { cookie: person.cookie, 'idempotency-key': randomUUID(), ...sent.headers };
    for (;;) {
      const answer = await this.#send({ ...sent, headers }).catch(() => undefined);
      if (answer?.status === 200) {
        const tag = tagIn(entry, answer.body);
        this.#ledger.acknowledge(entry, tag);
        this.#acknowledged.emit('one');
        return tag;
      }
      if (answer !== undefined) this.#judge(answer);
      const isRefused = answer !== undefined && answer.status !== 503;
      if (!isRepeated || isRefused || this.#stopped) {
        this.#ledger.leave(entry);
        return undefined;
      }
      await wait(REPEAT_AFTER_MS);
    }
  }

  /** What is not done is refused for now, with the time after which to try again. */
  #judge({ status, retryAfter, body }: Answer): void {
    if (status === 503 && Number(retryAfter) >= 1) return;
    this.#faults.push(`${status}, Retry-After ${retryAfter}: ${JSON.stringify(body)}`);
  }

  async #send(sent: Sent): Promise<Answer> {
    const began = performance.now();
    try {
      const answer = await exchange(this.#agent, this.#address, sent);
      this.#count(answer.status);
      return answer;
    } catch (error) {
      if (error instanceof Hung) this.#faults.push(`no answer within ${HUNG_AFTER_MS} ms: ${sent.path}`);
      this.#count(0);
      throw error;
    } finally {
      this.#worstMs = Math.max(this.#worstMs, performance.now() - began);
    }
  }

  #count(status: number): void {
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1);
  }
}

class Hung extends Error {}

function exchange(agent: Agent, address: URL, { path, method, body, headers }: Sent): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request(new URL(API_ROOT + path, address), {
    agent,
    method: method ?? 'POST',
    headers: { 'x-requested-with': 'fetch', ...headers, ...(body && { 'content-length': body.length }) },
  });
  const hung = setTimeout(() => sent.destroy(new Hung()), HUNG_AFTER_MS);
  sent.on('error', reject);
  sent.on('close', () => clearTimeout(hung));
  sent.on('response', (response) => {
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.on('error', reject);
    response.on('aborted', () => reject(new Error('cut')));
    response.on('end', () => {
      const text = Buffer.concat(pieces).toString();
      const { statusCode: status = 0, headers: answered } = response;
      resolve({
        status,
        retryAfter: answered['retry-after'],
        body: parsed(text),
        cookies: answered['set-cookie'] ?? [],
      });
    });
  });
  sent.end(body);
  return promise;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function json(body: unknown): Pick<Sent, 'body' | 'headers'> {
  return { body: Buffer.from(JSON.stringify(body)), headers: { 'content-type': 'application/json' } };
}

function saveInvoice({ businessTag, buyerId }: Person, invoiceNumber: string): Sent {
  const invoice = {
    businessTag,
    invoiceNumber,
    date: '2026-01-02',
    currencyId: '1',
    buyerId: String(buyerId),
    amount: 1000,
  };
  return { path: '/invoices', ...json({ invoice }) };
}

/** UGX 900 of 1,000 over 30 days: small enough for thousands within the demonstration's limit. */
function saveApplication(invoiceTag: string, reference: string): Sent {
  const price = { amountAppliedFor: 900, feesCharged: 99, amountReceived: 801 };
  const application = { invoiceTag, reference, applicationDate: '2026-01-02', financingPeriodId: '3', ...price };
  return { path: '/invoices', ...json({ application }) };
}

function upload(invoiceTag: string, typeId: number, content: Buffer): Sent {
  const fields = uploadFields({ invoiceTag, typeId });
  const { payload, headers } = encodeForm([...fields, filePart(content)]);
  return { path: '/files/upload', body: payload, headers };
}

function tagIn({ kind }: Entry, body: unknown): string {
  return kind === 'submission' ? '' : saved.parse(body).data.tag;
}
