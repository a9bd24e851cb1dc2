import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { Gathering } from '#testing/gathering.ts';

interface SmsRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly form: Readonly<Record<string, string>>;
}

/** The gateway's reply; 'break' closes the connection without one. */
type SmsAnswer = { readonly status: number; readonly body: unknown } | 'break';

/** Africa's Talking's reply about one recipient. */
export function smsAnswer(statusCode: number, status: string): SmsAnswer {
  const recipient = { statusCode, status, number: '+256700000001', cost: 'UGX 35.0000', messageId: 'ATXid_1' };
  return { status: 201, body: { SMSMessageData: { Message: 'Sent to 1/1', Recipients: [recipient] } } };
}

/** A stand-in for Africa's Talking on this machine; its replies follow the vendor's documentation. */
export class SmsGateway {
  readonly requests = new Gathering<SmsRequest>();
  answer: () => Promise<SmsAnswer> | SmsAnswer = () => smsAnswer(101, 'Success');
  readonly #server: Server;
  readonly #protocol: 'http' | 'https';
  #port = 0;

  constructor(certificate?: { readonly key: string; readonly cert: string }) {
    this.#protocol = certificate === undefined ? 'http' : 'https';
    this.#server = certificate === undefined ? createHttpServer() : createHttpsServer(certificate);
    this.#server.on('request', (request, response) => void this.#serve(request, response));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const { method, url: path, headers } = request;
    this.requests.add({ method, path, headers, form });
    const answer = await this.answer();
    if (answer === 'break') request.socket.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  }

  get url(): string {
    return `${this.#protocol}://localhost:${this.#port}`;
  }

  /** The settings for using it. */
  get settings(): Record<string, string> {
    return { SMS_URL: this.url, SMS_USERNAME: 'kasente', SMS_API_KEY: 'atsk_secret', SMS_SENDER: 'KASENTE' };
  }

  /** Listens; after a `close`, on the same port again. */
  async listen(): Promise<this> {
    this.#server.listen(this.#port, 'localhost');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (typeof address === 'object' && address !== null) this.#port = address.port;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}
