import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { Gathering } from '#testing/gathering.ts';

/** A reply that refuses a mail. */
export interface Refusal {
  readonly code: number;
  readonly text: string;
}

/** A real SMTP server on this machine that stores its mails and can be made to misbehave. */
export class MailServer {
  /** Every accepted mail, parsed. */
  readonly mails = new Gathering<Email>();
  /** The raw bytes of every completely received mail, even if it was then refused or left unanswered. */
  readonly contents = new Gathering<string>();
  /** Every recipient named, in order. */
  readonly recipients = new Gathering<string>();
  /** Replies to a recipient; undefined accepts it. A promise is awaited. */
  onRecipient: (address: string) => Promise<Refusal | undefined> | Refusal | undefined = () => undefined;
  /** Replies to the content; 'break' closes the connection without a reply. */
  onContent: (raw: string) => Promise<Refusal | 'break' | undefined> | Refusal | 'break' | undefined = () => undefined;
  /** Replies to a login instead of accepting it. */
  onLogin: (username: string) => Refusal | undefined = () => undefined;
  readonly logins: string[] = [];
  readonly #options: SMTPServerOptions;
  #server: SMTPServer | undefined;
  /** The open connections, by the client's port. */
  readonly #sockets = new Map<number, Socket>();
  #port = 0;

  constructor(options: SMTPServerOptions = {}) {
    this.#options = options;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  /** Listens; after a `close`, on the same port again. */
  async listen(): Promise<this> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 100,
      ...this.#options,
      onAuth: (auth, _session, answer) => {
        this.logins.push(`${auth.username}:${auth.password}`);
        const refusal = asError(this.onLogin(auth.username ?? ''));
        if (refusal) answer(refusal);
        else answer(null, { user: auth.username });
      },
      onRcptTo: ({ address }, _session, answer) => {
        this.recipients.add(address);
        void Promise.resolve(this.onRecipient(address)).then((refusal) => answer(asError(refusal)));
      },
      onData: (stream, session, answer) => void this.#take(stream, session, answer),
    });
    server.on('error', () => undefined); // a client that breaks off is part of the tests
    server.server.on('connection', (socket: Socket) => {
      const { remotePort = 0 } = socket;
      this.#sockets.set(remotePort, socket);
      socket.once('close', () => this.#sockets.delete(remotePort));
    });
    server.listen(this.#port, '127.0.0.1');
    await once(server.server, 'listening');
    const address = server.server.address();
    if (typeof address === 'object' && address !== null) this.#port = address.port;
    this.#server = server;
    return this;
  }

  async #take(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    answer: (error?: Error | null) => void,
  ): Promise<void> {
    const raw = await text(stream).catch(() => undefined);
    if (raw === undefined) return; // the client broke off in the middle
    this.contents.add(raw);
    const reaction = await this.onContent(raw);
    if (reaction === 'break') {
      this.#sockets.get(session.remotePort)?.destroy();
      return;
    }
    if (reaction === undefined) this.mails.add(await PostalMime.parse(raw));
    answer(asError(reaction));
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server !== undefined) await new Promise<void>((resolve) => server.close(resolve));
  }
}

function asError(refusal: Refusal | undefined): Error | null {
  return refusal === undefined ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code });
}
