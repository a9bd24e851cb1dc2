import type { FastifyBaseLogger } from 'fastify';
import { type DestinationStream, pino } from 'pino';

export type Log = FastifyBaseLogger;

/** Keys whose values never reach a log line, wherever they stand. */
const secretKeys = [
  'password',
  'newPassword',
  'pin',
  'otpTag',
  'userTag',
  'cookie',
  'authorization',
  'token',
  'handle',
  'secret',
  'recoveryCodes',
];

/** Structured logs on standard output, unless told where to; secrets are censored by key at the first three levels. */
export function createLog(level: string, destination: DestinationStream = pino.destination(1)): Log {
  const options = {
    level,
    redact: {
      paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      censor: '[secret]',
    },
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return pino(options, destination);
}
