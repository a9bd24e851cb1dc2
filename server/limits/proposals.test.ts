import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  buildCaseClient,
  buildOfficer,
  type CaseClient,
  eventsOf,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { type Answer, appOfFile } from '#testing/test-app.ts';
import { businessLimits, businessTagOf, confirm, openProposal, ownLimit, setLimit, UGX } from './limits.harness.ts';

const app = appOfFile();
let proposer: Someone;
let other: Someone;
let admin: Someone;
let client: CaseClient;
let businessTag: string;
beforeAll(async () => {
  proposer = await buildOfficer(app);
  other = await buildOfficer(app, { firstName: 'Nakato', lastName: 'Sarah' });
  admin = await buildOfficer(app, { perms: ['KADMIN'] });
});
beforeEach(async () => {
  client = await buildCaseClient(app);
  businessTag = await businessTagOf(app, client);
});

const decline = (by: Someone, tag: string) => by.caller.post(`/limits/proposals/${tag}/decline`);
const refusal = ({ status, body }: Answer) => [status, body.code];

async function propose(limit = 60_000_000): Promise<string> {
  expect((await succeed(setLimit(proposer, businessTag, { limit }))).body).toEqual({ success: true, proposed: true });
  return (await openProposal(proposer, businessTag)).tag;
}

/** A person who became an officer a second ago. */
async function buildNewcomer(): Promise<Someone> {
  const newcomer = await buildOfficer(app);
  const officer_since = new Date(app.clock.now().getTime() - 1000);
  await app.platform.db.updateTable('persons').set({ officer_since }).where('id', '=', newcomer.person.id).execute();
  return newcomer;
}

async function limitNow(): Promise<number> {
  return (await ownLimit(client, UGX)).limit;
}

const events = () => eventsOf(app, { tag: businessTag });

