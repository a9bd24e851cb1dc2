import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import type { Piscina } from 'piscina';
import { AppError } from '#server/calls/app-error.ts';
import { FairSemaphore, type Turns } from '#server/machine/fair-semaphore.ts';
import type { Log } from '#server/observability/logging.ts';
import type { Letter } from './letter.ts';

/** Draws letters as PDFs in a separate thread, so that requests are not blocked (docs/decisions/0021-load.md). */
export interface Letters {
  /**
   * Draws a letter, one at a time and deterministically. Throws UNAVAILABLE if it takes too long, needs too much memory
   * or crashes, and if too many wait.
   */
  draw(letter: Letter): Promise<Buffer>;
  /** The number of letters being drawn and waiting. */
  turns(): Turns;
  /** Ends the thread. A letter that is being drawn fails. */
  close(): Promise<void>;
}

/** The drawing module and its limits. */
export interface DrawingLimits {
  /** The module whose `drawLetter` draws. */
  readonly program: string;
  /** The timeout for one letter, including the thread's start. */
  readonly milliseconds: number;
  readonly megabytes: number;
  /** How long the thread waits for another letter. */
  readonly idleMilliseconds: number;
}

export const DRAWING: DrawingLimits = {
  program: join(import.meta.dirname, 'drawing.ts'),
  milliseconds: 30_000,
  // A table row takes 45 KB until its letter is finished, so this is enough for about 8,000 events of one application.
  megabytes: 384,
  // An idle server saves this memory: docs/decisions/0028-benches.md.
  idleMilliseconds: 20_000,
};
const WAITING = 40;
const RETRY_AFTER_SECONDS = 5;
/** Requests go first if both share a core. */
const NICE = 5;

/** A digest that identifies the layout: of the drawing program and the versions of its libraries. */
export const LOOK_OF_LETTERS: Buffer = createHash('sha256')
  .update(readFileSync(DRAWING.program))
  .update(readFileSync(join(import.meta.dirname, '..', '..', 'package.json')))
  .digest();

/** Creates the drawing service. The thread and its library are loaded with the first letter, and released when idle. */
export function openLetters(log: Log, limits: DrawingLimits = DRAWING): Letters {
  // The timeout starts with the drawing, after any wait.
  const turns = new FairSemaphore({ atOnce: 1, waiting: WAITING });
  let thread: Promise<Piscina<Letter, Uint8Array>> | undefined;

  async function draw(letter: Letter): Promise<Buffer> {
    thread ??= openThread(log, limits);
    try {
      const pool = await thread;
      const drawn = await pool.run(letter, { signal: AbortSignal.timeout(limits.milliseconds) });
      return Buffer.from(drawn.buffer, drawn.byteOffset, drawn.byteLength);
    } catch (error) {
      log.error({ err: error }, 'a letter could not be drawn');
      throw new AppError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
  }

  return {
    draw: (letter) => turns.run('', () => draw(letter)),
    turns: () => turns.turns,
    close: async () => {
      await (await thread)?.destroy();
    },
  };
}

/** Starts the thread. It gets none of the server's settings and secrets. */
async function openThread(
  log: Log,
  { program, megabytes, idleMilliseconds }: DrawingLimits,
): Promise<Piscina<Letter, Uint8Array>> {
  const { Piscina } = await import('piscina');
  const cache = getCompileCacheDir();
  const pool = new Piscina<Letter, Uint8Array>({
    filename: program,
    name: 'drawLetter',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMilliseconds,
    niceIncrement: NICE,
    recordTiming: false,
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
    execArgv: ['--no-warnings'], // warnings would be plain text between the log's JSON lines
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
  pool.on('error', (error) => log.error({ err: error }, 'the thread that draws letters broke down'));
  return pool;
}
