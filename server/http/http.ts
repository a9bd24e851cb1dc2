import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { API_ROOT, type Endpoint } from '#contract/endpoint.ts';
import type { FailureCode } from '#contract/errors.ts';
import type { byTag } from '#contract/fields.ts';
import { may } from '#contract/permissions.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Caller, SessionPerson } from '#server/calls/caller.ts';
import { type Done, done } from '#server/calls/done.ts';
import { inRetryBudget } from '#server/db/connect/database-away.ts';
import { scopedDatabase } from '#server/db/database.ts';
import { asSystem, inScopeOf } from '#server/db/row-scope.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Context } from '#server/platform/work.ts';
import { findSession, needsSecondFactor } from '#server/sessions/sessions.ts';
import { FairTurns } from '#server/traffic/fair-turns.ts';
import { isCrossSite } from './cross-site.ts';
import { readJson } from './json-bodies.ts';
import { plainMessage } from './plain-messages.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, once they are authenticated and permitted. */
    person: SessionPerson | null;
    /** The caller's tag, for the log. */
    personTag: string | null;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

interface Call<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, Person> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
  readonly caller: Caller<Person>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

// biome-ignore lint/suspicious/noConfusingVoidType: the type of a handler without a `return`.
type Nothing = void;

/** A handler's reply. If the handler returns nothing, the reply is {@link done}, provided the contract allows that. */
type Reply<R extends z.ZodType> = z.input<R> | (Done extends z.input<R> ? Nothing : never);

type Handler<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType, Person> = (
  call: Call<P, Q, B, Person>,
) => Promise<Reply<R>>;

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** A route's options: `onRequest` runs before the body is read. */
interface Way {
  readonly handle: Handle;
  readonly onRequest: (request: FastifyRequest) => Promise<void>;
}

const LONGEST_KEY = 200;

function signedIn(person: SessionPerson | null): SessionPerson {
  if (person === null) throw new AppError('NOT_SIGNED_IN');
  return person;
}

/** Registers features' endpoints; one handler serves the canonical path and its aliases. */
export class Routes {
  readonly #server: FastifyInstance;
  readonly #turns: FairTurns;
  /** The handlers' platform: statements see only rows of the request's caller. */
  readonly platform: Platform;

  constructor(server: FastifyInstance, platform: Platform, turns = new FairTurns(platform)) {
    this.#server = server;
    this.#turns = turns;
    this.platform = { ...platform, db: scopedDatabase(platform) };
  }

