import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createReadStream, realpathSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Removal } from '#contract/documents/removals.ts';
import type { MediaType } from '#contract/documents/schema.ts';
import { AppError } from '#server/calls/app-error.ts';
import { unlessAbsent } from '#server/files/file-storage.ts';
import type { FileStore } from '#server/files/files.ts';
import type { ReceivedFile } from '#server/files/inbox.ts';
import { FairSemaphore, type Turns } from '#server/machine/fair-semaphore.ts';
import type { Log } from '#server/observability/logging.ts';
import { watchUse } from './process-use.ts';
import { type Reading, readerMessage } from './reading.ts';

/** Sanitizes uploaded files in separate processes without access to secrets (docs/decisions/0016). */
export interface FileReaders {
  /**
   * Returns the file to store, which the caller must delete. Senders, identified by key, take turns fairly, one file of
   * a sender at a time. Throws the codes of a refused {@link Reading}; STORAGE_FULL; UNAVAILABLE while too many files
   * wait.
   */
  sanitize(received: ReceivedFile, mediaType: MediaType, key: string): Promise<SanitizedFile>;
  /** The number of files being read and waiting. */
  turns(): Turns;
  /** Ends the processes. Files being read fail. */
  close(): void;
}

/** A re-encoded picture or a rewritten PDF. */
interface SanitizedFile {
  readonly file: ReceivedFile;
  readonly removed: readonly Removal[];
}

interface Limits {
  /** Concurrent processes; other files wait. */
  readonly processes: number;
  readonly waiting: number;
  readonly milliseconds: number;
}

/** As many as there are concurrent uploads (documents.routes.ts), so that no uploaded file is refused. */
export const LIMITS: Limits = { processes: 2, waiting: 60, milliseconds: 30_000 };
/** Enough to start on a busy machine. A file's own limit begins after that. */
const START_LIMIT_MS = 20_000;
const IDLE_MS = 20_000;
/** A process of this size is replaced, which immediately frees a large picture's memory. */
const TIRED_BYTES = 160 * 1024 * 1024;
const FILES_EACH = 200;
/** A file is refused if its process exceeds these. The largest pictures use half of either. */
const FILE_LIMITS = { residentBytes: 208 * 1024 * 1024, cpuMs: 8000 };
/** If both share a core, requests have priority, but only slightly, because a file's time limit is in real time. */
const NICE = 3;

const PROGRAM = join(import.meta.dirname, 'reader.child.ts');
const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Opens the readers of a file store; processes start on demand. */
export function openFileReaders(files: FileStore, log: Log, limits: Limits = LIMITS): FileReaders {
  const queue = new FairSemaphore({ atOnce: limits.processes, atOnceEach: 1, waiting: limits.waiting });
  const idle: ReaderProcess[] = [];
  const all = new Set<ReaderProcess>();

  function take(folder: string): ReaderProcess {
    // A process that was just ended may still be running.
    for (let found = idle.pop(); found !== undefined; found = idle.pop()) if (found.isFresh) return found;
    const started = new ReaderProcess(folder, log, (ended) => {
      all.delete(ended);
      if (idle.includes(ended)) idle.splice(idle.indexOf(ended), 1);
      if (ended.isReading) log.warn({ ready: ended.isReady }, 'a process ended while it read an uploaded file');
    });
    all.add(started);
    return started;
  }

  async function read(received: ReceivedFile, mediaType: MediaType, output: string): Promise<Reading> {
    const reader = take(dirname(received.path));
    const reading = await reader.read({ path: received.path, mediaType, output }, limits.milliseconds);
    if (reader.isFresh) idle.push(reader);
    else reader.end();
    return reading;
  }

  return {
    sanitize: async (received, mediaType, key) => {
      const output = join(dirname(received.path), randomBytes(16).toString('hex'));
      try {
        const reading = await queue.run(key, () => read(received, mediaType, output));
        if (reading.outcome === 'sanitized')
          return { file: await files.receive(createReadStream(output)), removed: reading.removed };
        throw refusalOf(reading, log);
      } finally {
        await unlink(output).catch(unlessAbsent);
      }
    },
    turns: () => queue.turns,
    close: () => {
      for (const reader of all) reader.end();
    },
  };
}

function refusalOf(reading: Extract<Reading, { outcome: 'refused' | 'failed' }>, log: Log): AppError {
  if (reading.outcome === 'refused') return new AppError(reading.code);
  if (reading.code === 'ENOSPC' || reading.code === 'EDQUOT') return new AppError('STORAGE_FULL');
  log.error({ code: reading.code }, 'an uploaded file could not be read');
  return new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
}

