import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { API_ROOT } from '#contract/endpoint.ts';
import type { Connection } from '#server/db/database.ts';
import { buildClient, type Client, invoiceForm, postInvoice, saveInvoice } from '#server/invoices/invoices.harness.ts';
import { samplePdf } from '#testing/sample-files.ts';
import { cookieHeader } from '#testing/servers/server-process.ts';
import { sendSlowly } from '#testing/servers/slow-request.ts';
import type { Answer, TestApp } from '#testing/test-app.ts';
import { encodeForm, filePart, upload, uploadFields } from '#testing/uploads.ts';

/** Clients at work while servers come and go: they view, list, save and upload. */

const MANDATORY_TYPE = 1;
const UPLOAD_PIECES = 16;
/** All pieces together take longer than a stopping server keeps listening. */
const BETWEEN_PIECES_MS = 100;

/** A client, and an invoice of theirs that takes documents. */
export interface Worker {
  readonly client: Client;
  readonly invoiceTag: string;
}

interface Pace {
  readonly pauseMs: number;
  /** Every n-th round, a worker saves an invoice and uploads a document: both are POSTs that no proxy may repeat. */
  readonly savesEvery: number;
  readonly uploadsEvery: number;
}

export const paces = {
  steady: { pauseMs: 100, savesEvery: 1, uploadsEvery: Number.POSITIVE_INFINITY },
  fast: { pauseMs: 0, savesEvery: 5, uploadsEvery: 20 },
} as const satisfies Record<string, Pace>;

export function buildWorkers(app: TestApp, count: number): Promise<Worker[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const client = await buildClient(app);
      return { client, invoiceTag: (await saveInvoice(client)).invoice.tag };
    }),
  );
}

export class WorkLoad {
  /** Requests that were answered 200. */
  answered = 0;
  uploads = 0;
  /** Every other reply and every broken connection. */
  readonly failures: string[] = [];
  /** The invoice numbers of the acknowledged saves. */
  readonly saved: string[] = [];
  readonly #working: Promise<void>[] = [];
  #ends = false;

  /** Steady work at an address, and slow uploads by all workers but the first. */
  static steady(address: string, workers: readonly Worker[]): WorkLoad {
    const load = new WorkLoad();
    for (const worker of workers) load.add(worker, paces.steady);
    for (const worker of workers.slice(1)) load.#working.push(load.#uploadSlowly(address, worker));
    return load;
  }

  /** Lets a worker work until the end. */
  add(worker: Worker, pace: Pace): void {
    this.#working.push(this.#work(worker, pace));
  }

  /** Lets every worker finish the current request. */
  async end(): Promise<void> {
    this.#ends = true;
    await Promise.all(this.#working);
  }

  /** The acknowledged saves that are missing from a database. */
  async lostIn(db: Connection): Promise<string[]> {
    const rows = await db.selectFrom('invoices').select('invoice_number').execute();
    const kept = new Set(rows.map(({ invoice_number }) => invoice_number));
    return this.saved.filter((number) => !kept.has(number));
  }

  async #work({ client, invoiceTag }: Worker, { pauseMs, savesEvery, uploadsEvery }: Pace): Promise<void> {
    const { caller, business } = client;
    for (let round = 1; !this.#ends; round += 1) {
      await this.#expect('session', caller.get('/users/session'));
      await this.#expect('list', caller.post('/invoices/paged', { page: 1, businessTag: business.tag }));
      if (round % savesEvery === 0) {
        const form = invoiceForm(client);
        const save = postInvoice(client, form, { 'idempotency-key': randomUUID() });
        if (await this.#expect('save', save)) this.saved.push(form.invoiceNumber);
      }
      if (round % uploadsEvery === 0) {
        const place = { invoiceTag, typeId: MANDATORY_TYPE };
        if (await this.#expect('upload', upload(caller, place, samplePdf()))) this.uploads += 1;
      }
      if (pauseMs > 0) await wait(pauseMs);
    }
  }

  async #uploadSlowly(address: string, worker: Worker): Promise<void> {
    while (!this.#ends) if (await this.#expect('upload', slowUpload(address, worker))) this.uploads += 1;
  }

  async #expect(what: string, answer: Promise<Pick<Answer, 'status'>>): Promise<boolean> {
    const outcome = await answer.then(
      ({ status }) => status,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (outcome === 200) this.answered += 1;
    else this.failures.push(`${what}: ${outcome}`);
    return outcome === 200;
  }
}

/** Uploads a PDF in many small pieces, as over a bad connection. */
async function slowUpload(address: string, { client: { caller }, invoiceTag }: Worker): Promise<{ status: number }> {
  const form = encodeForm([...uploadFields({ invoiceTag, typeId: MANDATORY_TYPE }), filePart(samplePdf())]);
  const headers = { ...form.headers, 'x-requested-with': 'fetch', cookie: cookieHeader(caller) };
  const pieces = { bytes: Math.ceil(form.payload.length / UPLOAD_PIECES), pauseMs: BETWEEN_PIECES_MS };
  const url = `${address}${API_ROOT}/files/upload`;
  return { status: await sendSlowly(url, { method: 'POST', headers }, form.payload, pieces) };
}
