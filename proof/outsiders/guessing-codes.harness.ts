import { expect } from 'vitest';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { createSealer } from '#server/secrets/sealer.ts';
import { uniquePhone } from '#server/testing/builders.ts';
import { TEST_SECRET } from '#server/testing/test-platform.ts';
import { addressOf, startTwoServers, type TwoServers } from './two-servers.harness.ts';

/** An attacker who guesses at one recipient's codes by every way there is, and the ledger of what was compared. */

const AT_ONCE = 20;
/** Live handles to one code that each flow may have. */
const HANDLES_KEPT = 6;

interface Plan {
  readonly guesses: number;
  readonly days: number;
  /** The planted fault: each new code renews the budget. */
  readonly forgetful?: boolean;
}

interface CodeAttack {
  readonly guesses: number;
  /** When a guess was compared with a code, by the server's own digests, in milliseconds. */
  readonly comparedAt: readonly number[];
  readonly codesSent: number;
}

type CodePath = '/users/verify_username' | '/reset_password/otp';
/** The newest handles of each flow, newest first. */
type Handles = Map<CodePath, readonly string[]>;

/** The most of these times that lie within any 24 hours. */
export function mostInADay(times: readonly number[]): number {
  const within = (end: number) => times.filter((time) => time <= end && end - time < DAY_SECONDS * 1000).length;
  return Math.max(0, ...times.map(within));
}

/** Guesses this often over these days of the held clock, 20 at once, and asks for a new code between whenever it may. */
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
  const bursts = Math.ceil(guesses / AT_ONCE);
  let codesSent = 0;
  for (let burst = 0; burst < bursts; burst += 1) {
    const fresh = await askForCodes(two, recipient, handles);
    codesSent += fresh;
    if (forgetful && fresh > 0) await two.app.platform.db.deleteFrom('code_budgets').execute();
    const sent = await codesOf(two);
    const nths = Array.from(
      { length: Math.min(AT_ONCE, guesses - burst * AT_ONCE) },
      (_, index) => burst * AT_ONCE + index,
    );
    const statuses = await Promise.all(nths.map((nth) => guess(two, handles, nth, sent)));
    expect(statuses.filter((status) => status !== 422 && status !== 429)).toEqual([]);
    two.app.clock.advance((days * DAY_SECONDS) / bursts);
  }
  return { guesses, comparedAt, codesSent };
}

/** Signs up again, asks for a reset and has a PIN sent again, as far as the limits let it; returns how many codes that made. */
async function askForCodes(two: TwoServers, recipient: string, handles: Handles): Promise<number> {
  const keep = (path: CodePath, userTag: string) =>
    handles.set(path, [userTag, ...(handles.get(path) ?? [])].slice(0, HANDLES_KEPT));
  const form = { phone: recipient, password: 'Matooke-2026-katogo', gender: 'female', industryId: 1, districtId: 1 };
  let sent = 0;
  const registered = await two.post('/users/register', form);
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

/** The codes that were sent: a guess by luck would begin the count again, so the attacker is denied it. */
async function codesOf({ app }: TwoServers): Promise<ReadonlySet<string>> {
  const messages = await app.platform.db.selectFrom('messages').select('body').execute();
  const texts = messages.map(({ body }) => (body === null ? '' : app.platform.sealer.unseal(body)));
  return new Set(texts.flatMap((text) => /(?<!\d)\d{5}(?!\d)/.exec(text) ?? []));
}

/** A guess at the newest or an older handle of either flow; returns its status. */
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
