import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';

export type Log = FastifyBaseLogger;

/** Keys whose values never reach a log line, wherever they stand. */
const secretKeys = ['password', 'newPassword', 'pin', 'otpTag', 'userTag', 'cookie', 'authorization', 'token'];

/** Structured logs on standard output; secrets are censored by key at the first three levels. */
export function createLog(level: string): Log {
  return pino({
    level,
    redact: {
      paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      censor: '[secret]',
    },
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}
