import { type RawBuilder, sql } from 'kysely';
import { DAY_SECONDS, HOUR_SECONDS } from '#contract/time/durations.ts';
import { addWorkingTime } from '#contract/time/working-time.ts';
import {
  doReset,
  earnReset,
  enterPin,
  enterResetCode,
  logIn,
  newestCode,
  newPhone,
  register,
  requestReset,
} from '#server/accounts/accounts.harness.ts';
import { buildEnrolled, codeOf, firstStep, secondStep } from '#server/accounts/own-account.harness.ts';
import { selectHolidays } from '#server/applications/steps/steps.queries.ts';
import { buildPerson, buildSignedIn, TEST_PASSWORD } from '#server/testing/builders.ts';
import { buildSubmittedCase } from '#server/testing/case-builders.ts';
import type { Answer, TestApp } from '#server/testing/test-app.ts';

/**
 * Everything in the server that has its time, judged by the database's clock: rows are moved to shortly before and
 * shortly after the moment that counts, and the server is asked.
 */

/** Seconds left, by the database, until it is over; below 0 it is. The first leaves a slow machine time to ask. */
const LEFT = [20, -2] as const;
/** How far apart two moments may be that are the same but for the time that the calls between them took. */
const SAME_WITHIN_S = 10;
const HOUR_STEPS = 120;

export class Verdict {
  judged = 0;
  readonly wrong: string[] = [];

  /** Compares what the server did with what it had to do. */
  is(what: string, found: unknown, due: unknown): void {
    this.judged += 1;
    if (found !== due) this.wrong.push(`${what}: ${String(found)} instead of ${String(due)}`);
  }

  /** Compares a number of seconds, but for the time that calls take. */
  near(what: string, found: number, due: number): void {
    this.judged += 1;
    if (!(Math.abs(found - due) <= SAME_WITHIN_S)) this.wrong.push(`${what}: ${found} s instead of ${due} s`);
  }
}

type Rule = (site: TestApp, verdict: Verdict) => Promise<void>;

/** One round over all the rules. */
export async function judgeTimes(site: TestApp, verdict: Verdict): Promise<void> {
  const { id: last } = await newestEvent(site);
  for (const rule of rules) await judged(rule, site, verdict);
  verdict.near('the record of changes', (await newestEvent(site, last)).furthestS, 0);
}

/** A rule that ends in the middle, because the server refused what it had to accept, was judged wrongly as well. */
async function judged(rule: Rule, site: TestApp, verdict: Verdict): Promise<void> {
  try {
    await rule(site, verdict);
  } catch (error) {
    verdict.is(rule.name, error, 'no error');
  }
}

/** The database's time, this many seconds from now. */
function inSeconds(seconds: number): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;
}

