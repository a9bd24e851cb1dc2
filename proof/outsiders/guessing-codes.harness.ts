import { expect } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { signUpForm } from '#server/accounts/accounts.harness.ts';
import { createSealer } from '#server/secrets/sealer.ts';
import { uniquePhone } from '#testing/builders.ts';
import { TEST_SECRET } from '#testing/test-platform.ts';
import { addressOf, burstsOf, startTwoServers, type TwoServers } from './two-servers.harness.ts';

/**
 * An attacker who guesses one recipient's codes through every endpoint, and a ledger of the guesses that were compared.
 */

const AT_ONCE = 20;
/** The number of live handles to one code that each flow may have. */
const HANDLES_KEPT = 6;

interface Plan {
  readonly guesses: number;
  readonly days: number;
  /** The planted fault: each new code resets the budget. */
  readonly forgetful?: boolean;
}

interface CodeAttack {
  readonly guesses: number;
  /** The times, in milliseconds, at which the server compared a guess, detected by its digests. */
  readonly comparedAt: readonly number[];
  readonly codesSent: number;
}

type CodePath = '/users/verify_username' | '/reset_password/otp';
/** The newest handles of each flow, newest first. */
type Handles = Map<CodePath, readonly string[]>;

/** The largest number of these times within any 24 hours. */
export function mostInADay(times: readonly number[]): number {
  const within = (end: number) => times.filter((time) => time <= end && end - time < DAY_SECONDS * 1000).length;
  return Math.max(0, ...times.map(within));
}

/** Guesses over days of the held clock, 20 at a time, and requests a new code before each burst. */
export async function guessCodes({ guesses, days, forgetful = false }: Plan): Promise<CodeAttack> {
  const comparedAt: number[] = [];
  const sealer = createSealer(TEST_SECRET);
  const digests = (text: string): Buffer[] => {
    if (text.startsWith('code:')) comparedAt.push(two.app.clock.now().getTime());
    return sealer.digests(text);
  };
  const two = await startTwoServers({}, { sealer: { ...sealer, digests } });
  const recipient = uniquePhone();
  const handles: Handles = new Map();
  const bursts = burstsOf(guesses, AT_ONCE);
  let codesSent = 0;
  for (const nths of bursts) {
    const fresh = await askForCodes(two, recipient, handles);
    codesSent += fresh;
    if (forgetful && fresh > 0) await two.app.platform.db.deleteFrom('code_budgets').execute();
    const sent = await codesOf(two);
    const statuses = await Promise.all(nths.map((nth) => guess(two, handles, nth, sent)));
    expect(statuses.filter((status) => status !== 422 && status !== 429)).toEqual([]);
    two.app.clock.advance((days * DAY_SECONDS) / bursts.length);
  }
  return { guesses, comparedAt, codesSent };
}

/** Signs up again, requests a reset and another PIN; returns the number of codes that the limits allowed. */
async function askForCodes(two: TwoServers, recipient: string, handles: Handles): Promise<number> {
  const keep = (path: CodePath, userTag: string) =>
    handles.set(path, [userTag, ...(handles.get(path) ?? [])].slice(0, HANDLES_KEPT));
  let sent = 0;
  const registered = await two.post('/users/register', signUpForm(recipient));
  if (registered.status === 200) {
    sent += 1;
    keep('/users/verify_username', registered.body.userTag);
  }
  const reset = await two.post('/reset_password/request', { username: recipient });
  if (reset.status === 200) {
    sent += 1;
    keep('/reset_password/otp', reset.body.data.tag);
  }
  const [pinHandle] = handles.get('/users/verify_username') ?? [];
  const resent = await two.post('/users/resend_pin', { userTag: pinHandle });
  if (resent.status === 200) sent += 1;
  return sent;
}

/** The codes that were sent. The attacker never guesses one of them, because success would reset the count. */
async function codesOf({ app }: TwoServers): Promise<ReadonlySet<string>> {
  const messages = await app.platform.db.selectFrom('messages').select('body').execute();
  const texts = messages.map(({ body }) => (body === null ? '' : app.platform.sealer.unseal(body)));
  return new Set(texts.flatMap((text) => /(?<!\d)\d{5}(?!\d)/.exec(text) ?? []));
}

/** Guesses at the newest or an older handle of either flow; returns the status. */
async function guess(two: TwoServers, handles: Handles, nth: number, known: ReadonlySet<string>): Promise<number> {
  const path = nth % 2 === 0 ? '/users/verify_username' : '/reset_password/otp';
  const live = handles.get(path) ?? [];
  let code = nth;
  while (known.has(String(code % 100_000).padStart(5, '0'))) code += 31_337;
  const pin = String(code % 100_000).padStart(5, '0');
  const userTag = live[nth % live.length] ?? 'x'.repeat(43);
  const { status } = await two.call({ path, body: { userTag, pin }, address: addressOf(nth) });
  return status;
}
