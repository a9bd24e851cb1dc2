import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { logIn, PASSWORD, personOf, signUp } from '#server/accounts/accounts.harness.ts';
import { confirmProposal, entriesOf, reverse, sumsOf } from '#server/payments/payments.harness.ts';
import { buildBusiness, buildPerson, buildReadyInvoice, TEST_PASSWORD } from '#testing/builders.ts';
import {
  type BuiltCase,
  buildCaseClient,
  buildDisbursedCase,
  buildOfficer,
  buildOnceApprovedCase,
  buildReviewedCase,
  buildSubmittedCase,
  type CaseClient,
  messagesTo,
  onDesk,
  QUESTION,
  type Someone,
  statusOf,
  stepsOf,
  succeed,
} from '#testing/case-builders.ts';
import { payOut } from '#testing/payout-builders.ts';
import { samplePdf } from '#testing/sample-files.ts';
import type { Answer, TestApp } from '#testing/test-app.ts';
import { upload } from '#testing/uploads.ts';

/**
 * A cheating officer, and races against an approval (docs/decisions/0033-officers-who-cheat.md). A round throws if the
 * officer got further than allowed, if the client was not told, or if an approval ignored an earlier change.
 */

function require(condition: boolean, what: string, seen: unknown): void {
  if (!condition) throw new Error(`${what}: ${JSON.stringify(seen)}`);
}

const seenOf = ({ status, body }: Answer): string => (status === 200 ? 'done' : `${status} ${body.code}`);

function requireAllIn(answers: readonly Answer[], allowed: readonly string[]): void {
  const seen = answers.map(seenOf);
  require(seen.every((one) => one === 'done' || allowed.includes(one)), 'an odd refusal', seen);
}

/** A planted fault: a change behind the server's back between submission and decision. */
export type Meddle = (puppet: { readonly id: number }, client: CaseClient) => Promise<void>;

function activate(officer: Someone, tag: string, businessId: number): Promise<Answer> {
  const form = { tag, businessId, firstName: 'Sarah', lastName: 'Nabirye' };
  return officer.caller.post('/persons/update_minimal_business', form);
}

/** The officer activates an account of their own in the client's business, which then applies. */
async function applyAsPuppet(app: TestApp, officer: Someone, client: CaseClient) {
  const puppet = await buildPerson(app, { status: 'Verified' });
  const { businessId } = client.person;
  await succeed(activate(officer, puppet.tag, businessId));
  const caller = app.visitor();
  await succeed(caller.post('/users/login', { username: puppet.username, password: TEST_PASSWORD }));
  const invoice = await buildReadyInvoice(app, { ...puppet, businessId });
  await succeed(caller.post(`/applications/${invoice.tag}/submit`));
  return { puppet, invoice };
}

/**
 * The whole attack by one officer: activates, applies, approves as often as possible, pays out. Throws unless it ends
 * at a first approval, and the client was told about the new person and the application. Another officer's approval
 * must be announced as well.
 */
export async function cheatAlone(app: TestApp, meddle?: Meddle): Promise<void> {
  const [officer, client] = [await buildOfficer(app), await buildCaseClient(app)];
  const { puppet, invoice } = await applyAsPuppet(app, officer, client);
  await meddle?.(puppet, client);
  await succeed(onDesk(officer, invoice.tag, 'start_review'));
  const approvals: Answer[] = [];
  for (let times = 0; times < 2; times += 1) {
    approvals.push(await onDesk(officer, invoice.tag, 'approve'));
    await onDesk(officer, invoice.tag, 'take');
  }
  const payment = await payOut({ preparer: officer, releaser: officer }, invoice.tag);
  require(payment.status === 409, 'paid out alone', seenOf(payment));
  const status = await statusOf(app, invoice);
  require(status === 'In Review', 'approved alone', [status, ...approvals.map(seenOf)]);
  const heard = async (): Promise<string[]> => (await messagesTo(app, client)).map(({ subject }) => subject);
  const about = `Invoice ${invoice.invoiceNumber}`;
  const [newcomer, submission, ...more] = await heard();
  const isTold = newcomer?.startsWith('Sarah Nabirye') === true && submission === `${about}: submitted`;
  require(isTold && more.length === 0, 'the client did not hear of it', [newcomer, submission, ...more]);
  const second = await buildOfficer(app);
  await succeed(onDesk(officer, invoice.tag, 'release'));
  await succeed(onDesk(second, invoice.tag, 'take'));
  await succeed(onDesk(second, invoice.tag, 'approve'));
  require((await heard()).at(-1) === `${about}: approved`, 'the client did not hear of the approval', await heard());
}

