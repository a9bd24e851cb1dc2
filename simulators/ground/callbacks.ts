import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Book } from './book.ts';
import type { Outgoing } from './provider.ts';

const TIMEOUT_MS = 5000;

interface Due {
  readonly at: number;
  readonly id: string;
  readonly outgoing: Outgoing;
  readonly forged: string | null;
  /** The host header, if it differs from the address. */
  readonly host: string | undefined;
}

/** Callbacks to send. Those not sent before the process ends are lost, because providers do not repeat them. */
export class Callbacks {
  readonly #book: Book;
  #due: Due[] = [];
  readonly #underWay = new Set<Promise<void>>();

  constructor(book: Book) {
    this.#book = book;
  }

  add(due: Due): void {
    this.#due.push(due);
  }

  /** Sends the callbacks that are due. */
  send(now: number): void {
    const due = this.#due.filter(({ at }) => at <= now);
    if (due.length === 0) return;
    this.#due = this.#due.filter(({ at }) => at > now);
    for (const one of due) {
      const sending = this.#call(one).finally(() => this.#underWay.delete(sending));
      this.#underWay.add(sending);
    }
  }

  /** Waits for the answers to sent callbacks. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #call({ id, outgoing, forged, host }: Due): Promise<void> {
    const status = await deliver(outgoing, host);
    this.#book.record({ type: 'called', id, url: outgoing.url, forged, status });
  }
}

/** The status of the answer to a callback; null without an answer. */
function deliver({ method, url, body }: Outgoing, host: string | undefined): Promise<number | null> {
  const text = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(host === undefined ? {} : { host }),
  };
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const sent = request(url, { method, headers, timeout: TIMEOUT_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? null);
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => resolve(null));
    // The connection may close without an error; after an answer, this has no effect.
    sent.once('close', () => resolve(null));
    sent.end(text);
  });
}
