import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { API_ROOT } from '#contract/endpoint.ts';
import { signUpForm } from '#server/accounts/accounts.harness.ts';
import { buildPerson, uniquePhone } from '#testing/builders.ts';
import type { TestApp } from '#testing/test-app.ts';
import { addressOf } from './two-servers.harness.ts';

/** A stranger queries pairs of usernames, a known and an unknown one, through every public endpoint. */

/** The endpoints, and the status that both usernames must get. */
export const questions = {
  register: {
    path: '/users/register',
    status: 200,
    body: signUpForm,
  },
  login: {
    path: '/users/login',
    status: 401,
    body: (username: string) => ({ username, password: 'Not-the-password-1' }),
  },
  reset: { path: '/reset_password/request', status: 200, body: (username: string) => ({ username }) },
} as const satisfies Record<string, { path: string; status: number; body: (username: string) => object }>;

export type Question = keyof typeof questions;
export const everyQuestion = ['register', 'login', 'reset'] as const satisfies readonly Question[];

/** A reply prepared for comparison: random values and the time of day are blanked. */
export interface Seen {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

export function seen(status: number, headers: IncomingHttpHeaders | Record<string, unknown>, body: string): Seen {
  const { date: _, ...others } = headers;
  const inOrder = Object.entries(others).toSorted(([one], [other]) => one.localeCompare(other));
  return { status, headers: blanked(JSON.stringify(inOrder)), body: blanked(body) };
}

/** Blanks handles of 43 characters. */
function blanked(text: string): string {
  return text.replaceAll(/(?<![\w-])[\w-]{43}(?![\w-])/g, 'handle');
}

let emails = randomInt(1_000_000_000);
/** An unused phone number or email address, in turn. */
export function newUsername(nth: number): string {
  emails += 1;
  return nth % 2 === 0 ? uniquePhone() : `person${emails}@example.com`;
}

/** Builds people; returns their usernames. */
export async function knownUsernames(app: TestApp, count: number): Promise<string[]> {
  const usernames = [];
  for (let nth = 0; nth < count; nth += 1) {
    usernames.push((await buildPerson(app, { username: newUsername(nth), perms: [] })).username);
  }
  return usernames;
}

/** Response times of many pairs, in milliseconds. */
export interface Times {
  readonly known: number[];
  readonly unknown: number[];
}

interface Survey {
  readonly address: string;
  readonly question: Question;
  /** One for each pair, the warm-up first. */
  readonly known: readonly string[];
  readonly warmUp: number;
}

let asked = 0;

/**
 * Queries each known username and an unknown one over one kept-alive connection, in random order within the pair, and
 * expects equal replies. Times are from the request's first byte to the reply's last.
 */
export async function survey({ address, question, known, warmUp }: Survey): Promise<Times> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: Times = { known: [], unknown: [] };
  for (const [nth, username] of known.entries()) {
    const stranger = newUsername(nth);
    const knownFirst = randomInt(2) === 0;
    const first = await ask(agent, address, question, knownFirst ? username : stranger);
    const second = await ask(agent, address, question, knownFirst ? stranger : username);
    expect(second.seen).toEqual(first.seen);
    expect(first.seen.status).toBe(questions[question].status);
    if (nth < warmUp) continue;
    times.known.push(knownFirst ? first.ms : second.ms);
    times.unknown.push(knownFirst ? second.ms : first.ms);
  }
  agent.destroy();
  return times;
}

async function ask(agent: Agent, address: string, question: Question, username: string) {
  const { path, body } = questions[question];
  const payload = JSON.stringify(body(username));
  asked += 1;
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(payload),
    'x-forwarded-for': addressOf(asked),
  };
  const began = performance.now();
  const call = request(`${address}${API_ROOT}${path}`, { method: 'POST', agent, headers });
  call.end(payload);
  const [response] = await once(call, 'response');
  const answer = await text(response);
  return { ms: performance.now() - began, seen: seen(response.statusCode, response.headers, answer) };
}
