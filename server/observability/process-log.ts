import { createLog } from './logging.ts';

/**
 * Output of the process itself, besides the server's log: sentences for a person, in production JSON lines like all
 * others.
 */

function isProduction(): boolean {
  return process.env.NODE_ENV === 'production';
}

let isCaptured = false;

/**
 * In production, writes Node's warnings, and uncaught errors before the server runs, as log lines; errors still end the
 * process. Elsewhere, and when called again, it does nothing.
 */
export function captureProcess(): void {
  if (isCaptured || !isProduction()) return;
  isCaptured = true;
  const log = createLog('info');
  process.removeAllListeners('warning'); // Node's own listener, which prints text
  process.on('warning', (warning) => log.warn({ err: warning }, 'a warning of Node'));
  process.on('uncaughtException', endOver);
}

function endOver(error: unknown): void {
  createLog('info').fatal({ err: error }, 'Kasente did not start: an error nobody caught');
  process.exit(1);
}

/** From now on the server handles uncaught errors, with an orderly stop. */
export function releaseErrors(): void {
  process.off('uncaughtException', endOver);
}

/** Writes a sentence at any LOG_LEVEL; `error` is an unexpected one, written with its stack. */
export function say(level: 'info' | 'warn' | 'fatal', sentence: string, error?: unknown): void {
  if (isProduction()) {
    createLog('info')[level](error === undefined ? {} : { err: error }, sentence);
    return;
  }
  const shown = error instanceof Error ? `${sentence}\n${error.stack}` : sentence;
  (level === 'info' ? process.stdout : process.stderr).write(`${shown}\n`);
}
