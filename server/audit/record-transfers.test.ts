import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE_SECONDS } from '#contract/time/durations.ts';
import { rail as bank } from '#server/rails/bank/rail.ts';
import { openRails } from '#server/rails/open-rails.ts';
import { ask } from '#server/requests-to-pay/requests.harness.ts';
import { batchOf, OWN_ACCOUNT, releaseToBank } from '#server/transfers/batches/batches.harness.ts';
import { followDue, followToTheEnd, releaseToRail, transfersOf } from '#server/transfers/transfers.harness.ts';
import { sweepTransfers } from '#server/transfers/transfers-sweep.service.ts';
import { buildOfficer, type PayableCase, type Someone, succeed } from '#testing/case-builders.ts';
import { buildPayoutAccount } from '#testing/payout-builders.ts';
import { ScriptedProvider, scriptedKind } from '#testing/scripted-rail.ts';
import { createTestApp, type TestApp } from '#testing/test-app.ts';
import { verifyRecord } from './record.service.ts';
import { triggers } from './record-events.harness.ts';

/**
 * Transfers, decisions of two officers on how they ended, files for a bank and answers about holders, each changed in
 * SQL past Kasente.
 */

let app: TestApp;
let other: Someone;
/** The tag that the fault must name, by kind of record. */
let named: {
  out: string;
  asked: string;
  ended: string;
  unpaid: string;
  batched: string;
  batch: string;
  account: string;
  frozen: string;
};
let proposer: Someone;

beforeAll(async () => {
  const provider = new ScriptedProvider();
  const rails = { kinds: [scriptedKind(provider), bank], environment: { BANK_FILE_UGX: OWN_ACCOUNT } };
  const opened = openRails({ rails, publicUrl: undefined }, { now: () => new Date() });
  app = await createTestApp({ SESSION_IDLE_MINUTES: '720', RAIL_TIMEOUT_SECONDS: '1' }, { rails: opened });
  proposer = await buildOfficer(app);
  other = await buildOfficer(app);
  const paid = await releaseToRail(app);
  await followToTheEnd(app);
  await succeed(ask(paid));
  await followToTheEnd(app);
  const banked = await releaseToBank(app);
  const batch = await batchOf(other);
  provider.fate = 'waiting';
  const [ended, unpaid] = [await releaseToRail(app), await releaseToRail(app)];
  await followDue(app);
  app.clock.advance(31 * MINUTE_SECONDS);
  await sweepTransfers(app.platform);
  await endByHand(ended, { outcome: 'paid', providerReference: 'MP-778' });
  await endByHand(unpaid, { outcome: 'notPaid' });
  const tagsOf = async (built: PayableCase): Promise<string[]> => (await transfersOf(app, built)).map(({ tag }) => tag);
  const [out = '', asked = ''] = await tagsOf(paid);
  const [endedTag = '', unpaidTag = '', batched = ''] = (await Promise.all([ended, unpaid, banked].map(tagsOf))).flat();
  const account = await app.platform.db
    .selectFrom('payout_accounts')
    .where('holder_state', 'is not', null)
    .select('tag')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const frozen = await buildPayoutAccount(app, unpaid.client, proposer);
  await succeed(other.caller.post(`/payout_accounts/${frozen}/freeze`));
  named = { out, asked, ended: endedTag, unpaid: unpaidTag, batched, batch, account: account.tag, frozen };
});
afterAll(() => app.close());

async function endByHand(built: PayableCase, said: object): Promise<void> {
  const [transfer] = await transfersOf(app, built);
  const path = `/transfers/${transfer?.tag}/ending`;
  await succeed(proposer.caller.post(`${path}/propose`, { ...said, reason: 'Their portal shows it' }));
  const { body } = await succeed(other.caller.get('/payouts/board'));
  const [{ ending }] = body.onItsWay.rows.filter(({ tag }: { readonly tag: string }) => tag === transfer?.tag);
  app.clock.advance(5 * MINUTE_SECONDS);
  await succeed(other.caller.post(`${path}/confirm`, { endingTag: ending.tag }));
}

const undone = new Error('undone');

