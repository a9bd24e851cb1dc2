import type { Status } from '#contract/applications/lifecycle.ts';
import { quote } from '#contract/applications/quote.ts';
import type { CaseReply } from '#contract/desk/schema.ts';
import { fromMinor, minorToNumeric } from '#contract/money.ts';
import { DAY_MS } from '#contract/time/durations.ts';
import { sweepLapsed } from '#server/desk/lapse/lapse-sweep.service.ts';
import { type BuiltPerson, buildBusiness, buildReadyInvoice, buildSignedIn, TEST_PASSWORD } from './builders.ts';
import { ensurePayoutAccount, payOut } from './payout-builders.ts';
import type { Answer, TestApp, TestCaller } from './test-app.ts';

/**
 * Applications in every stage of the decision desk, made over HTTP in the same steps that people take: UGX 900,000 over
 * 30 days, net proceeds 801,000, unless a test names another advance.
 */

/** Above what one officer may approve alone in tests (UGX 20,000,000). */
export const NEEDS_TWO = { advance: 2_000_000_100 };

/** A signed-in person; one without a name is shown by username. */
export interface Someone {
  readonly caller: TestCaller;
  readonly person: BuiltPerson;
}

/** A client for the builders of cases; the invoices' harness builds one too. */
export interface CaseClient extends Someone {
  readonly person: BuiltPerson & { readonly businessId: number };
}

/** A signed-in officer, by default with no business and without KADMIN. */
export function buildOfficer(
  app: TestApp,
  given: Omit<Parameters<typeof buildSignedIn>[1] & object, 'status'> = {},
): Promise<Someone> {
  return buildSignedIn(app, { perms: ['KSTAF'], firstName: 'Odongo', lastName: 'Peter', ...given });
}

/** A signed-in client with their own business. */
export async function buildCaseClient(app: TestApp): Promise<CaseClient> {
  const { id: businessId } = await buildBusiness(app);
  const { caller, person } = await buildSignedIn(app, { perms: ['BIDA'], businessId });
  return { caller, person: { ...person, businessId } };
}

/** An application, its client and its officer. */
export interface BuiltCase {
  readonly id: number;
  readonly tag: string;
  readonly invoiceNumber: string;
  readonly buyerId: number;
  readonly documentTag: string;
  readonly client: CaseClient;
  readonly officer: Someone;
  /** The officer who pays out an approved case; must not be its only approver. */
  readonly payer?: Someone;
}

export interface CaseGiven {
  readonly client?: CaseClient;
  readonly officer?: Someone;
  /** Not the officer who approves. */
  readonly payer?: Someone;
  /** Minor units; within the client's limit. */
  readonly advance?: number;
  readonly currencyId?: number;
}

/** Calls that must succeed while a case is being built. */
export async function succeed(answer: Promise<Answer>): Promise<Answer> {
  const { status, body, ...rest } = await answer;
  if (status !== 200) throw new Error(`it answered ${status}: ${JSON.stringify(body)}`);
  return { status, body, ...rest };
}

/** A call on the desk: `take`, `release`, `start_review`, `approve` … */
export function onDesk(officer: Pick<Someone, 'caller'>, tag: string, act: string, body?: unknown): Promise<Answer> {
  return officer.caller.post(`/desk/cases/${tag}/${act}`, body);
}

export const ACKNOWLEDGED_REASON = 'I called them and they confirmed it.';

/** The officer acknowledges every open flag about a case itself. */
export async function acknowledgeFlags({ caller }: Pick<Someone, 'caller'>, tag: string): Promise<void> {
  const { body } = await succeed(caller.get(`/desk/cases/${tag}`));
  const { flags }: Pick<CaseReply, 'flags'> = body;
  const open = flags.filter(({ fact, acknowledged }) => fact !== null && acknowledged === null);
  const named = open.map(({ kind, fact }) => ({ kind, fact }));
  await succeed(onDesk({ caller }, tag, 'acknowledge', { flags: named, reason: ACKNOWLEDGED_REASON }));
}

/** A submitted, unassigned application whose client has a payout account. */
export async function buildSubmittedCase(app: TestApp, given: CaseGiven = {}): Promise<BuiltCase> {
  const client = given.client ?? (await buildCaseClient(app));
  const officer = given.officer ?? (await buildOfficer(app));
  const invoice = await buildReadyInvoice(app, client.person);
  if (given.advance !== undefined) await changeAdvance(app, invoice.id, given.advance);
  if (given.currencyId !== undefined)
    await app.platform.db
      .updateTable('invoices')
      .set({ currency_id: given.currencyId })
      .where('id', '=', invoice.id)
      .execute();
  await ensurePayoutAccount(app, client, officer);
  await succeed(client.caller.post(`/applications/${invoice.tag}/submit`));
  return { ...invoice, client, officer };
}

