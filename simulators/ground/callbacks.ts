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
  /** The host header, if it differs from the address's host. */
  readonly host: string | undefined;
}

/** Callbacks on their way out. One that a process has not sent when it ends is never sent: providers do not repeat them. */
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

  /** Sends what is due by now. */
  send(now: number): void {
    const due = this.#due.filter(({ at }) => at <= now);
    if (due.length === 0) return;
    this.#due = this.#due.filter(({ at }) => at > now);
    for (const one of due) {
      const sending = this.#call(one).finally(() => this.#underWay.delete(sending));
      this.#underWay.add(sending);
    }
  }

  /** Waits for the answers to what is on its way. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #call({ id, outgoing, forged, host }: Due): Promise<void> {
    const status = await deliver(outgoing, host);
    this.#book.record({ type: 'called', id, url: outgoing.url, forged, status });
  }
}

/** The status that the callback was answered with, or null where nobody answered. */
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
    // If it was cut off without an error; after an answer it changes nothing.
    sent.once('close', () => resolve(null));
    sent.end(text);
  });
}