/**
 * One officer brings in a person of their own and verifies that person's first account, the number that they signed up
 * with: at once, a month later, and in a business that has people already, with an honest officer's check. Throws if an
 * account can be paid to without the wait. `meddle` plants a fault behind the server's back.
 */
export async function skipTheWait(app: TestApp, meddle?: (accountTag: string) => Promise<void>): Promise<void> {
  const [cheat, honest, victim] = [await buildOfficer(app), await buildOfficer(app), await buildCaseClient(app)];
  const { id: empty } = await buildBusiness(app);
  const attempts = [
    { businessId: empty, by: cheat, isLate: false },
    { businessId: (await buildBusiness(app)).id, by: cheat, isLate: true },
    { businessId: victim.person.businessId, by: honest, isLate: false },
  ];
  for (const { businessId, by, isLate } of attempts) {
    const username = await signUp(app);
    const puppet = await personOf(app, username);
    await succeed(activate(cheat, puppet?.tag ?? '', businessId));
    const caller = app.visitor();
    await succeed(logIn(caller, username));
    const form = { provider: 'mtn', number: username, holderName: 'Sarah Nabirye', password: PASSWORD };
    const { body } = await succeed(caller.post('/payout_accounts', form));
    const { db } = app.platform;
    const answer = { holder_state: 'active', holder_said: 'NABIRYE SARAH', holder_asked_at: app.clock.now() } as const;
    await db.updateTable('payout_accounts').set(answer).where('tag', '=', body.tag).execute();
    const people = db.updateTable('persons').where('username', '=', username);
    if (isLate) await people.set({ placed_at: new Date('2020-01-01T00:00:00Z') }).execute();
    const verified = await by.caller.post(`/payout_accounts/${body.tag}/verify`, {});
    await meddle?.(body.tag);
    const { accounts } = (await succeed(caller.get('/payout_accounts/own'))).body;
    const [{ state }] = accounts;
    require(state !== 'usable', 'an account without the wait', [businessId, seenOf(verified), state]);
    const expected = by === cheat && !isLate ? '409 OWN_ACCOUNT' : 'done';
    require(seenOf(verified) === expected, 'an odd answer', [expected, seenOf(verified)]);
  }
}

const DEBT = 1_800_000_000;

/**
 * One officer tries to cancel a debt of UGX 18,000,000 that others paid out by hand: reverses the payout, records its
 * repayment, proposes both and confirms them too, cancels the case. Throws if the debt is gone, or if the other
 * officers weren't told about the proposal. `meddle` plants a fault behind the server's back, after the proposal.
 */