/** Gives a draft another advance, priced as the server prices it; its invoice is for twice as much. */
async function changeAdvance(app: TestApp, id: number, advance: number): Promise<void> {
  const faceValue = advance * 2;
  const { discountFee, netProceeds } = quote({ faceValue, advance, tenorDays: 30 });
  await app.platform.db
    .updateTable('invoices')
    .set({
      face_value: minorToNumeric(faceValue),
      advance: minorToNumeric(advance),
      discount_fee: minorToNumeric(discountFee),
      net_proceeds: minorToNumeric(netProceeds),
    })
    .where('id', '=', id)
    .execute();
}

/** A submitted case, assigned to its officer. */
export async function buildAssignedCase(app: TestApp, given: CaseGiven = {}): Promise<BuiltCase> {
  const built = await buildSubmittedCase(app, given);
  await succeed(onDesk(built.officer, built.tag, 'take'));
  return built;
}

/** A case In Review, assigned to its officer. */
export async function buildReviewedCase(app: TestApp, given: CaseGiven = {}): Promise<BuiltCase> {
  const built = await buildAssignedCase(app, given);
  await succeed(onDesk(built.officer, built.tag, 'start_review'));
  return built;
}

export const QUESTION = 'Please send the delivery note with the buyer’s stamp.';

/** A case in Info Requested: a question, and by default no document. */
export async function buildAskedCase(
  app: TestApp,
  given: CaseGiven & { readonly typeIds?: readonly number[] } = {},
): Promise<BuiltCase> {
  const built = await buildReviewedCase(app, given);
  const request = { question: QUESTION, typeIds: given.typeIds ?? [] };
  await succeed(onDesk(built.officer, built.tag, 'request_information', request));
  return built;
}

export const OFFER = {
  amountAppliedFor: 800_000,
  financingPeriodId: 2,
  reason: 'Your buyer pays within 15 days.',
} as const;

/** A counter-offered case, by default with {@link OFFER}: UGX 744,000 in cash. */
export async function buildCounterOfferedCase(
  app: TestApp,
  given: CaseGiven & { readonly offer?: object } = {},
): Promise<BuiltCase> {
  const built = await buildReviewedCase(app, given);
  await succeed(onDesk(built.officer, built.tag, 'counter_offer', given.offer ?? OFFER));
  return built;
}

/** The body of a request for or an offer of an extension: 15 days. */
export const MORE_TIME = { financingPeriodId: 2, reason: 'The hospital pays at the end of the quarter.' } as const;

/** Logs the client in again, because their session has ended after idle days. */
export const logInAgain = ({ client: { caller, person } }: BuiltCase): Promise<Answer> =>
  succeed(caller.post('/users/login', { username: person.username, password: TEST_PASSWORD }));

/** The client accepts the open offer as they read it. */
export async function acceptOffer({ client, tag }: Pick<BuiltCase, 'client' | 'tag'>): Promise<Answer> {
  const { body } = await client.caller.get(`/applications/${tag}/offer`);
  const keyFactsVersion = body.keyFacts?.version ?? 'none';
  return client.caller.post(`/applications/${tag}/accept_offer`, { keyFactsVersion });
}

/** A case In Review above the threshold, approved once by its officer and unassigned. */
export async function buildOnceApprovedCase(app: TestApp, given: CaseGiven = {}): Promise<BuiltCase> {
  const built = await buildReviewedCase(app, { ...NEEDS_TWO, ...given });
  await succeed(onDesk(built.officer, built.tag, 'approve'));
  return built;
}

/** An approved case: by one officer, or by two if the client's exposure requires it. */
export async function buildApprovedCase(app: TestApp, given: CaseGiven = {}): Promise<PayableCase> {
  const built = await buildReviewedCase(app, given);
  const payer = given.payer ?? (await buildOfficer(app));
  await succeed(onDesk(built.officer, built.tag, 'approve'));
  if ((await statusOf(app, built)) === 'Approved') return { ...built, payer };
  const second = await buildOfficer(app, { firstName: 'Nakato', lastName: 'Sarah' });
  await succeed(onDesk(second, built.tag, 'take'));
  await succeed(onDesk(second, built.tag, 'approve'));
  return { ...built, payer };
}

/** An approved case, and the officer who pays it out. */
export type PayableCase = BuiltCase & { readonly payer: Someone };

export const DECLINED = { reason: 'documents', note: 'The delivery note is not signed.' } as const;

/** A case declined with {@link DECLINED}. */
export async function buildDeclinedCase(app: TestApp, given: CaseGiven = {}): Promise<BuiltCase> {
  const built = await buildReviewedCase(app, given);
  await succeed(onDesk(built.officer, built.tag, 'decline', DECLINED));
  return built;
}

