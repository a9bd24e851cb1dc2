import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { API_ROOT } from '#contract/endpoint.ts';
import { type Client, invoiceForm } from '#server/invoices/invoices.harness.ts';
import { samplePdf } from '#server/testing/sample-files.ts';
import { testCertificate } from '#server/testing/servers/test-certificate.ts';
import { encodeForm, filePart, uploadFields } from '#server/testing/uploads.ts';

/** People at work through a proxy, by TLS on connections that stay, as fast as they are answered. */

/** Once in this many rounds one is saved, and a file uploaded: both are POSTs that no proxy may try again. */
const SAVES_EVERY = 5;
const UPLOADS_EVERY = 20;
const MANDATORY_TYPE = 1;

interface Call {
  readonly what: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** A client, and an invoice of theirs to which documents are added. */
export interface Uploader {
  readonly client: Client;
  readonly invoiceTag: string;
}

export class TlsLoad {
  /** Requests that were answered 200. */
  answered = 0;
  /** What was answered otherwise, or not at all. */
  readonly failures: string[] = [];
  /** The numbers of invoices whose saving was acknowledged. */
  readonly saved: string[] = [];
  readonly #agent = new Agent({ keepAlive: true, ca: testCertificate.cert, servername: 'localhost' });
  readonly #port: number;
  readonly #people: Promise<void>[];
  #ends = false;

  constructor(port: number, people: readonly Uploader[], each: number) {
    this.#port = port;
    this.#people = people.flatMap((person) => Array.from({ length: each }, () => this.#work(person)));
  }

  /** Lets everybody finish what they are at. */
  async end(): Promise<void> {
    this.#ends = true;
    await Promise.all(this.#people);
    this.#agent.destroy();
  }

  async #work({ client, invoiceTag }: Uploader): Promise<void> {
    const json = { 'content-type': 'application/json' };
    const list = JSON.stringify({ page: 1, businessTag: client.business.tag });
    for (let round = 1; !this.#ends; round += 1) {
      await this.#ask(client, { what: 'session', method: 'GET', path: '/users/session' });
      await this.#ask(client, { what: 'list', method: 'POST', path: '/invoices/paged', headers: json, body: list });
      if (round % SAVES_EVERY === 0) {
        const form = invoiceForm(client);
        const body = JSON.stringify({ userTag: client.person.tag, invoice: form });
        const headers = { ...json, 'idempotency-key': randomUUID() };
        const isSaved = await this.#ask(client, { what: 'save', method: 'POST', path: '/invoices', headers, body });
        if (isSaved) this.saved.push(form.invoiceNumber);
      }
      if (round % UPLOADS_EVERY === 0) {
        const { payload, headers } = encodeForm([
          ...uploadFields({ invoiceTag, typeId: MANDATORY_TYPE }),
          filePart(samplePdf()),
        ]);
        await this.#ask(client, { what: 'upload', method: 'POST', path: '/files/upload', headers, body: payload });
      }
    }
  }

  async #ask(client: Client, call: Call): Promise<boolean> {
    const outcome = await this.#send(client, call).catch((error: Error) => error.message);
    if (outcome === 200) this.answered += 1;
    else this.failures.push(`${call.what}: ${outcome}`);
    return outcome === 200;
  }

  #send({ caller }: Client, { method, path, headers = {}, body = '' }: Call): Promise<number> {
    const cookie = [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = { ...headers, cookie, 'x-requested-with': 'fetch', 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const asked = request(
        { host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path: `${API_ROOT}${path}`, headers: sent },
        (response) => {
          response.resume();
          response.on('error', reject);
          response.on('end', () => resolve(response.statusCode ?? 0));
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });
  }
}
