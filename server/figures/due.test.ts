import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { attentionReply } from '#contract/applications/attention.ts';
import { bookFigures, incomeFigures, ownFigures } from '#contract/figures/schema.ts';
import { toDaysAfterDue } from '#server/collections/collections.harness.ts';
import { sumsOf } from '#server/payments/payments.harness.ts';
import {
  type BuiltCase,
  buildDisbursedCase,
  buildOfficer,
  logInAgain,
  MORE_TIME,
  onDesk,
  type PayableCase,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { appOfTest } from '#testing/test-app.ts';

/** The amounts due after an extension or a write-off: UGX 900,000 by 21 December 2026. */

const app = appOfTest({ SESSION_IDLE_MINUTES: '720' });
let built: PayableCase;
beforeEach(async () => {
  built = await buildDisbursedCase(app);
});

async function extend(): Promise<void> {
  await succeed(onDesk(await buildOfficer(app), built.tag, 'offer_extension', MORE_TIME));
  const second = await buildOfficer(app);
  const versionFor = async ({ caller }: Pick<Someone, 'caller'>): Promise<string> =>
    (await succeed(caller.get(`/applications/${built.tag}/extension`))).body.offer.version;
  await succeed(onDesk(second, built.tag, 'agree_extension', { keyFactsVersion: await versionFor(second) }));
  await logInAgain(built);
  const body = { keyFactsVersion: await versionFor(built.client) };
  await succeed(built.client.caller.post(`/applications/${built.tag}/accept_extension`, body));
}

async function writeOff(): Promise<void> {
  const body = { amount: 900_000, reason: 'The buyer is bankrupt' };
  await succeed((await buildOfficer(app)).caller.post(`/applications/${built.tag}/write_off/propose`, body));
  const { caller } = await buildOfficer(app);
  const { proposal: open } = await sumsOf({ caller }, built.tag);
  await succeed(caller.post(`/applications/${built.tag}/write_off/confirm`, { proposalTag: open?.tag }));
}

/** The due amounts and dates that client and staff see. */
async function shown(of: BuiltCase) {
  await logInAgain(of);
  const { caller } = await buildOfficer(app);
  const own = ownFigures.parse((await of.client.caller.get('/figures/own')).body).currencies[0];
  const book = bookFigures.parse((await caller.get('/figures/book')).body).currencies[0];
  const income = incomeFigures.parse((await caller.get('/figures/income')).body).currencies[0];
  const { balances } = attentionReply.parse((await of.client.caller.get('/applications/attention')).body);
  return {
    next: own?.dueNext ?? null,
    due: (book?.due ?? []).filter(({ applications }) => applications > 0).map(({ group }) => group),
    weeks: income?.weeks.filter(({ due }) => due !== '0.00').map(({ from, due }) => [from, due]),
    home: balances.map((balance) => balance.due?.dueOn),
  };
}

it('an extension moves what is due to its new date everywhere, with its fee', async () => {
  toDaysAfterDue(app, 4);
  expect(await shown(built)).toMatchObject({ due: ['days1To7'], home: ['2026-12-21'] });
  await extend();
  toDaysAfterDue(app, 15);
  expect(await shown(built)).toEqual({
    next: { dueOn: '2027-01-09', outstanding: '963000.00' },
    due: ['dueThisWeek'],
    weeks: [['2027-01-04', '963000.00']],
    home: ['2027-01-09'],
  });
  toDaysAfterDue(app, 22);
  expect(await shown(built)).toMatchObject({ due: ['days1To7'], weeks: [['2027-01-04', '963000.00']] });
});

it('an extension leaves the day of the payout where a server of the release before did not keep it', async () => {
  await sql`update invoices set paid_out_on = null where id = ${built.id}`.execute(app.platform.db);
  await extend();
  const row = app.platform.db.selectFrom('invoices').select('paid_out_on').where('id', '=', built.id);
  expect(await row.executeTakeFirst()).toEqual({ paid_out_on: '2026-11-20' });
});

it('what is written off is collected no more, but its client still owes it', async () => {
  toDaysAfterDue(app, 4);
  await writeOff();
  expect(await shown(built)).toMatchObject({ next: null, due: [], home: ['2026-12-21'] });
});
