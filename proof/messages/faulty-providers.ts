import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ProviderLedger } from './message-ledger.ts';

/**
 * Faulty providers of emails and text messages, with a fault for each message: they refuse retryable messages at the
 * first attempt, and keep messages without confirming that they accepted them.
 */

/** The fault of a message; those with 'first' are accepted at the second attempt. */
export const faults = [
  'none',
  'slow',
  'refused first',
  'refused first, after the content',
  'nonsense first, before the content',
  'nonsense instead of an answer',
  'a number that is no code',
  'dropped instead of an answer',
] as const;
/** Faults that take minutes. */
export const silences = ['silence first, before the content', 'silence instead of an answer'] as const;
export type Fault = (typeof faults)[number] | (typeof silences)[number];
export type FaultOf = (number: number) => Fault;

const SLOW_MS = 300;
const NONSENSE = '¿banana? <html>\r\n';

interface Conversation {
  readonly socket: Socket;
  buffered: string;
  number: number;
  inContent: boolean;
}

/** An SMTP server with faults. */
export class FaultySmtp {
  readonly #ledger: ProviderLedger;
  readonly #faultOf: FaultOf;
  readonly #attempts = new Map<number, number>();
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port: number;

  constructor(ledger: ProviderLedger, faultOf: FaultOf, port: number) {
    this.#ledger = ledger;
    this.#faultOf = faultOf;
    this.#port = port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    this.#server = createServer((socket) => this.#serve(socket)).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Stops listening and cuts every connection. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.setEncoding('latin1');
    const conversation: Conversation = { socket, buffered: '', number: 0, inContent: false };
    socket.on('data', (piece) => this.#hear(conversation, String(piece)));
    socket.write('220 faulty\r\n');
  }

  #hear(conversation: Conversation, piece: string): void {
    conversation.buffered += piece;
    for (;;) {
      const ending = conversation.inContent ? '\r\n.\r\n' : '\r\n';
      const end = conversation.buffered.indexOf(ending);
      if (end === -1) return;
      const heard = conversation.buffered.slice(0, end);
      conversation.buffered = conversation.buffered.slice(end + ending.length);
      if (conversation.inContent) this.#takeContent(conversation);
      else this.#takeLine(conversation, heard);
    }
  }

  #takeLine(conversation: Conversation, line: string): void {
    const { socket } = conversation;
    if (/^RCPT/i.test(line)) {
      conversation.number = Number(/<p(\d+)@/.exec(line)?.[1]);
      const attempt = (this.#attempts.get(conversation.number) ?? 0) + 1;
      this.#attempts.set(conversation.number, attempt);
      this.#answerRecipient(conversation, attempt === 1);
    } else if (/^DATA/i.test(line)) {
      conversation.inContent = true;
      socket.write('354 go on\r\n');
    } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
    else socket.write('250 yes\r\n');
  }

  #answerRecipient({ socket, number }: Conversation, isFirst: boolean): void {
    const fault = this.#faultOf(number);
    if (fault === 'refused first' && isFirst) socket.write('451 4.3.0 later\r\n');
    else if (fault === 'nonsense first, before the content' && isFirst) socket.write(NONSENSE);
    else if (fault !== 'silence first, before the content' || !isFirst) socket.write('250 yes\r\n');
  }

  #takeContent(conversation: Conversation): void {
    conversation.inContent = false;
    const { socket, number } = conversation;
    const fault = this.#faultOf(number);
    if (fault === 'refused first, after the content' && this.#attempts.get(number) === 1) {
      socket.write('451 4.3.0 later\r\n');
      return;
    }
    this.#ledger.receive(number, Date.now());
    if (fault === 'slow') setTimeout(() => socket.write('250 taken\r\n'), SLOW_MS);
    else if (fault === 'nonsense instead of an answer') socket.write(NONSENSE);
    else if (fault === 'a number that is no code') socket.write('999 taken, or not\r\n');
    else if (fault === 'dropped instead of an answer') socket.destroy();
    else if (fault !== 'silence instead of an answer') socket.write('250 taken\r\n');
  }
}

const SENT = { statusCode: 101, status: 'Success', number: '+256700000001', cost: 'UGX 35', messageId: '1' };

/** A stand-in for Africa's Talking with faults. */
export class FaultySms {
  readonly #ledger: ProviderLedger;
  readonly #faultOf: FaultOf;
  readonly #attempts = new Map<number, number>();
  readonly #port: number;
  readonly #server = createHttpServer((request, response) => void this.#serve(request, response));

  constructor(ledger: ProviderLedger, faultOf: FaultOf, port: number) {
    this.#ledger = ledger;
    this.#faultOf = faultOf;
    this.#port = port;
  }

  get settings(): Record<string, string> {
    return { SMS_URL: `http://127.0.0.1:${this.#port}`, SMS_USERNAME: 'kasente', SMS_API_KEY: 'a-key' };
  }

  async listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const number = Number(form.get('to')?.slice('+2567'.length));
    const attempt = (this.#attempts.get(number) ?? 0) + 1;
    this.#attempts.set(number, attempt);
    const fault = this.#faultOf(number);
    if (attempt === 1 && fault.includes('first')) {
      if (fault === 'refused first, after the content') this.#answer(response, 405, 'InsufficientBalance');
      else response.writeHead(fault === 'refused first' ? 503 : 400).end(NONSENSE);
      return;
    }
    this.#ledger.receive(number, Date.now());
    if (fault === 'slow') setTimeout(() => this.#answer(response), SLOW_MS);
    else if (fault === 'nonsense instead of an answer') response.writeHead(201).end(NONSENSE);
    else if (fault === 'a number that is no code') response.writeHead(999).end();
    else if (fault === 'dropped instead of an answer') request.socket.destroy();
    else if (fault !== 'silence instead of an answer') this.#answer(response);
  }

  #answer(response: ServerResponse, statusCode = SENT.statusCode, status = SENT.status): void {
    const data = { SMSMessageData: { Message: 'Sent to 1/1', Recipients: [{ ...SENT, statusCode, status }] } };
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(data));
  }
}