/** The verification's findings during a change, which is rolled back afterwards. */
async function faultsWith(change: RawBuilder<unknown>): Promise<readonly string[]> {
  let faults: readonly string[] = [];
  const attempt = app.database.owner.db.inTransaction(async (transaction) => {
    await triggers(false).execute(transaction);
    expect((await change.execute(transaction)).numAffectedRows).toBeGreaterThan(0n);
    ({ faults } = await verifyRecord({ db: transaction }));
    throw undone;
  });
  await expect(attempt).rejects.toBe(undone);
  return faults;
}

it('the verification finds nothing if nobody changed anything', async () => {
  expect((await verifyRecord(app.platform)).faults).toEqual([]);
});

type Named = keyof typeof named;
const transfer = (name: Named) => sql`(select id from transfers where tag = ${named[name]})`;
const endingOf = (name: Named) => sql`transfer_id = ${transfer(name)}`;
const RELEASED = 'its release is not in the audit log in this form';
const CONFIRMED = 'the confirmation of its end is not in the audit log';
const ENDED = 'its end is not in the audit log in this form';
const CHECKED = 'the audit log contradicts when it was checked or frozen';
const unpaid = sql`set state = 'failed', refusal = 'insufficientFloat', provider_reference = null, entry_tag = null,
  known_at = now(), next_ask_at = null`;
const payoutOf = (name: Named) => sql`(select payout_id from transfers where tag = ${named[name]})`;

