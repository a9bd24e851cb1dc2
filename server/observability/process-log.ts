import { createLog } from './logging.ts';

/** What the process itself says, beside the server's log: sentences for a person, in production lines of JSON like all others. */

function isProduction(): boolean {
  return process.env.NODE_ENV === 'production';
}

let isCaptured = false;

/**
 * In production, has Node's warnings, and errors that nobody catches before the server stands, written as lines of the log; they
 * end the process as ever. Elsewhere, and when it is called again, it does nothing.
 */
export function captureProcess(): void {
  if (isCaptured || !isProduction()) return;
  isCaptured = true;
  const log = createLog('info');
  process.removeAllListeners('warning'); // Node's own, which prints text
  process.on('warning', (warning) => log.warn({ err: warning }, 'a warning of Node'));
  process.on('uncaughtException', endOver);
}

function endOver(error: unknown): void {
  createLog('info').fatal({ err: error }, 'Kasente did not start: an error nobody caught');
  process.exit(1);
}

/** Errors that nobody catches are somebody else's from now on: the server's, which then stops in order. */
export function releaseErrors(): void {
  process.off('uncaughtException', endOver);
}

/** Says a sentence, whatever LOG_LEVEL is; `error` is for what nobody foresaw, and is shown with where it came from. */
export function say(level: 'info' | 'warn' | 'fatal', sentence: string, error?: unknown): void {
  if (isProduction()) {
    createLog('info')[level](error === undefined ? {} : { err: error }, sentence);
    return;
  }
  const shown = error instanceof Error ? `${sentence}\n${error.stack}` : sentence;
  (level === 'info' ? process.stdout : process.stderr).write(`${shown}\n`);
}
