import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sayWait } from '#contract/counts.ts';
import { type FailureCode, failures } from '#contract/errors.ts';
import { AppError } from '#server/calls/app-error.ts';
import { isAwayOrUnknown } from '#server/db/connect/database-away.ts';
import { failurePage, isFileTab } from '#server/responses/failure-page.ts';

/** The catalogue's codes for errors of Fastify and its plugins. Any other of their errors below 500 is MALFORMED. */
const known: Readonly<Record<string, FailureCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_REQ_FILE_TOO_LARGE: 'FILE_TOO_LARGE',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'MEDIA_TYPE',
  // The disk is full: for this machine, its user, or PostgreSQL.
  ENOSPC: 'STORAGE_FULL',
  EDQUOT: 'STORAGE_FULL',
  '53100': 'STORAGE_FULL',
};

/** PostgreSQL's codes for transient errors: deadlocks and the like (40), lack of resources (53). */
const passing = /^(40...|53...)$/;

declare module 'fastify' {
  interface FastifyReply {
    /** The refusal, for the log. */
    failure: FailureCode | null;
  }
}

/**
 * The only place where an exception becomes a reply: `{ success: false, msg, code, fields? }`
 * (docs/decisions/0041-left-open.md).
 */
export function answerFailures(server: FastifyInstance): void {
  server.decorateReply('failure', null);
  server.setErrorHandler((error, request, reply) => {
    const failure = asAppError(error);
    if (failure.code === 'INTERNAL') request.log.error({ err: error, request: describe(request) }, 'a request failed');
    return sendFailure(reply, failure);
  });
}

/** Replies with a failure of the catalogue; as a page if a person opened the address in a tab. */
export function sendFailure(reply: FastifyReply, { code, details }: AppError): FastifyReply {
  const { status, msg } = failures[code];
  reply.failure = code;
  const { fields, retryAfterSeconds: wait, more } = details;
  const waits = status === 429 && wait !== undefined ? `Try again in ${sayWait(wait)}` : undefined;
  if (wait !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(wait)));
  reply.code(status).header('cache-control', 'no-store');
  if (isFileTab(reply.request)) return reply.type('text/html; charset=utf-8').send(failurePage(code));
  return reply.send({
    success: false,
    msg: [msg, waits, more].filter((sentence) => sentence !== undefined).join('. '),
    code,
    ...(fields === undefined ? {} : { fields }),
    ...details.extra,
  });
}

/**
 * Replies to a path that the router cannot parse, or that is too long. No hook runs for it, so we set the security
 * headers here.
 */
export function refusePath(error: { readonly code: string }, _request: FastifyRequest, reply: FastifyReply): void {
  const code = error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? 'NOT_FOUND' : 'MALFORMED';
  const { status, msg } = failures[code];
  reply
    .code(status)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
    .send({ success: false, msg, code });
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isAwayOrUnknown(error) || isPoolBusy(error)) return new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
  const { code, statusCode } = readError(error);
  const named = known[code];
  if (named !== undefined) return new AppError(named);
  if (passing.test(code)) return new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
  return new AppError(statusCode >= 400 && statusCode < 500 ? 'MALFORMED' : 'INTERNAL');
}

/** Whether no connection became free in time; the driver has no code for that. */
function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

function readError(error: unknown): { code: string; statusCode: number } {
  if (typeof error !== 'object' || error === null) return { code: '', statusCode: 500 };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const statusCode = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  return { code, statusCode };
}

/** A request for the log: its route, never its query or body. */
function describe(request: FastifyRequest) {
  return { method: request.method, route: request.routeOptions.url ?? 'none', person: request.personTag };
}
