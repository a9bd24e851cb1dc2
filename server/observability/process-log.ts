import { createLog } from './logging.ts';

/**
 * Output of the process itself, besides the server's log: sentences for people, or in production JSON lines like all
 * others.
 */

function isProduction(): boolean {
  return process.env.NODE_ENV === 'production';
}

let isCaptured = false;

/**
 * In production, writes Node's warnings, and errors that nobody catches before the server runs, as log lines; such
 * errors still end the process. Does nothing elsewhere, or when called again.
 */
export function captureProcess(): void {
  if (isCaptured || !isProduction()) return;
  isCaptured = true;
  const log = createLog('info');
  process.removeAllListeners('warning'); // Node's own listener prints plain text
  process.on('warning', (warning) => log.warn({ err: warning }, 'a warning of Node'));
  process.on('uncaughtException', endOver);
}

function endOver(error: unknown): void {
  createLog('info').fatal({ err: error }, 'Kasente did not start: an error nobody caught');
  process.exit(1);
}

/** Leaves uncaught errors to the server, which stops in an orderly way. */
export function releaseErrors(): void {
  process.off('uncaughtException', endOver);
}

/** Writes a sentence at any LOG_LEVEL. `error` is an unexpected error, written with its stack. */
export function say(level: 'info' | 'warn' | 'fatal', sentence: string, error?: unknown): void {
  if (isProduction()) {
    createLog('info')[level](error === undefined ? {} : { err: error }, sentence);
    return;
  }
  const shown = error instanceof Error ? `${sentence}\n${error.stack}` : sentence;
  (level === 'info' ? process.stdout : process.stderr).write(`${shown}\n`);
}
