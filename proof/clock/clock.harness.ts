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
import { selectHolidays } from '#server/steps/steps.queries.ts';
import { buildPerson, buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { buildSubmittedCase } from '#testing/case-builders.ts';
import type { Answer, TestApp } from '#testing/test-app.ts';

/**
 * Tests that every time limit of the server follows the database's clock: moves rows to just before and just after a
 * limit.
 */

/** Seconds until a limit, by the database; negative after it. The shortest limit is 60 s, and a busy machine needs the rest. */
const LEFT = [50, -2] as const;
/** The tolerance for equal moments: the calls between them take time. The clock under test is off by 3,600 s. */
const SAME_WITHIN_S = 60;
const HOUR_STEPS = 120;

export class Verdict {
  judged = 0;
  readonly wrong: string[] = [];

  /** Compares the server's behaviour with what it should be. */
  is(what: string, found: unknown, due: unknown): void {
    this.judged += 1;
    if (found !== due) this.wrong.push(`${what}: ${String(found)} instead of ${String(due)}`);
  }

  /** Compares a number of seconds, within the tolerance. */
  near(what: string, found: number, due: number): void {
    this.judged += 1;
    if (!(Math.abs(found - due) <= SAME_WITHIN_S)) this.wrong.push(`${what}: ${found} s instead of ${due} s`);
  }
}

type Rule = (site: TestApp, verdict: Verdict) => Promise<void>;

/** Tests every rule once. */
export async function judgeTimes(site: TestApp, verdict: Verdict): Promise<void> {
  const { id: last } = await newestEvent(site);
  for (const rule of rules) await judged(rule, site, verdict);
  verdict.near('the record of changes', (await newestEvent(site, last)).furthestS, 0);
}

/** A rule that breaks off, because the server refused a valid step, counts as failed. */
async function judged(rule: Rule, site: TestApp, verdict: Verdict): Promise<void> {
  try {
    await rule(site, verdict);
  } catch (error) {
    verdict.is(rule.name, error, 'no error');
  }
}

/** The database's time this many seconds from now. */
function inSeconds(seconds: number): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;
}

/** The seconds until a moment, by the database. */
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

/** The expected statuses before and after a moment: something valid expires, or something blocked opens. */
const expires = (refusal: number) => [200, refusal] as const;
const opens = [429, 200] as const;

/** Tests the reply just before a moment and just after it. */
async function judgeBoth(
  verdict: Verdict,
  what: string,
  [before, after]: readonly [before: number, after: number],
  answerAt: (left: number) => Promise<Answer>,
): Promise<void> {
  for (const left of LEFT) {
    const { status } = await answerAt(left);
    verdict.is(`${what} with ${left} s left`, status, left > 0 ? before : after);
  }
}

const codes: Rule = async (site, verdict) => {
  await judgeBoth(verdict, 'a PIN', expires(422), async (left) => {
    const phone = newPhone();
    const { body } = await register(site, phone);
    const attempt = site.platform.db.updateTable('code_attempts').where('recipient', '=', phone);
    const { code_expires_at } = await attempt
      .set({ wrong_tries: 0 })
      .returning('code_expires_at')
      .executeTakeFirstOrThrow();
    verdict.near('the life of a new PIN', await secondsUntil(site, code_expires_at), 300);
    await attempt.set({ code_expires_at: inSeconds(left) }).execute();
    return enterPin(site, body.userTag, await newestCode(site, phone));
  });
  await judgeBoth(verdict, 'a reset code', expires(422), async (left) => {
    const { username } = await buildPerson(site);
    const { body } = await requestReset(site, username);
    const attempt = site.platform.db.updateTable('code_attempts').where('recipient', '=', username);
    await attempt.set({ code_expires_at: inSeconds(left) }).execute();
    return enterResetCode(site, body.data.tag, await newestCode(site, username));
  });
};

const handles: Rule = async (site, verdict) => {
  const { db } = site.platform;
  await judgeBoth(verdict, 'a reset’s handle', expires(422), async (left) => {
    const { username } = await buildPerson(site);
    const { body } = await requestReset(site, username);
    await db
      .updateTable('code_handles')
      .set({ expires_at: inSeconds(left) })
      .execute();
    return enterResetCode(site, body.data.tag, await newestCode(site, username));
  });
  await judgeBoth(verdict, 'the right to set a password', expires(422), async (left) => {
    const { username } = await buildPerson(site);
    const right = await earnReset(site, username);
    await db
      .updateTable('reset_grants')
      .set({ expires_at: inSeconds(left) })
      .execute();
    return doReset(site, right);
  });
};

const IDLE_S = 15 * 60;
const ABSOLUTE_S = 12 * HOUR_SECONDS;

const sessions: Rule = async (site, verdict) => {
  for (const [limit, column] of [
    [IDLE_S, 'last_active_at'],
    [ABSOLUTE_S, 'created_at'],
  ] as const)
    await judgeBoth(verdict, `a session by its ${column}`, expires(401), async (left) => {
      const { caller, person } = await buildSignedIn(site);
      const row = site.platform.db.updateTable('sessions').where('person_id', '=', person.id);
      const opened = await row.set({ ip: null }).returning(['created_at', 'last_active_at']).executeTakeFirstOrThrow();
      verdict.near(`a new session’s ${column}`, await secondsUntil(site, opened[column]), 0);
      await row.set({ [column]: inSeconds(left - limit) }).execute();
      return caller.get('/users/session');
    });
};