const changes: readonly (readonly [string, () => RawBuilder<unknown>, Named, string])[] = [
  [
    'a payout of more',
    () => sql`update transfers set amount = amount + 1000 where tag = ${named.out}`,
    'out',
    `transfer: ${RELEASED}`,
  ],
  [
    'a payout to another number',
    () => sql`update transfers set number = '256772999999' where tag = ${named.ended}`,
    'ended',
    `transfer: ${RELEASED}`,
  ],
  [
    'a payout with another reference than it was prepared with',
    () => sql`update payouts set reference = gen_random_uuid() where id = ${payoutOf('out')}`,
    'out',
    `transfer: ${RELEASED}`,
  ],
  [
    'a payout whose release is not in the record',
    () => sql`delete from audit_events where action = 'payout.released' and after ->> 'transfer' = ${named.batched}`,
    'batched',
    `transfer: ${RELEASED}`,
  ],
  [
    'a payout that is gone',
    () => sql`delete from transfers where tag = ${named.out}`,
    'out',
    'transfer: its release is in the audit log, but not in the database',
  ],
  [
    'a request for more',
    () => sql`update transfers set amount = amount + 1000 where tag = ${named.asked}`,
    'asked',
    'transfer: its request is not in the audit log in this form',
  ],
  [
    'a request that is gone',
    () => sql`delete from transfers where tag = ${named.asked}`,
    'asked',
    'transfer: its request is in the audit log, but not in the database',
  ],
  [
    'another reason of a proposal',
    () => sql`update transfer_endings set reason = 'No reason' where ${endingOf('ended')}`,
    'ended',
    'transfer: an officer’s proposal to end it is not in the audit log',
  ],
  [
    'another officer as the one who confirmed',
    () =>
      sql`update transfer_endings set confirmed_by = (select created_by from transfers where tag = ${named.out})
        where ${endingOf('ended')}`,
    'ended',
    `transfer: ${CONFIRMED}`,
  ],
  [
    'a confirmation that is not in the record',
    () =>
      sql`delete from audit_events where action = 'transfer.endingConfirmed' and after ->> 'transfer' = ${named.unpaid}`,
    'unpaid',
    `transfer: ${CONFIRMED}`,
  ],
  [
    'a confirmation that only the record has',
    () => sql`update transfer_endings set confirmed_at = null, confirmed_by = null where ${endingOf('ended')}`,
    'ended',
    'transfer: two officers ended it according to the audit log, but not in the database',
  ],
  [
    'a proposal that only the record has',
    () => sql`delete from transfer_endings where ${endingOf('unpaid')}`,
    'unpaid',
    'transfer: a proposal to end it is in the audit log, but not in the database',
  ],
  [
    'an end by hand that nobody confirmed',
    () => sql`update transfers set refusal = 'byHand' where tag = ${named.out}`,
    'out',
    'transfer: ended by hand without the decision of two officers',
  ],
  [
    'a confirmation by who proposed',
    () =>
      sql`update audit_events set actor_tag = ${proposer.person.tag}
        where action = 'transfer.endingConfirmed' and after ->> 'transfer' = ${named.ended}`,
    'ended',
    'transfer: its end was confirmed by the officer who proposed it',
  ],
  [
    'a refusal that nobody was told',
    () =>
      sql`with due as (update payouts set failed_at = now() where id = ${payoutOf('batched')})
        update transfers ${unpaid} where tag = ${named.batched}`,
    'batched',
    `transfer: ${ENDED}`,
  ],
  [
    'a payout that is due again while it is on its way',
    () => sql`update payouts set failed_at = now() where id = ${payoutOf('batched')}`,
    'batched',
    `transfer: ${ENDED}`,
  ],
  [
    'a payment that counts as refused',
    () => sql`update transfers ${unpaid} where tag = ${named.asked}`,
    'asked',
    `transfer: ${ENDED}`,
  ],
  [
    'a payment that is asked about again',
    () =>
      sql`update transfers set state = 'sent', provider_reference = null, entry_tag = null, known_at = null
        where tag = ${named.asked}`,
    'asked',
    `transfer: ${ENDED}`,
  ],
  [
    'another number of a payment',
    () => sql`update transfers set provider_reference = 'MP-000' where tag = ${named.out}`,
    'out',
    `transfer: ${ENDED}`,
  ],
  [
    'another entry of a payment',
    () => sql`update transfers set entry_tag = gen_random_uuid() where tag = ${named.asked}`,
    'asked',
    `transfer: ${ENDED}`,
  ],
  [
    'an end by hand as the provider’s word',
    () => sql`update transfers set refusal = 'rejected' where tag = ${named.unpaid}`,
    'unpaid',
    `transfer: ${ENDED}`,
  ],
  [
    'an end that is not in the record',
    () => sql`delete from audit_events where action = 'payout.paid' and after ->> 'transfer' = ${named.out}`,
    'out',
    `transfer: ${ENDED}`,
  ],
  [
    'a file of another content',
    () => sql`update payout_batches set sha256 = sha256(sha256) where tag = ${named.batch}`,
    'batch',
    'batch: the audit log contradicts it or lacks it',
  ],
  [
    'a payout taken out of a file',
    () => sql`update transfers set batch_id = null, sent_at = null, state = 'released' where tag = ${named.batched}`,
    'batch',
    'batch: the audit log contradicts it or lacks it',
  ],
  [
    'a file that is gone',
    () => sql`delete from payout_batches where tag = ${named.batch}`,
    'batch',
    'batch: it is in the audit log, but not in the database',
  ],
  [
    'another holder of an account',
    () => sql`update payout_accounts set holder_said = 'SOMEBODY ELSE' where tag = ${named.account}`,
    'account',
    'payout account: the audit log contradicts the name of its holder',
  ],
  [
    'another number of an account, with that of its payout',
    () => sql`with paid as (update transfers set number = '0779999999' where tag = ${named.out})
      update payout_accounts set number = '0779999999' where tag = ${named.account}`,
    'account',
    'payout account: it was not added in this form according to the audit log',
  ],
  [
    'an account that nobody added',
    () =>
      sql`delete from audit_events where action = 'payout-account.added' and after ->> 'account' = ${named.account}`,
    'account',
    'payout account: it was not added in this form according to the audit log',
  ],
  [
    'an account that nobody checked',
    () =>
      sql`delete from audit_events where action = 'payout-account.verified' and after ->> 'account' = ${named.account}`,
    'account',
    `payout account: ${CHECKED}`,
  ],
  [
    'an account that skips the wait',
    () => sql`update payout_accounts set skips_wait = true where tag = ${named.account}`,
    'account',
    `payout account: ${CHECKED}`,
  ],
  [
    'an account that was checked later than it seems',
    () => sql`update payout_accounts set verified_at = verified_at - interval '1 day' where tag = ${named.account}`,
    'account',
    `payout account: ${CHECKED}`,
  ],
  [
    'an account that is frozen no more',
    () => sql`update payout_accounts set frozen_at = null, frozen_by = null where tag = ${named.frozen}`,
    'frozen',
    `payout account: ${CHECKED}`,
  ],
];

it.each(changes)('the verification finds %s', async (_, change, name, said) => {
  const [subject, what] = said.split(': ');
  expect(await faultsWith(change())).toContain(`${subject} ${named[name]}: ${what}`);
});