describe('a raise that nobody has earned', () => {
  it('is proposed: it changes nothing, and officers see who wants what and why', async () => {
    const tag = await propose();
    expect(await limitNow()).toBe(50_000_000);
    const proposal = {
      tag,
      limit: 60_000_000,
      reason: 'Settled three on time',
      by: { tag: proposer.person.tag, name: 'Odongo Peter' },
      at: app.clock.now().toISOString(),
      refusal: null,
    };
    expect(await businessLimits(other, businessTag)).toMatchObject([{ proposal }, { proposal: null }]);
    expect((await openProposal(proposer, businessTag)).refusal).toBe('OWN_PROPOSAL');
    const waiting = (await other.caller.get('/limits/proposals')).body;
    expect(waiting).toContainEqual({
      ...proposal,
      businessTag,
      business: expect.any(String),
      currencyId: UGX,
      currency: 'UGX',
      replaces: 50_000_000,
    });
    expect(await client.caller.get('/limits/proposals')).toMatchObject({ status: 403 });
    expect(JSON.stringify((await client.caller.get('/limits/own')).body)).not.toContain('proposal');
  });

  it('is in force once another officer confirms it, and both are logged', async () => {
    const tag = await propose();
    expect(refusal(await confirm(proposer, tag))).toEqual([409, 'OWN_PROPOSAL']);
    await succeed(confirm(other, tag));
    expect(await limitNow()).toBe(60_000_000);
    expect(await events()).toEqual([
      {
        action: 'limit.proposed',
        actor_tag: proposer.person.tag,
        before: { currency: 'UGX', limit: 5_000_000_000 },
        after: { currency: 'UGX', proposed: 6_000_000_000, reason: 'Settled three on time' },
      },
      {
        action: 'limit.set',
        actor_tag: other.person.tag,
        before: { currency: 'UGX', limit: 5_000_000_000 },
        after: {
          currency: 'UGX',
          limit: 6_000_000_000,
          reason: 'Settled three on time',
          proposedBy: proposer.person.tag,
        },
      },
    ]);
    expect(refusal(await confirm(other, tag))).toEqual([409, 'PROPOSAL_CLOSED']);
    expect(refusal(await decline(other, tag))).toEqual([409, 'PROPOSAL_CLOSED']);
  });

  it('is neither confirmed nor proposed by an officer of less than 24 hours, who may decline it', async () => {
    const [tag, newcomer] = [await propose(), await buildNewcomer()];
    expect(refusal(await confirm(newcomer, tag))).toEqual([409, 'NEW_OFFICER']);
    expect(refusal(await setLimit(newcomer, businessTag, { limit: 55_000_000 }))).toEqual([409, 'NEW_OFFICER']);
    expect(await limitNow()).toBe(50_000_000);
    expect((await businessLimits(newcomer, businessTag))[0]?.raiseRefusal).toBe('NEW_OFFICER');
    expect((await businessLimits(other, businessTag))[0]?.raiseRefusal).toBeNull();
    await succeed(decline(newcomer, tag));
  });

  it('is declined by anybody, and then it may be proposed again', async () => {
    await succeed(decline(proposer, await propose()));
    await succeed(decline(other, await propose()));
    const { action, before } = (await events()).at(-1) ?? {};
    expect([action, before]).toEqual(['limit.declined', { currency: 'UGX', proposed: 6_000_000_000 }]);
    expect((await businessLimits(other, businessTag))[0]?.proposal).toBeNull();
    await propose(70_000_000);
  });

  it('is gone when one officer lowers the limit', async () => {
    const tag = await propose();
    expect((await setLimit(other, businessTag, { limit: 0 })).body).toEqual({ success: true, proposed: false });
    expect(refusal(await confirm(other, tag))).toEqual([409, 'PROPOSAL_CLOSED']);
    expect(await limitNow()).toBe(0);
  });

  it('is void once the limit has changed, and can only be declined', async () => {
    const tag = await propose();
    await app.platform.db
      .insertInto('funding_limits')
      .values({
        business_id: client.person.businessId,
        currency_id: UGX,
        amount: '10',
        set_at: app.clock.now(),
        set_by: other.person.id,
      })
      .execute();
    expect((await openProposal(other, businessTag)).refusal).toBe('PROPOSAL_VOID');
    expect(refusal(await confirm(other, tag))).toEqual([409, 'PROPOSAL_VOID']);
    await succeed(decline(other, tag));
  });

  it.each([
    ['was deactivated', { status: 'Deactivated', permissions: [] }],
    ['is no officer any more', { permissions: ['BIDA'] }],
  ] as const)('no longer counts when its proposer %s', async (_, gone) => {
    const leaver = await buildOfficer(app);
    await succeed(setLimit(leaver, businessTag, { limit: 60_000_000 }));
    const { tag } = await openProposal(other, businessTag);
    const business_id = (await buildCaseClient(app)).person.businessId;
    await app.platform.db
      .updateTable('persons')
      .set({ ...gone, permissions: [...gone.permissions], business_id })
      .where('id', '=', leaver.person.id)
      .execute();
    expect(refusal(await confirm(other, tag))).toEqual([409, 'PROPOSAL_VOID']);
    expect((await openProposal(other, businessTag)).refusal).toBe('PROPOSAL_VOID');
    expect(await limitNow()).toBe(50_000_000);
  });

  it('is nothing for an officer of that client, and no other tag is one', async () => {
    const relative = await buildOfficer(app, { businessId: client.person.businessId });
    const tag = await propose();
    expect(refusal(await confirm(relative, tag))).toEqual([403, 'OWN_BUSINESS']);
    expect(refusal(await decline(relative, tag))).toEqual([403, 'OWN_BUSINESS']);
    expect(refusal(await confirm(client, tag))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await confirm(other, randomUUID()))).toEqual([404, 'NOT_FOUND']);
  });

  it('is confirmed by one of many at once, and beside a lowered limit one of the two holds', async () => {
    const tag = await propose();
    const officers = [other, admin, await buildOfficer(app)];
    const answers = await Promise.all([...officers, ...officers, ...officers].map((by) => confirm(by, tag)));
    const codes = answers.map(({ status, body }) => (status === 200 ? '200' : body.code));
    expect(codes.filter((code) => code === '200')).toHaveLength(1);
    expect(codes.filter((code) => code === 'PROPOSAL_CLOSED')).toHaveLength(8);
    for (let round = 0; round < 5; round += 1) {
      const next = await propose(61_000_000 + round * 1_000);
      const [confirmed, lowered] = await Promise.all([
        confirm(other, next),
        setLimit(admin, businessTag, { limit: 100 - round }),
      ]);
      expect(lowered.status).toBe(200);
      expect(await limitNow()).toBe(100 - round);
      expect(confirmed.status === 200 || confirmed.body.code === 'PROPOSAL_CLOSED').toBe(true);
    }
  });

  it('is never confirmed after its proposer’s deactivation, nor concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const leaver = await buildOfficer(app);
      const victim = await buildCaseClient(app);
      const tag = await businessTagOf(app, victim);
      await succeed(setLimit(leaver, tag, { limit: 60_000_000 }));
      const proposal = await openProposal(other, tag);
      const [confirmed] = await Promise.all([
        confirm(other, proposal.tag),
        succeed(admin.caller.post('/persons/deactivate', { tag: leaver.person.tag })),
      ]);
      const order = await app.platform.db
        .selectFrom('audit_events')
        .select(['action'])
        .where('subject_tag', 'in', [tag, leaver.person.tag])
        .where('action', 'in', ['limit.set', 'person.deactivated'])
        .orderBy('id')
        .execute();
      const actions = order.map(({ action }) => action);
      expect(actions).toEqual(confirmed.status === 200 ? ['limit.set', 'person.deactivated'] : ['person.deactivated']);
    }
  });
});

describe('a limit above the highest one', () => {
  it('is cut off there if it was set before there was one', async () => {
    await app.platform.db
      .insertInto('funding_limits')
      .values({
        business_id: client.person.businessId,
        currency_id: UGX,
        amount: '9999999999999.99',
        set_at: app.clock.now(),
        set_by: proposer.person.id,
      })
      .execute();
    expect(await limitNow()).toBe(2_000_000_000);
  });
});
