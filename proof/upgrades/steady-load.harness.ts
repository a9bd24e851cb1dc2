import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { API_ROOT } from '#contract/endpoint.ts';
import { type Client, invoiceForm } from '#server/invoices/invoices.harness.ts';
import { samplePdf } from '#server/testing/sample-files.ts';
import type { Answer } from '#server/testing/test-app.ts';
import { encodeForm, filePart, uploadFields } from '#server/testing/uploads.ts';

/** People at work while servers come and go: they look, list and save all the time, and some upload over a slow line. */

const PAUSE_MS = 100;
/** An upload takes longer than a server that leaves goes on listening. */
const UPLOAD_PIECES = 16;
const BETWEEN_PIECES_MS = 100;
const MANDATORY_TYPE = 1;

export class SteadyLoad {
  /** Requests that were answered as they had to be. */
  answered = 0;
  uploads = 0;
  readonly failures: string[] = [];
  /** The numbers of invoices whose saving was acknowledged. */
  readonly saved: string[] = [];
  readonly #address: string;
  readonly #people: Promise<void>[];
  #ends = false;

  /** `address`: of what the uploads go to; the clients know where their calls go. */
  constructor(
    address: string,
    clients: readonly Client[],
    uploaders: readonly { client: Client; invoiceTag: string }[],
  ) {
    this.#address = address;
    this.#people = [
      ...clients.map((client) => this.#work(client)),
      ...uploaders.map(({ client, invoiceTag }) => this.#upload(client, invoiceTag)),
    ];
  }

  /** Lets everybody finish what they are at. */
  async end(): Promise<void> {
    this.#ends = true;
    await Promise.all(this.#people);
  }

  async #work(client: Client): Promise<void> {
    while (!this.#ends) {
      await this.#expect('session', client.caller.get('/users/session'));
      await this.#expect('list', client.caller.post('/invoices/paged', { page: 1, businessTag: client.business.tag }));
      const form = invoiceForm(client);
      const saved = client.caller.post(
        '/invoices',
        { userTag: client.person.tag, invoice: form },
        { 'idempotency-key': randomUUID() },
      );
      if (await this.#expect('save', saved)) this.saved.push(form.invoiceNumber);
      await wait(PAUSE_MS);
    }
  }

  async #upload(client: Client, invoiceTag: string): Promise<void> {
    while (!this.#ends) {
      if (await this.#expect('upload', slowUpload(this.#address, client, invoiceTag))) this.uploads += 1;
    }
  }

  async #expect(what: string, answer: Promise<Pick<Answer, 'status'>>): Promise<boolean> {
    try {
      const { status } = await answer;
      if (status === 200) this.answered += 1;
      else this.failures.push(`${what}: ${status}`);
      return status === 200;
    } catch (error) {
      this.failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }
}

/** A PDF in many small pieces, as over a bad line. */
function slowUpload(address: string, { caller }: Client, invoiceTag: string): Promise<{ status: number }> {
  const { payload, headers } = encodeForm([
    ...uploadFields({ invoiceTag, typeId: MANDATORY_TYPE }),
    filePart(samplePdf()),
  ]);
  const cookie = [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return new Promise((resolve, reject) => {
    const sent = request(
      `${address}${API_ROOT}/files/upload`,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': payload.length, 'x-requested-with': 'fetch', cookie },
      },
      (response) => {
        response.resume();
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0 }));
      },
    );
    sent.on('error', reject);
    void sendInPieces(sent, payload);
  });
}

async function sendInPieces(sent: ReturnType<typeof request>, payload: Buffer): Promise<void> {
  const size = Math.ceil(payload.length / UPLOAD_PIECES);
  for (let at = 0; at < payload.length && !sent.destroyed; at += size) {
    sent.write(payload.subarray(at, at + size));
    await wait(BETWEEN_PIECES_MS);
  }
  sent.end();
}