/** One process. If it ends while reading, the file is refused, unless the process never started. */
class ReaderProcess {
  readonly #child: ChildProcess;
  readonly #timer: NodeJS.Timeout;
  #isReady = false;
  #limitMs = 0;
  #limit: NodeJS.Timeout | undefined;
  #files = 0;
  #isEnded = false;
  #residentBytes = 0;
  #settle: ((reading: Reading) => void) | undefined;

  constructor(inboxFolder: string, log: Log, onEnd: (ended: ReaderProcess) => void) {
    this.#child = startProcess(inboxFolder);
    passOn(this.#child, log);
    this.#timer = setTimeout(() => this.#endIfIdle(), IDLE_MS).unref();
    this.#child.on('message', (message) => this.#hear(message));
    const onGone = (): void => {
      this.#isEnded = true;
      clearTimeout(this.#timer);
      onEnd(this);
      this.#finish(
        this.#isReady ? { outcome: 'refused', code: 'FILE_TOO_COMPLEX' } : { outcome: 'failed', code: 'NO_READER' },
      );
    };
    this.#child.once('exit', onGone);
    this.#child.once('error', onGone);
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get isReading(): boolean {
    return this.#settle !== undefined;
  }

  /** Whether it has started. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Whether it may read another file. */
  get isFresh(): boolean {
    return !this.#isEnded && this.#files < FILES_EACH && this.#residentBytes < TIRED_BYTES;
  }

  read(task: { path: string; mediaType: MediaType; output: string }, limitMs: number): Promise<Reading> {
    this.#files += 1;
    this.#limitMs = limitMs;
    const unwatch = watchUse(this.#child.pid, FILE_LIMITS, () => this.end());
    this.#endAfter(this.#isReady ? limitMs : START_LIMIT_MS);
    return new Promise<Reading>((resolve) => {
      this.#settle = resolve;
      // After a failed send, the process exits, which is reported.
      this.#child.send(task, () => undefined);
    }).finally(() => {
      unwatch();
      clearTimeout(this.#limit);
      this.#timer.refresh();
    });
  }

  end(): void {
    this.#isEnded = true;
    this.#child.kill('SIGKILL');
  }

  #endAfter(milliseconds: number): void {
    clearTimeout(this.#limit);
    this.#limit = setTimeout(() => this.end(), milliseconds);
  }

  #endIfIdle(): void {
    if (this.#settle === undefined) this.end();
    else this.#timer.refresh();
  }

  #hear(message: unknown): void {
    const heard = readerMessage.safeParse(message);
    if (!heard.success) this.end();
    else if ('ready' in heard.data) {
      this.#isReady = true;
      this.#endAfter(this.#limitMs);
    } else {
      this.#residentBytes = heard.data.residentBytes;
      this.#finish(heard.data.reading);
    }
  }

  #finish(reading: Reading): void {
    this.#settle?.(reading);
    this.#settle = undefined;
  }
}

/** Logs the lines of the process's error output. Neither the process nor its output keeps the server running. */
function passOn({ stderr }: ChildProcess, log: Log): void {
  if (stderr === null) return;
  createInterface({ input: stderr }).on('line', (line) =>
    log.warn({ line }, 'error output of a process that reads files'),
  );
  if (stderr instanceof Socket) stderr.unref();
}

/** Makes glibc return a large picture's memory as soon as it is freed. */
const MEMORY_GOES_BACK = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * The process gets no settings and no secrets of the server, and on the disk only access to the program and the inbox.
 */
function startProcess(inboxFolder: string): ChildProcess {
  const folders = [inboxFolder, realpathSync(inboxFolder)];
  const readable = [ROOT, realpathSync(join(ROOT, 'node_modules')), ...folders];
  const child = fork(PROGRAM, [], {
    env: MEMORY_GOES_BACK,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [
      '--permission',
      '--allow-addons', // the picture library is a native addon
      ...readable.map((folder) => `--allow-fs-read=${folder}`),
      ...folders.map((folder) => `--allow-fs-write=${folder}`),
      '--max-old-space-size=112',
      '--max-semi-space-size=2', // more would stay allocated after a file that needed it
      '--disable-warning=PERM0001',
    ],
  });
  if (child.pid !== undefined) setPriority(child.pid, NICE);
  return child;
}
