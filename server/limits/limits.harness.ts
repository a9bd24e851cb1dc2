import type { BusinessLimit, EarnedRaise, FundingLimit } from '#contract/limits/schema.ts';
import { type BuiltInvoice, buildReadyInvoice } from '#testing/builders.ts';
import { buildOfficer, type CaseClient, type Someone, succeed } from '#testing/case-builders.ts';
import type { Answer, TestApp } from '#testing/test-app.ts';

/** Calls and fixtures shared by the tests of limits. */

type Fields = Readonly<Record<string, unknown>>;

export const UGX = 1;
export const USD = 2;

/** The tag of a client's business. */
export async function businessTagOf(app: TestApp, { person }: Pick<CaseClient, 'person'>): Promise<string> {
  const business = app.platform.db.selectFrom('businesses').select('tag').where('id', '=', person.businessId);
  return (await business.executeTakeFirstOrThrow()).tag;
}

/** Sets a limit in UGX, or in the currency given in `change`. */
export function setLimit(officer: Someone, businessTag: string, change: Fields, headers = {}): Promise<Answer> {
  const body = { currencyId: UGX, reason: 'Settled three on time', ...change };
  return officer.caller.post(`/businesses/${businessTag}/limits`, body, headers);
}

/** Sets a limit, with a second officer's confirmation if it takes one. */
export async function putLimit(app: TestApp, officer: Someone, businessTag: string, change: Fields): Promise<void> {
  const { body } = await succeed(setLimit(officer, businessTag, change));
  if (body.proposed !== true) return;
  const proposal = await openProposal(officer, businessTag, change.currencyId ?? UGX);
  await succeed(confirm(await buildOfficer(app), proposal.tag));
}

/** The limits as an officer sees them. */
export async function businessLimits(officer: Someone, businessTag: string): Promise<BusinessLimit[]> {
  return (await officer.caller.get(`/businesses/${businessTag}/limits`)).body;
}

/** The open proposal for a client's limit in a currency. */
export async function openProposal(officer: Someone, businessTag: string, currencyId: unknown = UGX) {
  const limits = await businessLimits(officer, businessTag);
  const proposal = limits.find((limit) => limit.currencyId === currencyId)?.proposal;
  if (proposal === undefined || proposal === null) throw new Error('nothing waits for another officer');
  return proposal;
}

export function confirm(officer: Pick<Someone, 'caller'>, tag: string): Promise<Answer> {
  return officer.caller.post(`/limits/proposals/${tag}/confirm`);
}

/** The limits as the client sees them, by currency. */
export async function ownLimits(client: Pick<Someone, 'caller'>): Promise<FundingLimit[]> {
  return (await client.caller.get('/limits/own')).body;
}

export async function ownLimit(client: Pick<Someone, 'caller'>, currencyId: number): Promise<FundingLimit> {
  const limit = (await ownLimits(client)).find((one) => one.currencyId === currencyId);
  if (limit === undefined) throw new Error(`there is no limit in currency ${currencyId}`);
  return limit;
}

export async function earnedRaises(officer: Someone, page: Fields = {}): Promise<EarnedRaise[]> {
  return (await officer.caller.post('/limits/earned', page)).body;
}

/** An application for 900,000, ready to be submitted, in UGX or another currency. */
export async function buildDraft(app: TestApp, client: CaseClient, currencyId = UGX): Promise<BuiltInvoice> {
  const invoice = await buildReadyInvoice(app, client.person);
  await app.platform.db.updateTable('invoices').set({ currency_id: currencyId }).where('id', '=', invoice.id).execute();
  return invoice;
}

export function submit(client: Pick<Someone, 'caller'>, { tag }: { readonly tag: string }): Promise<Answer> {
  return client.caller.post(`/applications/${tag}/submit`);
}