export async function takeDebtAway(app: TestApp, meddle?: (tag: string) => Promise<void>): Promise<void> {
  const [cheat, honest] = [await buildOfficer(app), await buildOfficer(app)];
  const built = await buildDisbursedCase(app, { advance: DEBT });
  const [entry] = await entriesOf(honest, built.tag);
  const receipt = { method: 'bank', reference: randomUUID(), date: '2026-11-20', amount: DEBT / 100, payer: 'client' };
  const record = (call: string, more: object) =>
    cheat.caller.post(`/applications/${built.tag}/${call}`, { ...receipt, ...more });
  const answers = [
    await reverse(cheat, entry?.tag ?? ''),
    await record('receipts', {}),
    await cheat.caller.post(`/payments/${entry?.tag}/reversal/propose`, { reason: 'It did not leave' }),
  ];
  await meddle?.(built.tag);
  answers.push(await confirmProposal(cheat, built.tag));
  const { proposal } = await sumsOf(cheat, built.tag);
  await cheat.caller.post(`/applications/${built.tag}/proposals/drop`, { proposalTag: proposal?.tag ?? randomUUID() });
  answers.push(await record('receipts/propose', { reason: 'I saw it' }), await confirmProposal(cheat, built.tag));
  answers.push(await onDesk(cheat, built.tag, 'cancel_approval', { reason: 'We pay nothing' }));
  const { outstanding } = await sumsOf(honest, built.tag);
  require(outstanding === DEBT / 100, 'the debt is gone by one officer alone', [outstanding, ...answers.map(seenOf)]);
  const heard = (await messagesTo(app, honest)).filter(({ body }) => body.includes(entry?.reference ?? '-'));
  require(heard.length === 1, 'the other officers did not hear of it', heard);
}

/**
 * One officer tries to remove the statement that shows a payout by hand: proposes to withdraw it, confirms that too,
 * and proposes to reverse the payout. Throws if the statement is gone, or if the other officers weren't told about the
 * proposal. `meddle` plants a fault behind the server's back, after the proposal.
 */
export async function hideStatement(app: TestApp, meddle?: (tag: string) => Promise<void>): Promise<void> {
  const [cheat, honest] = [await buildOfficer(app), await buildOfficer(app)];
  const built = await buildDisbursedCase(app, { advance: DEBT });
  const [entry] = await entriesOf(honest, built.tag);
  const { tag, fileName } = await plantStatement(app, honest, entry?.tag ?? '');
  const act = (what: string, body: object) => cheat.caller.post(`/statements/${tag}/withdrawal/${what}`, body);
  const answers = [await act('propose', { reason: 'It is of another account' })];
  const open = app.platform.db.selectFrom('statement_withdrawals').where('proposed_by', '=', cheat.person.id);
  const withdrawalTag = (await open.select('tag').executeTakeFirst())?.tag ?? randomUUID();
  await meddle?.(withdrawalTag);
  answers.push(await act('confirm', { withdrawalTag }));
  answers.push(await cheat.caller.post(`/payments/${entry?.tag}/reversal/propose`, { reason: 'It did not leave' }));
  const seen = answers.map(seenOf);
  require(seen[2] === '409 SHOWN_PAID', 'a statement is gone by one officer alone', seen);
  const heard = (await messagesTo(app, honest)).filter(({ body }) => body.includes(fileName));
  require(heard.length === 1, 'the other officers did not hear of the withdrawal', heard);
}

/** Inserts a statement that shows a payment, as if an officer had imported it. */
async function plantStatement({ platform: { db }, clock }: TestApp, { person }: Someone, entryTag: string) {
  const fileName = `${randomUUID()}.csv`;
  const { rows } = await sql<{ tag: string }>`with shown as (select * from journal_entries where tag = ${entryTag}),
    statement as (insert into statements (rail, currency_id, file_name, sha256, from_on, until_on, line_count, new_count,
        received, sent, imported_at, imported_by)
      select method, currency_id, ${fileName}, sha256(${fileName}::bytea), occurred_on, occurred_on, 1, 1, 0, amount,
        ${clock.now()}, ${person.id} from shown returning id, tag)
    insert into statement_lines (statement_id, rail, currency_id, place, provider_id, occurred_on, amount, details)
    select statement.id, method, currency_id, 2, reference, occurred_on, -amount, '' from shown, statement
    returning (select tag from statement) as tag`.execute(db);
  return { tag: rows[0]?.tag ?? '', fileName };
}

/** The audit events of these subjects, in order. */
async function recorded(app: TestApp, ...tags: readonly string[]): Promise<string[]> {
  const events = app.platform.db.selectFrom('audit_events').select('action').where('subject_tag', 'in', tags);
  return (await events.orderBy('id').execute()).map(({ action }) => action);
}

const AT_ONCE = 5;
const times = <Result>(work: () => Promise<Result>): Promise<Result>[] => Array.from({ length: AT_ONCE }, work);