/** `Expires` depends on the server's clock; `Max-Age` does not. */
const cookies: Rule = async (site, verdict) => {
  const { username } = await buildPerson(site);
  const { headers } = await logIn(site.visitor(), username, TEST_PASSWORD);
  const set = [headers['set-cookie'] ?? []].flat().join('\n');
  verdict.is('a cookie with `Expires`', /expires=/i.test(set), false);
  verdict.is('the device’s cookie', /kasente_device=.*Max-Age=15552000/.test(set), true);
};

const secondFactors: Rule = async (site, verdict) => {
  const { person, secret } = await buildEnrolled(site);
  await judgeBoth(verdict, 'a second step', expires(422), async (left) => {
    const caller = site.visitor();
    const handle = await firstStep(caller, person.username);
    verdict.is(
      'an app’s code of an hour ago',
      (await secondStep(caller, handle, codeOf(site, secret, -HOUR_STEPS))).status,
      422,
    );
    verdict.is(
      'an app’s code of an hour ahead',
      (await secondStep(caller, handle, codeOf(site, secret, HOUR_STEPS))).status,
      422,
    );
    await site.platform.db
      .updateTable('second_steps')
      .set({ expires_at: inSeconds(left) })
      .execute();
    return secondStep(caller, handle, codeOf(site, secret));
  });
};

const throttles: Rule = async (site, verdict) => {
  const { username } = await buildPerson(site);
  for (let wrong = 0; wrong < 10; wrong += 1) await logIn(site.visitor(), username, 'Not-the-password-1');
  const row = site.platform.db.updateTable('login_throttles').where('failures', '=', 10);
  const { retry_at } = await row.set({ failures: 10 }).returning('retry_at').executeTakeFirstOrThrow();
  verdict.near('the first delay of a login', await secondsUntil(site, retry_at), 60);
  await judgeBoth(verdict, 'the delay of a right password', opens, async (left) => {
    await row.set({ retry_at: inSeconds(left) }).execute();
    return logIn(site.visitor(), username, TEST_PASSWORD);
  });
};

const COOLDOWN_S = 60;

const budgets: Rule = async (site, verdict) => {
  const phone = newPhone();
  const { body } = await register(site, phone);
  const budget = site.platform.db.updateTable('code_budgets').where('recipient', '=', phone);
  await judgeBoth(verdict, 'the cooldown of a new PIN', opens, async (left) => {
    await budget.set({ sign_up_sent_at: inSeconds(left - COOLDOWN_S) }).execute();
    const answer = await site.visitor().post('/users/resend_pin', { userTag: body.userTag });
    if (answer.status === 429) verdict.near('its Retry-After', retryAfter(answer), left);
    return answer;
  });
  await judgeBoth(verdict, 'the block of a right PIN', opens, async (left) => {
    await budget.set({ blocked_until: inSeconds(left) }).execute();
    return enterPin(site, body.userTag, await newestCode(site, phone));
  });
};

function retryAfter({ headers }: Answer): number {
  return Number(headers['retry-after']);
}

const addresses: Rule = async (site, verdict) => {
  const { username } = await buildPerson(site);
  await requestReset(site, username);
  const row = site.platform.db.updateTable('address_limits').where('key', 'like', 'hour:request-reset:%');
  await judgeBoth(verdict, 'an address’s hour', opens, async (left) => {
    const expire = sql<number>`(extract(epoch from ${inSeconds(left)}) * 1000)::bigint`;
    await row.set({ points: 600, expire }).execute();
    const answer = await requestReset(site, newPhone());
    if (answer.status === 429) verdict.near('an address’s Retry-After', retryAfter(answer), left);
    return answer;
  });
  const ends = await row.set({ points: 0 }).returning('expire').executeTakeFirstOrThrow();
  verdict.near('an address’s new hour', await secondsUntil(site, new Date(ends.expire ?? 0)), 3600);
};

const repeats: Rule = async (site, verdict) => {
  const { caller } = await buildSignedIn(site, { perms: ['KADMIN'] });
  const form = { name: `Once ${newPhone()} Ltd`, industryId: 1, districtId: 1, isClient: true, isBuyer: false };
  const headers = { 'idempotency-key': newPhone() };
  await caller.post('/businesses', form, headers);
  await judgeBoth(verdict, 'a repeat', expires(409), async (left) => {
    const row = site.platform.db.updateTable('idempotency_keys').where('key', '=', headers['idempotency-key']);
    await row.set({ created_at: inSeconds(left - DAY_SECONDS) }).execute();
    return caller.post('/businesses', form, headers);
  });
};

const decisions: Rule = async (site, verdict) => {
  const { id, tag, officer } = await buildSubmittedCase(site);
  const row = site.platform.db.updateTable('invoices').where('id', '=', id);
  const { submitted_at, decide_by } = await row
    .set({ promise_missed_at: null })
    .returning(['submitted_at', 'decide_by'])
    .executeTakeFirstOrThrow();
  verdict.near('a submission', await secondsUntil(site, submitted_at), 0);
  // The site's clock advances with each authenticator code, which shifts results within working hours.
  const due = addWorkingTime(
    submitted_at ?? site.clock.now(),
    site.platform.config.decisionTargetMs,
    await selectHolidays(site.platform.db),
  );
  verdict.near('the time of a decision', (await secondsUntil(site, decide_by)) - (await secondsUntil(site, due)), 0);
  for (const left of LEFT) {
    await row.set({ decide_by: inSeconds(left) }).execute();
    const { body } = await officer.caller.get(`/desk/cases/${tag}`);
    verdict.is(`a decision with ${left} s left is late`, body.clock?.missed, left < 0);
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
  decisions,
];
