import { createServer, type Socket } from 'node:net';

/** A stand-in for ClamAV's daemon, which speaks its INSTREAM command. */
export interface TestClamav {
  /** The value for `CLAMAV_URL`. */
  readonly url: string;
  /** The scanned files. */
  readonly seen: readonly Buffer[];
  /** Replaces the result of the next scan. */
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

type Behaviour = 'scan' | 'fail' | 'hang up' | 'babble';

/** Starts a {@link TestClamav} that reports every file that contains the signature. */
export async function startClamav(signature: Buffer): Promise<TestClamav> {
  const seen: Buffer[] = [];
  const sockets = new Set<Socket>();
  let behaviour: Behaviour = 'scan';
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let received = Buffer.alloc(0);
    socket.on('data', (piece) => {
      received = Buffer.concat([received, piece]);
      if (behaviour === 'hang up') socket.destroy();
      const content = readStream(received);
      if (content === undefined) return;
      seen.push(content);
      socket.end(answerTo(content, behaviour, signature));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  return {
    url: `tcp://127.0.0.1:${address.port}`,
    seen,
    behave: (next) => {
      behaviour = next;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerTo(content: Buffer, behaviour: Behaviour, signature: Buffer): string {
  if (behaviour === 'fail') return 'INSTREAM size limit exceeded. ERROR\0';
  if (behaviour === 'babble') return 'x'.repeat(5000);
  return content.includes(signature) ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0';
}

const COMMAND = Buffer.from('zINSTREAM\0');

/** The file, once the chunk of length 0 has arrived; throws for a violation of the protocol. */
function readStream(received: Buffer): Buffer | undefined {
  if (received.length < COMMAND.length) return undefined;
  if (!received.subarray(0, COMMAND.length).equals(COMMAND)) throw new Error('no INSTREAM command');
  const pieces: Buffer[] = [];
  for (let at = COMMAND.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
}
