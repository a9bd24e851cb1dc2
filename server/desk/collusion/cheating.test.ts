import { beforeAll, describe, expect, it } from 'vitest';
import { isOpenProposal } from '#server/payments/proposals/proposals.queries.ts';
import { buildOfficer, type Someone } from '#testing/case-builders.ts';
import { canaryFound, proved, rounds } from '#testing/evidence/record.ts';
import { appOfFile } from '#testing/test-app.ts';
import { cheatAlone, cheatingRaces, hideStatement, skipTheWait, takeDebtAway } from './cheating.harness.ts';

/** A few rounds of each in `npm test`, hundreds in `npm run prove`. */
const ROUNDS = rounds(2, 300);

const app = appOfFile({ SESSION_IDLE_MINUTES: '720', RECEIPTS_ALONE_UP_TO: 'UGX:5000000' });
let officers: readonly [Someone, Someone];
beforeAll(async () => {
  officers = [await buildOfficer(app), await buildOfficer(app)];
});

describe('an officer alone', () => {
  it('is found out after activating, applying, approving and paying: the canary', async () => {
    const forgotten = cheatAlone(app, async ({ id }) => {
      const columns = { placed_by: null, placed_at: null };
      await app.platform.db.updateTable('persons').set(columns).where('id', '=', id).execute();
    });
    await expect(forgotten).rejects.toThrow(/alone/);
    const unheard = cheatAlone(app, async (_, { person }) => {
      await app.platform.db.deleteFrom('messages').where('recipient', '=', person.username).execute();
    });
    await expect(unheard).rejects.toThrow('the client did not hear of it');
    canaryFound(
      'cheating-officer',
      'an approval by the officer who let the applicant in, once nobody knew who had, and a client who was told nothing, were found',
    );
  });

  it('is stopped after a first approval, and the client hears of each step', {
    timeout: 120_000 + ROUNDS * 10_000,
  }, async () => {
    let stopped = 0;
    for (; stopped < ROUNDS; stopped += 1) await cheatAlone(app);
    proved('cheating-officer', `${stopped} attempts stopped after a first approval, each step told to the client`);
  });
});

describe('an officer alone against a debt', () => {
  it('is found out after reversing the payout, and where nobody heard of it: the canary', async () => {
    const db = app.platform.db;
    const bySomebody = takeDebtAway(app, async () => {
      const [other] = officers;
      await db.updateTable('write_off_proposals').set({ proposed_by: other.person.id }).where(isOpenProposal).execute();
    });
    await expect(bySomebody).rejects.toThrow('the debt is gone by one officer alone');
    const unheard = takeDebtAway(app, async () => {
      await db.deleteFrom('messages').where('subject', 'like', '%reverse a payout?').execute();
    });
    await expect(unheard).rejects.toThrow('the other officers did not hear of it');
    canaryFound(
      'cheating-officer',
      'a reversal confirmed by its proposer under another name, and officers who were told nothing, were found',
    );
  });

  it('neither reverses nor settles it, and the other officers hear of the attempt', {
    timeout: 120_000 + ROUNDS * 10_000,
  }, async () => {
    let kept = 0;
    for (; kept < ROUNDS; kept += 1) await takeDebtAway(app);
    proved('cheating-officer', `${kept} debts of UGX 18,000,000 stood against one officer, and the others heard of it`);
  });
});

describe('an officer alone against a statement', () => {
  it('is found out after withdrawing it, and where nobody heard of it: the canary', async () => {
    const db = app.platform.db;
    const bySomebody = hideStatement(app, async (tag) => {
      const [other] = officers;
      const proposal = db.updateTable('statement_withdrawals').where('tag', '=', tag);
      await proposal.set({ proposed_by: other.person.id }).execute();
    });
    await expect(bySomebody).rejects.toThrow('a statement is gone by one officer alone');
    const unheard = hideStatement(app, async () => {
      await db.deleteFrom('messages').where('subject', '=', 'Withdraw a statement?').execute();
    });
    await expect(unheard).rejects.toThrow('the other officers did not hear of the withdrawal');
    canaryFound(
      'cheating-officer',
      'a statement withdrawn by its proposer under another name, and officers who were told nothing, were found',
    );
  });

  it('does not withdraw it, and the other officers hear of the attempt', {
    timeout: 120_000 + ROUNDS * 10_000,
  }, async () => {
    let kept = 0;
    for (; kept < ROUNDS; kept += 1) await hideStatement(app);
    proved(
      'cheating-officer',
      `${kept} statements that show a payout stood against one officer, and the others heard of it`,
    );
  });
});

describe('an officer with a person of their own', () => {
  it('is found out with a first account that skips the wait: the canary', async () => {
    const planted = skipTheWait(app, async (tag) => {
      const columns = { skips_wait: true, verified_at: app.clock.now() };
      const account = app.platform.db.updateTable('payout_accounts').where('tag', '=', tag);
      await account.set({ ...columns, verified_by: officers[0].person.id }).execute();
    });
    await expect(planted).rejects.toThrow('an account without the wait');
    canaryFound('cheating-officer', 'a first account of an officer’s own person that skipped the wait was found');
  });

  it('gets no account that is paid to at once', { timeout: 120_000 + ROUNDS * 10_000 }, async () => {
    let waited = 0;
    for (; waited < ROUNDS; waited += 1) await skipTheWait(app);
    proved('cheating-officer', `${3 * waited} first accounts of people whom the officer let in waited or were refused`);
  });
});

describe('acts at the same time as an approval', () => {
  it.each([
    ['acknowledgements of a flag', 'raceAcknowledgement'],
    ['replacements of a document', 'raceReplacement'],
    ['moves of who submitted it', 'raceActivation'],
  ] as const)(
    'come before it or after it, never unseen: %s',
    { timeout: 120_000 + ROUNDS * 10_000 },
    async (what, name) => {
      let raced = 0;
      for (; raced < ROUNDS; raced += 1) await cheatingRaces[name](app, officers);
      proved('cheating-officer', `${raced} races of an approval and ${what}: none overlooked`);
    },
  );
});