/** Two officers approve while one of them acknowledges a flag: no approval may come before the acknowledgement. */
async function raceAcknowledgement(app: TestApp, officers: readonly [Someone, Someone]): Promise<void> {
  const [officer, other] = officers;
  const [built, duplicate] = [await buildReviewedCase(app, { officer }), await buildSubmittedCase(app)];
  const pair = {
    invoice_id: built.id,
    other_invoice_id: duplicate.id,
    kind: 'nearNumber',
    found_at: app.clock.now(),
  } as const;
  await app.platform.db.insertInto('invoice_flags').values(pair).execute();
  const flags = [{ kind: 'nearNumber', otherTag: duplicate.tag }];
  const acknowledge = (by: Someone) => onDesk(by, built.tag, 'acknowledge', { flags, reason: 'Another delivery note' });
  const [approvals, given] = await Promise.all([
    Promise.all(times(() => onDesk(officer, built.tag, 'approve'))),
    Promise.all([...times(() => acknowledge(officer)), ...times(() => acknowledge(other))]),
  ]);
  requireAllIn(approvals, ['409 FLAG_OPEN', '409 STEP_NOT_ALLOWED']);
  requireAllIn(given, ['409 FLAG_ACKNOWLEDGED']);
  const events = await recorded(app, built.tag);
  const [acknowledged, approved] = [events.indexOf('flag.acknowledged'), events.indexOf('application.approve')];
  require(events.filter((action) => action === 'flag.acknowledged').length === 1, 'not one acknowledgement', events);
  require(approved === -1 || approved > acknowledged, 'approved with an open flag', events);
}

const INVOICE_COPY = 1;

/** The client replaces a document while the second officer recalls the request and approves. */
async function raceReplacement(app: TestApp, officers: readonly [Someone, Someone]): Promise<void> {
  const [officer, second] = officers;
  const built = await buildOnceApprovedCase(app, { officer });
  await succeed(onDesk(second, built.tag, 'take'));
  await succeed(onDesk(second, built.tag, 'request_information', { question: QUESTION, typeIds: [INVOICE_COPY] }));
  const decide = async (): Promise<Answer> => {
    await succeed(onDesk(second, built.tag, 'recall_request'));
    return onDesk(second, built.tag, 'approve');
  };
  const [sent, approval] = await Promise.all([sendCopy(built), decide()]);
  requireAllIn([sent], ['409 NOT_EDITABLE']);
  requireAllIn([approval], []);
  const steps = (await stepsOf(app, built)).map(({ step }) => step);
  const isVoid = steps.includes('voidFirstApproval');
  require(isVoid === (sent.status === 200), 'replaced, and the approval stands', steps);
  require(steps.at(-1) === (isVoid ? 'approveFirst' : 'approve'), 'approved on a replaced document', steps);
}

function sendCopy({ client, tag }: BuiltCase): Promise<Answer> {
  return upload(client.caller, { invoiceTag: tag, typeId: INVOICE_COPY }, samplePdf(randomUUID()));
}

/**
 * An officer moves the applicant to another business while approving the case: their approval is enough only if it came
 * first.
 */
async function raceActivation(app: TestApp, officers: readonly [Someone, Someone]): Promise<void> {
  const [officer] = officers;
  const built = await buildReviewedCase(app, { officer });
  const elsewhere = await buildCaseClient(app);
  const { tag } = built.client.person;
  const [approval, moved] = await Promise.all([
    onDesk(officer, built.tag, 'approve'),
    activate(officer, tag, elsewhere.person.businessId),
  ]);
  requireAllIn([approval, moved], []);
  const events = await recorded(app, built.tag, tag);
  const isMovedFirst = events.at(-1) !== 'person.updated';
  const ended = isMovedFirst ? 'application.approveFirst' : 'application.approve';
  require(events.slice(-2).includes(ended), 'approved alone by who moved them', events);
}

/** Every race by name. */
export const cheatingRaces = { raceAcknowledgement, raceReplacement, raceActivation } as const;
