import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { Gathering } from '#server/testing/gathering.ts';

/** What a server says instead of taking a mail. */
export interface Refusal {
  readonly code: number;
  readonly text: string;
}

/** A real SMTP server on this machine that keeps what it gets, and can be told to behave badly. */
export class MailServer {
  /** Every mail whose content arrived whole and was taken, parsed. */
  readonly mails = new Gathering<Email>();
  /** The raw bytes of every mail whose content arrived whole, also of those that were then refused or left unanswered. */
  readonly contents = new Gathering<string>();
  /** Every recipient that was named, in order. */
  readonly recipients = new Gathering<string>();
  /** Says something instead of taking a recipient; undefined takes it. A promise is waited for. */
  onRecipient: (address: string) => Promise<Refusal | undefined> | Refusal | undefined = () => undefined;
  /** Says something after the content; 'break' closes the connection without an answer. */
  onContent: (raw: string) => Promise<Refusal | 'break' | undefined> | Refusal | 'break' | undefined = () => undefined;
  /** Says something instead of letting a login in. */
  onLogin: (username: string) => Refusal | undefined = () => undefined;
  readonly logins: string[] = [];
  readonly #options: SMTPServerOptions;
  #server: SMTPServer | undefined;
  /** The open connections, by the port that they come from. */
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

  /** Listens; after a `close` again at the same port. */
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
