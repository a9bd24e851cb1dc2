import { randomInt, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { DEMONSTRATION_PASSWORD, demonstrationLogins } from '#server/config/demonstration-people.ts';
import { LATE_CLIENT } from '#server/demonstration/invoices.ts';
import { succeed } from '#testing/case-builders.ts';
import { rounds } from '#testing/evidence/record.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { remoteCaller } from '#testing/servers/server-process.ts';
import type { Answer, TestCaller } from '#testing/test-app.ts';
import { upload } from '#testing/uploads.ts';
import type { Entry, Ledger } from './ledger.harness.ts';

/** Clients who send the next write as soon as one is answered, and record in their ledger what was acknowledged. */

/** A write with its idempotency key, so that it can be sent again. */
type Write = (headers: Record<string, string>) => Promise<Answer>;

const saved = z.object({ data: z.object({ tag: z.string() }) });

/** One invoice in this many becomes a whole case: application, documents, submission. */
const WHOLE_CASE_EVERY = 25;
const READ_EVERY = 7;
const MANDATORY_TYPES = [1, 2, 3];
const REPEAT_AFTER_MS = 20;
/** The longest wait for a reply. */
const HUNG_AFTER_MS = rounds(90_000, 20_000); // `npm test` runs on busy machines

interface Person {
  readonly caller: TestCaller;
  readonly businessTag: string;
  readonly buyerId: number;
}

/** The replies so far. */
export interface Answered {
  /** Requests by status; 0 stands for a broken connection. */
  readonly byStatus: ReadonlyMap<number, number>;
  /** Every wrong reply, one sentence each. */
  readonly faults: readonly string[];
  readonly worstMs: number;
}

export class Clients {
  readonly #ledger: Ledger;
  readonly #acknowledged = new EventEmitter();
  readonly #byStatus = new Map<number, number>();
  readonly #faults: string[] = [];
  #address: string;
  #worstMs = 0;
  #stopped = false;
  #working: readonly Promise<void>[] = [];

  private constructor(ledger: Ledger, address: string) {
    this.#ledger = ledger;
    this.#address = address;
    this.#acknowledged.setMaxListeners(0);
  }

  /**
   * Logs in the demonstration's clients, except the one whose advance was written off, and starts this many workers for
   * them, which run until {@link stop}.
   */
  static async start(ledger: Ledger, { address }: { readonly address: string }, workers: number): Promise<Clients> {
    const clients = new Clients(ledger, address);
    const logins = demonstrationLogins.filter(
      ({ perms, business }) => perms.includes('BIDA') && business !== LATE_CLIENT,
    );
    const people = await Promise.all(logins.map(({ username }) => clients.#logIn(username)));
    clients.#working = Array.from({ length: workers }, (_, worker) => clients.#work(worker, people));
    return clients;
  }

  /** Follows the server to another address, after a restart. */
  moveTo({ address }: { readonly address: string }): void {
    this.#address = address;
  }

  get answered(): Answered {
    return { byStatus: this.#byStatus, faults: this.#faults, worstMs: Math.round(this.#worstMs) };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#working);
  }

  /** Waits for this many more acknowledgements. */
  async acknowledgements(count: number): Promise<void> {
    const enough = this.#ledger.acknowledgements + count;
    while (this.#ledger.acknowledgements < enough && !this.#stopped) await once(this.#acknowledged, 'one');
  }

  async #logIn(username: string): Promise<Person> {
    const caller = remoteCaller(() => this.#address);
    const login = await succeed(caller.post('/users/login', { username, password: DEMONSTRATION_PASSWORD }));
    const buyers = await succeed(caller.get('/profiles/buyers'));
    return { caller, businessTag: login.body.user.bizTag, buyerId: buyers.body[0].id };
  }

  async #work(worker: number, people: readonly Person[]): Promise<void> {
    const person = people[worker % people.length];
    if (person === undefined) throw new Error('nobody works');
    for (let round = worker; !this.#stopped; round += 1) {
      const invoice = this.#ledger.open({ kind: 'invoice', number: `L-${randomUUID()}` });
      const tag = await this.#settle(invoice, saveInvoice(person, invoice.number));
      if (tag === undefined) continue;
      if (round % WHOLE_CASE_EVERY === 0) await this.#wholeCase(person, tag);
      if (round % READ_EVERY === 0) await this.#readBack(person, tag, invoice.number);
    }
  }

  /** Reads back an acknowledged write. */
  async #readBack({ caller }: Person, tag: string, number: string): Promise<void> {
    const answer = await this.#send(caller.get(`/invoices/${tag}`));
    if (answer === undefined) return;
    if (answer.status !== 200) this.#judge(answer);
    else if (answer.body.invoiceNumber !== number) this.#faults.push(`${tag} was read as something else`);
  }

  async #wholeCase({ caller }: Person, invoiceTag: string): Promise<void> {
    const application = this.#ledger.open({ kind: 'application', invoiceTag, reference: randomUUID() });
    const form = applicationForm(invoiceTag, application.reference);
    const save: Write = (headers) => caller.post('/invoices', { application: form }, headers);
    let whole = (await this.#settle(application, save)) !== undefined;
    for (const typeId of MANDATORY_TYPES) {
      const content = samplePdf(randomUUID());
      const document = this.#ledger.open({ kind: 'document', invoiceTag, typeId, content });
      const send: Write = (headers) => upload(caller, { invoiceTag, typeId }, content, undefined, headers);
      whole = (await this.#settle(document, send)) !== undefined && whole;
    }
    if (!whole) return;
    const submission = this.#ledger.open({ kind: 'submission', invoiceTag });
    await this.#settle(submission, (headers) => caller.post(`/applications/${invoiceTag}/submit`, {}, headers));
  }

  /**
   * Sends a write until it is acknowledged, and returns its tag. Half of the unacknowledged ones are sent again with
   * the same key; the others stay unanswered: undefined.
   */
  async #settle(entry: Entry, write: Write): Promise<string | undefined> {
    const isRepeated = randomInt(2) === 0;
    const headers = { 'idempotency-key': randomUUID() };
    for (;;) {
      const answer = await this.#send(write(headers));
      if (answer?.status === 200) {
        const tag = entry.kind === 'submission' ? '' : saved.parse(answer.body).data.tag;
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

  /** The only refusal allowed is a 503 with Retry-After. */
  #judge({ status, headers, body }: Answer): void {
    const retryAfter = headers['retry-after'];
    if (status === 503 && Number(retryAfter) >= 1) return;
    this.#faults.push(`${status}, Retry-After ${String(retryAfter)}: ${JSON.stringify(body)}`);
  }

  /** The reply; undefined if the connection broke or nothing came in time. */
  async #send(call: Promise<Answer>): Promise<Answer | undefined> {
    const began = performance.now();
    const hung = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#faults.push(`no answer within ${HUNG_AFTER_MS} ms`);
      hung.reject(new Error('it hung'));
    }, HUNG_AFTER_MS);
    const answer = await Promise.race([call, hung.promise]).catch(() => undefined);
    clearTimeout(timer);
    const status = answer?.status ?? 0;
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1);
    this.#worstMs = Math.max(this.#worstMs, performance.now() - began);
    return answer;
  }
}

function saveInvoice({ caller, businessTag, buyerId }: Person, invoiceNumber: string): Write {
  const terms = { date: '2026-01-02', currencyId: '1', buyerId: String(buyerId), amount: 1000 };
  return (headers) => caller.post('/invoices', { invoice: { businessTag, invoiceNumber, ...terms } }, headers);
}

/** UGX 900 of 1,000 over 30 days: small enough for thousands within the demonstration's limit. */
function applicationForm(invoiceTag: string, reference: string) {
  const price = { amountAppliedFor: 900, feesCharged: 99, amountReceived: 801 };
  return { invoiceTag, reference, applicationDate: '2026-01-02', financingPeriodId: '3', ...price };
}