/** A case withdrawn by its client. */
export async function buildWithdrawnCase(app: TestApp, given: CaseGiven = {}): Promise<BuiltCase> {
  const built = await buildSubmittedCase(app, given);
  await succeed(built.client.caller.post(`/applications/${built.tag}/withdraw`));
  return built;
}

export const TAKEN_BACK = { reason: 'The buyer has closed its account with us.' } as const;

/** An approved case whose approval was cancelled with {@link TAKEN_BACK}. */
export async function buildCancelledCase(app: TestApp, given: CaseGiven = {}): Promise<BuiltCase> {
  const built = await buildApprovedCase(app, given);
  await succeed(onDesk(built.officer, built.tag, 'cancel_approval', TAKEN_BACK));
  return built;
}

/** A case approved and not paid out in time, as the sweep leaves it. */
export async function buildLapsedCase(app: TestApp, given: CaseGiven = {}): Promise<BuiltCase> {
  const built = await buildApprovedCase(app, given);
  const later = new Date(app.clock.now().getTime() + (app.platform.config.offerValidDays + 1) * DAY_MS);
  await sweepLapsed({ ...app.platform, clock: { ...app.platform.clock, now: () => later } });
  return built;
}

/** Method and date of payments: the date on which tests begin. Amounts are in the API's units. */
const PAID = { method: 'airtel', date: '2026-11-20' } as const;

/** A case paid out on the day on which tests begin. */
export async function buildDisbursedCase(app: TestApp, given: CaseGiven = {}): Promise<PayableCase> {
  const built = await buildApprovedCase(app, given);
  const paid = { reference: `MM-2026-${built.id}`, date: PAID.date };
  await succeed(payOut({ preparer: built.officer, releaser: built.payer }, built.tag, paid));
  return built;
}

/** A case paid out, and fully paid back by the buyer, on the day on which tests begin. */
export async function buildSettledCase(app: TestApp, given: CaseGiven = {}): Promise<PayableCase> {
  const built = await buildDisbursedCase(app, given);
  const { advance } = await caseRow(app, built);
  const receipt = { ...PAID, reference: `MM-R-${built.id}`, payer: 'buyer', amount: fromMinor(advance ?? 0) };
  await succeed(built.officer.caller.post(`/applications/${built.tag}/receipts`, receipt));
  return built;
}

/** A builder for each status after Draft. */
export const caseBuilders = {
  Submitted: buildAssignedCase,
  'In Review': buildReviewedCase,
  'Info Requested': buildAskedCase,
  'Counter-offered': buildCounterOfferedCase,
  Approved: buildApprovedCase,
  Declined: buildDeclinedCase,
  Withdrawn: buildWithdrawnCase,
  Cancelled: buildCancelledCase,
  Lapsed: buildLapsedCase,
  Disbursed: buildDisbursedCase,
  Settled: buildSettledCase,
} as const satisfies Record<Exclude<Status, 'Draft'>, (app: TestApp, given?: CaseGiven) => Promise<BuiltCase>>;

/** The case's stored row. */
export function caseRow(app: TestApp, { id }: Pick<BuiltCase, 'id'>) {
  return app.platform.db.selectFrom('invoices').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The application's status. */
export async function statusOf(app: TestApp, built: Pick<BuiltCase, 'id'>): Promise<Status> {
  return (await caseRow(app, built)).status;
}

/** The case's steps, oldest first. */
export function stepsOf(app: TestApp, { id }: Pick<BuiltCase, 'id'>) {
  return app.platform.db
    .selectFrom('application_steps')
    .select(['step', 'from_status', 'to_status', 'at', 'by_person', 'note'])
    .where('invoice_id', '=', id)
    .orderBy('id')
    .execute();
}

/** The case's audit events, oldest first. */
export function eventsOf(app: TestApp, { tag }: Pick<BuiltCase, 'tag'>, action = '%') {
  return app.platform.db
    .selectFrom('audit_events')
    .select(['action', 'actor_tag', 'before', 'after'])
    .where('subject_tag', '=', tag)
    .where('action', 'like', action)
    .orderBy('id')
    .execute();
}

/** The messages to the client, oldest first. */
export async function messagesTo(
  app: TestApp,
  { person }: Pick<Someone, 'person'>,
): Promise<{ channel: string; subject: string; body: string }[]> {
  const rows = await app.platform.db
    .selectFrom('messages')
    .select(['channel', 'subject', 'body'])
    .where('recipient', '=', person.username)
    .orderBy('id')
    .execute();
  return rows.map(({ channel, subject, body }) => ({
    channel,
    subject,
    body: body === null ? '' : app.platform.sealer.unseal(body),
  }));
}