  /** Serves an endpoint that anybody may call. */
  open<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
    endpoint: Endpoint<P, Q, B, R>,
    handler: Handler<P, Q, B, R, SessionPerson | null>,
  ): void {
    if (endpoint.needs !== 'public') throw new Error(`${endpoint.path} is not public`);
    this.#add(endpoint, (request, reply) => this.#run(endpoint, handler, (person) => person, { request, reply }));
  }

  /**
   * Serves a public-auth endpoint: sign-up, login, reset, logout. It works on everybody's accounts, because nobody is
   * signed in yet. Its replies are bound to the caller's secret (docs/decisions/0019-row-security.md).
   */
  publicAuth<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
    endpoint: Endpoint<P, Q, B, R>,
    handler: Handler<P, Q, B, R, SessionPerson | null>,
  ): void {
    this.open(endpoint, (call) => asSystem('publicAuth', () => handler(call)));
  }

  /** Serves an endpoint that needs a session and the contract's permission. */
  signedIn<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
    endpoint: Endpoint<P, Q, B, R>,
    handler: Handler<P, Q, B, R, SessionPerson>,
  ): void {
    if (endpoint.needs === 'public') throw new Error(`${endpoint.path} is public`);
    this.#add(endpoint, (request, reply) => this.#run(endpoint, handler, signedIn, { request, reply }));
  }

  /** Serves a signed-in endpoint with a service that takes the call's body. */
  byBody<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
    endpoint: Endpoint<z.ZodUndefined, Q, B, R>,
    service: (context: Context, body: z.output<B>) => Promise<Reply<R>>,
  ): void {
    this.signedIn(endpoint, ({ caller, body }) => service({ platform: this.platform, caller }, body));
  }

  /** Like {@link byBody}, for an endpoint whose path has a tag: the service takes the tag and the body. */
  byTag<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
    endpoint: Endpoint<typeof byTag, Q, B, R>,
    service: (context: Context, tag: string, body: z.output<B>) => Promise<Reply<R>>,
  ): void {
    this.signedIn(endpoint, ({ caller, params, body }) =>
      service({ platform: this.platform, caller }, params.tag, body),
    );
  }

  #add(endpoint: Endpoint, handle: Handle): void {
    const { bytes, bodyTypes } = endpoint;
    const way: Way = { handle, onRequest: (request) => this.#admit(endpoint, request) };
    // Other content types than JSON are accepted on these routes only.
    if (bytes !== undefined)
      void this.#server.register(async (room) => this.#serve(readBytes(room, bytes), endpoint, way));
    else if (bodyTypes !== undefined)
      void this.#server.register(async (room) => {
        readJson(room, bodyTypes);
        this.#serve(room, endpoint, way);
      });
    else this.#serve(this.#server, endpoint, way);
  }

  #serve(server: FastifyInstance, endpoint: Endpoint, { handle, onRequest }: Way): void {
    for (const { method, path } of [endpoint, ...(endpoint.aliases ?? [])]) {
      server.route({
        method,
        url: `${API_ROOT}${path}`,
        ...(endpoint.maximumBytes === undefined ? {} : { bodyLimit: endpoint.maximumBytes }),
        config: { endpoint },
        // Refusals come before the body is read: cross-site, session, second factor, permission. If a second factor is
        // required, nothing else is open without it.
        onRequest: async (request, reply) => {
          reply.header('cache-control', 'no-store'); // personal data is never cached
          if (endpoint.anyBodyType) request.headers = { 'content-type': 'application/json' };
          await onRequest(request);
          if (endpoint.file || endpoint.bytes !== undefined) await this.#turns.holdTransfer(request, reply);
        },
        handler: endpoint.ownQueue
          ? handle
          : (request, reply) => this.#turns.run(request, () => handle(request, reply)),
      });
    }
  }

  /** Finds the caller. The turn ends before the body arrives, because on a slow line it would be held for long. */
  async #admit(endpoint: Endpoint, request: FastifyRequest): Promise<void> {
    this.#refuseCrossSite(endpoint, request);
    if (endpoint.needs === 'public') return;
    await this.#turns.lookUp(request, () => this.#letIn(endpoint, request));
  }

  /** Finds the caller. Throws NOT_SIGNED_IN, SECOND_FACTOR_NEEDED, FORBIDDEN. */
  async #letIn(endpoint: Endpoint, request: FastifyRequest): Promise<void> {
    const search = () => asSystem('session', () => findSession(this.platform, request));
    const person = await inRetryBudget(search, request);
    if (person === undefined) {
      this.#turns.sessions.forget(request.raw);
      throw new AppError('NOT_SIGNED_IN');
    }
    request.person = person;
    request.personTag = person.tag;
    this.#turns.sessions.remember(request.raw, person);
    const refusal = this.#refusalOf(endpoint, person);
    if (refusal !== undefined) throw new AppError(refusal);
  }

  #refusalOf({ beforeSecondFactor, needs }: Endpoint, person: SessionPerson): FailureCode | undefined {
    if (beforeSecondFactor !== true && needsSecondFactor(this.platform.config, person)) return 'SECOND_FACTOR_NEEDED';
    return needs !== 'public' && needs !== 'session' && !may(person, needs) ? 'FORBIDDEN' : undefined;
  }

  #refuseCrossSite({ changes }: Endpoint, request: FastifyRequest): void {
    if (changes && isCrossSite(request, this.platform.config.publicUrl)) throw new AppError('CROSS_SITE');
  }

  async #run<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType, Person>(
    endpoint: Endpoint<P, Q, B, R>,
    handler: Handler<P, Q, B, R, Person>,
    personOf: (person: SessionPerson | null) => Person,
    exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  ): Promise<unknown> {
    const { request } = exchange;
    const run = (): Promise<Reply<R>> => {
      const { idempotencyKey, ...input } = readCall(endpoint, request);
      const person = personOf(request.person);
      const caller = { person, now: this.platform.clock.now(), ip: request.ip, requestId: request.id, idempotencyKey };
      const work = () => handler({ ...input, caller, ...exchange });
      return inScopeOf(request.person, work);
    };
    const answer = await inRetryBudget(run, request);
    return this.#present(endpoint, answer ?? done);
  }

  #present({ file, reply }: Endpoint, answer: unknown): unknown {
    return file || this.platform.config.production ? answer : reply.parse(answer);
  }
}

/** Parses a request's input. Throws BAD_REQUEST, NOT_FOUND. */
function readCall<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  request: FastifyRequest,
) {
  return {
    // An invalid body is reported before an unknown tag in the path.
    query: parse(endpoint.query, request.query, 'BAD_REQUEST'),
    body: parse(endpoint.multipart ? undefined : endpoint.body, request.body, 'BAD_REQUEST'),
    params: parse(endpoint.params, request.params, 'NOT_FOUND'),
    idempotencyKey: readKey(request),
  };
}

/** Lets the server read complete `application/octet-stream` bodies up to that size. */
function readBytes(server: FastifyInstance, bodyLimit: number): FastifyInstance {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/octet-stream', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
    done(null, body),
  );
  return server;
}

function readKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length > 0 && key.length <= LONGEST_KEY) return key;
  throw new AppError('BAD_REQUEST', { fields: { 'Idempotency-Key': `Use 1 to ${LONGEST_KEY} characters` } });
}

/** Parses input. If the schema refuses it, throws a failure whose `fields` has each invalid field. */
export function parse<T extends z.ZodType>(
  schema: T | undefined,
  value: unknown,
  code: 'BAD_REQUEST' | 'NOT_FOUND',
): z.output<T> {
  // Without a schema there is nothing to parse; the type is z.ZodUndefined.
  if (schema === undefined) return undefined as z.output<T>;
  const parsed = schema.safeParse(value, { error: plainMessage });
  if (parsed.success) return parsed.data;
  throw code === 'NOT_FOUND' ? new AppError(code) : new AppError(code, { fields: fieldMessages(parsed.error) });
}

/** The first message for each invalid field, by path ('invoice.amount'; '' for the whole). */
export function fieldMessages(error: z.ZodError): Record<string, string> {
  const fields = new Map<string, string>();
  for (const issue of error.issues) {
    const unknownKeys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    if (unknownKeys.length === 0) addFirst(fields, issue.path.join('.'), issue.message);
    for (const key of unknownKeys) addFirst(fields, [...issue.path, key].join('.'), 'This field is not known');
  }
  return Object.fromEntries(fields);
}

function addFirst(fields: Map<string, string>, path: string, message: string): void {
  if (!fields.has(path)) fields.set(path, message);
}
