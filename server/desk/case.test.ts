import { beforeEach, describe, expect, it } from 'vitest';
import { caseReply, type DuplicateKind } from '#contract/desk/schema.ts';
import { buildPerson, buildReadyInvoice, buildSignedIn } from '#testing/builders.ts';
import {
  type BuiltCase,
  buildApprovedCase,
  buildAssignedCase,
  buildCaseClient,
  buildDeclinedCase,
  buildDisbursedCase,
  buildOfficer,
  buildReviewedCase,
  buildSettledCase,
  buildSubmittedCase,
  buildWithdrawnCase,
  type CaseClient,
  caseRow,
  NEEDS_TWO,
  onDesk,
  type Someone,
  succeed,
} from '#testing/case-builders.ts';
import { prepare } from '#testing/payout-builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { resetClock } from '#testing/test-platform.ts';

/** Everything that an officer sees before deciding a case. */

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
let client: CaseClient;
let officer: Someone;
beforeEach(async () => {
  resetClock(app.clock);
  client = await buildCaseClient(app);
  officer = await buildOfficer(app);
});

async function load({ tag }: Pick<BuiltCase, 'tag'>) {
  return caseReply.parse((await succeed(officer.caller.get(`/desk/cases/${tag}`))).body);
}

describe('a case', () => {
  it('says what the buyer should pay, how much of the advance that covers, and by when', async () => {
    const built = await buildReviewedCase(app, { client, officer });
    await app.platform.db
      .updateTable('invoices')
      .set({ payment_due_on: '2026-12-20', vat: '152542.37' })
      .where('id', '=', built.id)
      .execute();
    const buyers = app.platform.db.updateTable('businesses').set({ withholds_vat: true });
    const invoices = app.platform.db.selectFrom('invoices').select('buyer_id').where('id', '=', built.id);
    await buyers.where('id', '=', invoices).execute();
    // The buyer withholds 6 % of 1,000,000 less 152,542.37.
    expect(await load(built)).toMatchObject({
      expectedCash: 949_152.54,
      coveragePercent: 105.4,
      paymentDueOn: '2026-12-20',
    });
  });

  it('says what is asked for and who has it', async () => {
    const built = await buildReviewedCase(app, { client, officer });
    const { history, exposure, contacts, client: name, buyer, ...facts } = await load(built);
    expect(contacts.buyer).toEqual([]);
    expect(facts).toEqual({
      tag: built.tag,
      invoiceNumber: built.invoiceNumber,
      clientTag: expect.any(String),
      buyerTag: expect.any(String),
      expectedCash: 1_000_000,
      coveragePercent: 111.1,
      paymentDueOn: null,
      currency: 'UGX',
      amount: 1_000_000,
      amountAppliedFor: 900_000,
      amountReceived: 801_000,
      feesCharged: 99_000,
      feeRatePercentage: 11,
      tenorDays: 30,
      status: 'In Review',
      submittedAt: '2026-11-20T09:00:00.000Z',
      clock: {
        decideBy: '2026-11-20T13:00:00.000Z',
        state: 'running',
        minutesLeft: 240,
        missed: false,
        targetMinutes: 240,
      },
      holder: { tag: officer.person.tag, name: 'Odongo Peter' },
      firstApprovalBy: null,
      decidedAt: null,
      decidedBy: null,
      dueOn: null,
      overdue: null,
      outstanding: null,
      surplusOwed: 0,
      restOwed: 0,
      settledAt: null,
      needsTwo: false,
      approvalVoid: false,
      secondMissing: false,
      actions: ['approve', 'requestInformation', 'counterOffer', 'decline', 'release', 'handOver'].map((action) => ({
        action,
        refusals: [],
      })),
      clientAct: null,
      approveRefusal: null,
      prepareRefusal: null,
      payOutRefusal: null,
      placedByYou: false,
      firstApprovalVoided: false,
      barred: null,
      flags: [],
    });
    expect([name, buyer]).toEqual([expect.stringContaining('Business'), expect.stringContaining('Business')]);
    expect(history).toEqual({
      applications: 0,
      approved: 0,
      declined: 0,
      settledOnTime: 0,
      settledLate: 0,
      overdue: 0,
      withThisBuyer: 0,
    });
    expect(exposure).toMatchObject({ currency: 'UGX', limit: 50_000_000, submitted: 900_000, available: 49_100_000 });
    const { application_tag: applicationTag } = await caseRow(app, built);
    expect((await load({ tag: applicationTag ?? '' })).tag).toBe(built.tag);
  });

  it('names up to three active people of client and buyer, the one who applied first', async () => {
    const { businessId } = client.person;
    await buildPerson(app, { businessId, firstName: 'Left', status: 'Deactivated' });
    const { caller, person } = await buildSignedIn(app, { perms: ['BIDA'], businessId });
    const applicant = { caller, person: { ...person, businessId } };
    const built = await buildWithdrawnCase(app, { client: applicant, officer });
    for (const firstName of ['Auma', 'Akello'])
      await buildPerson(app, {
        businessId: built.buyerId,
        firstName,
        lastName: 'Ruth',
        username: `${firstName.toLowerCase()}@example.com`,
      });
    const { contacts } = await load(built);
    const phones = [person.username, client.person.username];
    expect(contacts.client.map(({ phone }) => phone)).toEqual(phones);
    expect(contacts.buyer).toEqual(
      ['Auma', 'Akello'].map((name) => ({
        name: `${name} Ruth`,
        phone: null,
        email: `${name.toLowerCase()}@example.com`,
      })),
    );
  });

  it('says what an officer can do before anybody has taken it', async () => {
    const built = await buildSubmittedCase(app, { client, officer });
    const { actions } = await load(built);
    const offered = ['approve', 'requestInformation', 'counterOffer', 'decline', 'take'] as const;
    expect(actions).toEqual(offered.map((action) => ({ action, refusals: [] })));
  });

  it('needs two officers above the threshold', async () => {
    expect((await load(await buildSubmittedCase(app, { client, ...NEEDS_TWO }))).needsTwo).toBe(true);
  });

  it('is none while it is a draft', async () => {
    const draft = await buildReadyInvoice(app, client.person);
    const answer = await officer.caller.get(`/desk/cases/${draft.tag}`);
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('the submitter of an application', () => {
  const byNobodyElse = { code: 'OWN_BUSINESS', msg: expect.stringContaining('applied for it') };

  it('does not decide it when they are an officer of no business later', async () => {
    const built = await buildAssignedCase(app, { client, officer });
    await makeOfficer(client);
    const { tag } = built;
    for (const act of ['take', 'release', 'start_review', 'approve', 'recall_request']) {
      const answer = await onDesk(client, tag, act);
      expect([answer.status, answer.body]).toMatchObject([403, byNobodyElse]);
    }
    const handOver = await onDesk(officer, tag, 'hand_over', { officerTag: client.person.tag });
    expect([handOver.status, handOver.body.code]).toEqual([422, 'NOT_AN_OFFICER']);
    expect((await succeed(client.caller.get(`/desk/cases/${tag}`))).body.barred).toBe('ownBusiness');
    expect((await succeed(client.caller.get(`/applications/${tag}/progress`))).body.mayTake).toEqual([]);
    expect(await caseRow(app, built)).toMatchObject({ status: 'Submitted', holder_id: officer.person.id });
  });

  it('records no payment on it either, and decides what others submitted', async () => {
    const built = await buildApprovedCase(app, { client, officer });
    await makeOfficer(client);
    const answer = await prepare(client, built.tag);
    expect([answer.status, answer.body]).toMatchObject([403, byNobodyElse]);
    const other = await buildSubmittedCase(app);
    expect((await succeed(client.caller.get(`/desk/cases/${other.tag}`))).body.barred).toBeNull();
    for (const act of ['take', 'start_review', 'approve']) await succeed(onDesk(client, other.tag, act));
  });

  async function makeOfficer({ person }: CaseClient): Promise<void> {
    const set = { permissions: ['KSTAF' as const], business_id: null };
    await app.platform.db.updateTable('persons').set(set).where('id', '=', person.id).execute();
  }
});

it('a client’s history is of their other applications', async () => {
  const given = { client, officer };
  await buildDeclinedCase(app, given);
  await buildWithdrawnCase(app, given);
  await buildSettledCase(app, given);
  const [late, overdue, today] = [
    await buildSettledCase(app, given),
    await buildDisbursedCase(app, given),
    await buildDisbursedCase(app, given),
  ];
  const set = (built: BuiltCase, columns: Record<string, unknown>) =>
    app.platform.db.updateTable('invoices').set(columns).where('id', '=', built.id).execute();
  await set(late, { due_on: '2026-11-19' });
  await set(overdue, { due_on: '2026-11-19' });
  await set(today, { due_on: '2026-11-20' });
  const built = await buildSubmittedCase(app, given);
  await set(today, { buyer_id: built.buyerId });
  await buildSubmittedCase(app);
  expect((await load(built)).history).toEqual({
    applications: 5,
    approved: 4,
    declined: 1,
    settledOnTime: 1,
    settledLate: 1,
    overdue: 1,
    withThisBuyer: 1,
  });
});

it('a client’s history counts the case itself as overdue, and as nothing else', async () => {
  const built = await buildDisbursedCase(app, { client, officer });
  expect(await load(built)).toMatchObject({ overdue: null, history: { overdue: 0 } });
  await app.platform.db.updateTable('invoices').set({ due_on: '2026-11-09' }).where('id', '=', built.id).execute();
  const { overdue, history } = await load(built);
  expect(overdue).toEqual({ days: 11, outstanding: 900_000 });
  expect(history).toMatchObject({ applications: 0, approved: 0, overdue: 1, withThisBuyer: 0 });
});

describe('flags', () => {
  it('are on both sides, once, with the other invoice', async () => {
    const [one, other, third] = [
      await buildSubmittedCase(app, { client }),
      await buildSubmittedCase(app),
      await buildSubmittedCase(app),
    ];
    const flag = (from: BuiltCase, to: BuiltCase, files: string[] = []) => ({
      invoice_id: from.id,
      other_invoice_id: to.id,
      kind: files.length === 0 ? ('nearNumber' as const) : ('sameFile' as const),
      files,
      found_at: app.clock.now(),
    });
    const files = ['Invoice copy'];
    const rows = [flag(one, other), flag(other, one), flag(third, one, files)];
    await app.platform.db.insertInto('invoice_flags').values(rows).execute();
    const { flags } = await load(one);
    expect(flags.map(({ kind, files: both, other: it }) => [kind, both, it?.tag])).toEqual([
      ['sameFile', files, third.tag],
      ['nearNumber', [], other.tag],
    ]);
    expect(flags[1]?.other).toEqual({
      tag: other.tag,
      invoiceNumber: other.invoiceNumber,
      date: '2026-11-20',
      client: expect.stringContaining('Business'),
      buyer: expect.stringContaining('Business'),
      currency: 'UGX',
      amount: 1_000_000,
      amountAppliedFor: 900_000,
      status: 'Submitted',
    });
    expect((await load(other)).flags.map(({ other: it }) => it?.tag)).toEqual([one.tag]);
    expect((await load(third)).flags.map(({ other: it }) => it?.tag)).toEqual([one.tag]);
    const counts = async (): Promise<number[]> => {
      const { body } = await succeed(officer.caller.post('/desk/queue', {}));
      return [one, other, third].map((built) => body.find(({ tag }: BuiltCase) => tag === built.tag).flags);
    };
    expect(await counts()).toEqual([2, 1, 1]);
    const named = [{ kind: 'sameFile', otherTag: third.tag }];
    const reason = 'They share one contract';
    await succeed(onDesk(officer, one.tag, 'acknowledge', { flags: named, reason }));
    expect(await counts()).toEqual([1, 1, 1]);
    const more = app.platform.db.updateTable('invoice_flags').where('kind', '=', 'sameFile');
    await more.set({ files: [...files, 'Other'] }).execute();
    expect(await counts()).toEqual([2, 1, 1]);
  });

  it('are ordered by strength, and other clients’ before one’s own', async () => {
    const duplicate = await buildSubmittedCase(app);
    const [one, copied] = [await buildSubmittedCase(app, { client }), await buildSubmittedCase(app)];
    const own = await buildSubmittedCase(app, { client });
    const flag = (other: BuiltCase, kind: DuplicateKind) => ({
      invoice_id: one.id,
      other_invoice_id: other.id,
      kind,
      files: [],
      found_at: app.clock.now(),
    });
    const rows = [flag(own, 'sameFile'), flag(copied, 'sameFile'), flag(duplicate, 'sameNumberAndAmount')];
    await app.platform.db.insertInto('invoice_flags').values(rows).execute();
    const { flags } = await load(one);
    expect(flags.map(({ other: it }) => it?.tag)).toEqual([duplicate.tag, copied.tag, own.tag]);
  });
});