/** How many seconds from now a moment is, by the database; 0 for none at all, which no rule takes for right. */
async function secondsUntil(site: TestApp, moment: Date | null): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from ${moment}::timestamptz - clock_timestamp())::float8 as seconds`.execute(site.platform.db);
  return rows[0]?.seconds ?? Number.NaN;
}

async function newestEvent(site: TestApp, after = 0): Promise<{ id: number; furthestS: number }> {
  const { rows } = await sql<{ id: number; furthestS: number }>`
    select coalesce(max(id), 0)::int as id,
      coalesce(max(abs(extract(epoch from at - recorded.now))), 0)::float8 as "furthestS"
    from audit_events, (select clock_timestamp() - interval '5 s' as now) recorded
    where id > ${after} and request_id <> 'builders'`.execute(site.platform.db);
  return rows[0] ?? { id: 0, furthestS: Number.NaN };
}

const over = (left: number, otherwise: number): number => (left > 0 ? 200 : otherwise);

const codes: Rule = async (site, verdict) => {
  for (const left of LEFT) {
    const phone = newPhone();
    const { body } = await register(site, phone);
    const attempt = site.platform.db.updateTable('code_attempts').where('recipient', '=', phone);
    const { code_expires_at } = await attempt
      .set({ wrong_tries: 0 })
      .returning('code_expires_at')
      .executeTakeFirstOrThrow();
    verdict.near('what a fresh PIN has', await secondsUntil(site, code_expires_at), 300);
    await attempt.set({ code_expires_at: inSeconds(left) }).execute();
    verdict.is(
      `a PIN with ${left} s left`,
      (await enterPin(site, body.userTag, await newestCode(site, phone))).status,
      over(left, 422),
    );
  }
  for (const left of LEFT) {
    const { username } = await buildPerson(site);
    const { body } = await requestReset(site, username);
    await site.platform.db
      .updateTable('code_attempts')
      .where('recipient', '=', username)
      .set({ code_expires_at: inSeconds(left) })
      .execute();
    verdict.is(
      `a reset code with ${left} s left`,
      (await enterResetCode(site, body.data.tag, await newestCode(site, username))).status,
      over(left, 422),
    );
  }
};

const handles: Rule = async (site, verdict) => {
  for (const left of LEFT) {
    const { username } = await buildPerson(site);
    const { body } = await requestReset(site, username);
    await site.platform.db
      .updateTable('code_handles')
      .set({ expires_at: inSeconds(left) })
      .execute();
    verdict.is(
      `a reset’s handle with ${left} s left`,
      (await enterResetCode(site, body.data.tag, await newestCode(site, username))).status,
      over(left, 422),
    );
  }
  for (const left of LEFT) {
    const { username } = await buildPerson(site);
    const right = await earnReset(site, username);
    await site.platform.db
      .updateTable('reset_grants')
      .set({ expires_at: inSeconds(left) })
      .execute();
    verdict.is(`the right to set a password with ${left} s left`, (await doReset(site, right)).status, over(left, 422));
  }
};

const IDLE_S = 15 * 60;
const ABSOLUTE_S = 12 * HOUR_SECONDS;

const sessions: Rule = async (site, verdict) => {
  for (const left of LEFT) {
    for (const [limit, column] of [
      [IDLE_S, 'last_active_at'],
      [ABSOLUTE_S, 'created_at'],
    ] as const) {
      const { caller, person } = await buildSignedIn(site);
      const row = site.platform.db.updateTable('sessions').where('person_id', '=', person.id);
      const opened = await row.set({ ip: null }).returning(['created_at', 'last_active_at']).executeTakeFirstOrThrow();
      verdict.near(`a new session’s ${column}`, await secondsUntil(site, opened[column]), 0);
      await row.set({ [column]: inSeconds(left - limit) }).execute();
      verdict.is(
        `a session whose ${column} leaves it ${left} s`,
        (await caller.get('/users/session')).status,
        over(left, 401),
      );
    }
  }
};

/** Cookies live by the browser's clock where they say `Expires`; by its own counting where they say `Max-Age`. */
const cookies: Rule = async (site, verdict) => {
  const { username } = await buildPerson(site);
  const { headers } = await logIn(site.visitor(), username, TEST_PASSWORD);
  const set = [headers['set-cookie'] ?? []].flat().join('\n');
  verdict.is('a cookie with a moment of the server’s', /expires=/i.test(set), false);
  verdict.is('the device’s cookie', /kasente_device=.*Max-Age=15552000/.test(set), true);
};

const secondFactors: Rule = async (site, verdict) => {
  const { person, secret } = await buildEnrolled(site);
  const lifetime = {
    near: codeOf(site, secret),
    early: codeOf(site, secret, -HOUR_STEPS),
    late: codeOf(site, secret, HOUR_STEPS),
  };
  for (const left of LEFT) {
    const caller = site.visitor();
    const handle = await firstStep(caller, person.username);
    verdict.is('an app’s code of an hour ago', (await secondStep(caller, handle, lifetime.early)).status, 422);
    verdict.is('an app’s code of in an hour', (await secondStep(caller, handle, lifetime.late)).status, 422);
    await site.platform.db
      .updateTable('second_steps')
      .set({ expires_at: inSeconds(left) })
      .execute();
    verdict.is(
      `a second step with ${left} s left`,
      (await secondStep(caller, handle, lifetime.near)).status,
      over(left, 422),
    );
  }
};

const throttles: Rule = async (site, verdict) => {
  const { username } = await buildPerson(site);
  for (let wrong = 0; wrong < 10; wrong += 1) await logIn(site.visitor(), username, 'Not-the-password-1');
  const row = site.platform.db.updateTable('login_throttles').where('failures', '=', 10);
  const { retry_at } = await row.set({ failures: 10 }).returning('retry_at').executeTakeFirstOrThrow();
  verdict.near('the first delay of a login', await secondsUntil(site, retry_at), 60);
  for (const left of LEFT) {
    await row.set({ retry_at: inSeconds(left) }).execute();
    verdict.is(
      `a right password ${left} s before its turn`,
      (await logIn(site.visitor(), username, TEST_PASSWORD)).status,
      left > 0 ? 429 : 200,
    );
  }
};

const COOLDOWN_S = 60;

const budgets: Rule = async (site, verdict) => {
  const phone = newPhone();
  const { body } = await register(site, phone);
  const budget = site.platform.db.updateTable('code_budgets').where('recipient', '=', phone);
  const resend = () => site.visitor().post('/users/resend_pin', { userTag: body.userTag });
  for (const left of LEFT) {
    await budget.set({ sign_up_sent_at: inSeconds(left - COOLDOWN_S) }).execute();
    const answer = await resend();
    verdict.is(`a new PIN ${left} s before its time`, answer.status, left > 0 ? 429 : 200);
    if (answer.status === 429) verdict.near('what it asks to wait', retryAfter(answer), left);
  }
  for (const left of LEFT) {
    await budget.set({ blocked_until: inSeconds(left) }).execute();
    verdict.is(
      `a right PIN ${left} s before a block ends`,
      (await enterPin(site, body.userTag, await newestCode(site, phone))).status,
      left > 0 ? 429 : 200,
    );
  }
};

function retryAfter({ headers }: Answer): number {
  return Number(headers['retry-after']);
}

const addresses: Rule = async (site, verdict) => {
  const { username } = await buildPerson(site);
  await requestReset(site, username);
  const row = site.platform.db.updateTable('address_limits').where('key', 'like', 'hour:request-reset:%');
  for (const left of LEFT) {
    const expire = sql<number>`(extract(epoch from ${inSeconds(left)}) * 1000)::bigint`;
    await row.set({ points: 600, expire }).execute();
    const answer = await requestReset(site, newPhone());
    verdict.is(`a call ${left} s before an address’s hour ends`, answer.status, left > 0 ? 429 : 200);
    if (answer.status === 429) verdict.near('what it asks an address to wait', retryAfter(answer), left);
  }
  const ends = await row.set({ points: 0 }).returning('expire').executeTakeFirstOrThrow();
  verdict.near('an address’s new hour', await secondsUntil(site, new Date(ends.expire ?? 0)), 3600);
};

const repeats: Rule = async (site, verdict) => {
  const { caller } = await buildSignedIn(site, { perms: ['KADMIN'] });
  const form = { name: `Once ${newPhone()} Ltd`, industryId: 1, districtId: 1, isClient: true, isBuyer: false };
  const headers = { 'idempotency-key': newPhone() };
  await caller.post('/businesses', form, headers);
  for (const left of LEFT) {
    await site.platform.db
      .updateTable('idempotency_keys')
      .where('key', '=', headers['idempotency-key'])
      .set({ created_at: inSeconds(left - DAY_SECONDS) })
      .execute();
    verdict.is(
      `a repeat with ${left} s left`,
      (await caller.post('/businesses', form, headers)).status,
      over(left, 409),
    );
  }
};

const promises: Rule = async (site, verdict) => {
  const { id, tag, officer } = await buildSubmittedCase(site);
  const row = site.platform.db.updateTable('invoices').where('id', '=', id);
  const { submitted_at, decide_by } = await row
    .set({ promise_missed_at: null })
    .returning(['submitted_at', 'decide_by'])
    .executeTakeFirstOrThrow();
  verdict.near('a submission', await secondsUntil(site, submitted_at), 0);
  // The site's clock goes ahead with each authenticator's code, which counts within working hours.
  const due = addWorkingTime(
    submitted_at ?? site.clock.now(),
    site.platform.config.decisionTargetMs,
    await selectHolidays(site.platform.db),
  );
  verdict.near('the promise of a decision', (await secondsUntil(site, decide_by)) - (await secondsUntil(site, due)), 0);
  for (const left of LEFT) {
    await row.set({ decide_by: inSeconds(left) }).execute();
    const { body } = await officer.caller.get(`/desk/cases/${tag}`);
    verdict.is(`a promise with ${left} s left is missed`, body.clock?.missed, left < 0);
  }
};

const rules: readonly Rule[] = [
  codes,
  handles,
  sessions,
  cookies,
  secondFactors,
  throttles,
  budgets,
  addresses,
  repeats,
  promises,
];
