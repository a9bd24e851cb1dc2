import type { Page } from '@playwright/test';
import { type Caller, get, post } from './calls.ts';
import { codeIn, DEMONSTRATION_PASSWORD, expect, type Kasente, logIn, newPhone, visit } from './fixtures.ts';
import { PHOTO, type Upload } from './sample-files.ts';

/** Preparation of journeys by API calls, where the steps are not the subject of the test. */

interface Option {
  readonly id: number;
  readonly name?: string;
  readonly code?: string;
}

/** A person who has signed up by phone, confirmed it, and waits for activation; returns the phone number. */
export async function newPerson(page: Page, kasente: Kasente): Promise<string> {
  const phone = newPhone();
  const form = { phone, password: DEMONSTRATION_PASSWORD, gender: 'female', industryId: 1, districtId: 1 };
  const { userTag } = await post<{ userTag: string }>(page, 'users/register', form);
  const pin = codeIn(await kasente.newestMessage(phone));
  await post(page, 'users/verify_username', { userTag, pin });
  return phone;
}

export interface Tagged {
  readonly tag: string;
}

export interface Draft extends Tagged {
  readonly number: string;
}

let drafts = Date.now();

/** The terms of a draft, over 30 days. */
interface Terms {
  readonly amount: number;
  readonly amountAppliedFor: number;
  readonly feesCharged: number;
  readonly amountReceived: number;
}

/** Together with the debts of Jinja Agro Supplies Ltd, above what one officer may approve alone. */
export const largeTerms: Terms = {
  amount: 30_000_000,
  amountAppliedFor: 25_000_000,
  feesCharged: 2_750_000,
  amountReceived: 22_250_000,
};

const smallTerms: Terms = {
  amount: 1_000_000,
  amountAppliedFor: 900_000,
  feesCharged: 99_000,
  amountReceived: 801_000,
};

/**
 * A saved draft of the logged-in person: an invoice of UGX 1,000,000 and 900,000 applied for over 30 days, or other
 * terms.
 */
export async function newDraft(page: Page, { amount, ...priced }: Terms = smallTerms): Promise<Draft> {
  drafts += 1;
  const number = `E2E-${drafts}`;
  const currencyId = await idOf(page, 'currencies', ({ code }) => code === 'UGX');
  const buyerId = await idOf(page, 'profiles/buyers', ({ name }) => name === 'Pearl Hotels Group');
  const financingPeriodId = await idOf(page, 'financing_periods', ({ name }) => name === '30 days');
  const { user } = await get<{ user: { tag: string; bizTag: string } }>(page, 'users/session');
  const invoice = { businessTag: user.bizTag, invoiceNumber: number, date: '2026-01-05', currencyId, buyerId };
  const saved = await post<{ data: { tag: string } }>(page, 'invoices', {
    userTag: user.tag,
    invoice: { ...invoice, amount },
  });
  const { guid } = await post<{ guid: string }>(page, 'guid', {});
  const terms = { ...priced, financingPeriodId };
  await post(page, 'invoices', {
    application: { invoiceTag: saved.data.tag, reference: guid, applicationDate: '2026-01-06', ...terms },
  });
  return { tag: saved.data.tag, number };
}

export const MANDATORY = ['Invoice copy', 'Proof of delivery or completed work', 'Contract or purchase order'] as const;

/** A draft of the logged-in person with everything needed to submit it. */
export async function newReadyDraft(page: Page, terms?: Terms): Promise<Draft> {
  const draft = await newDraft(page, terms);
  for (const type of MANDATORY) await uploadTo(page, draft, type);
  return draft;
}

/** An application of the logged-in person, submitted with its mandatory documents. */
export async function newSubmission(page: Page, terms?: Terms): Promise<Draft> {
  const draft = await newReadyDraft(page, terms);
  await post(page, `applications/${draft.tag}/submit`, {});
  return draft;
}

/** Logs a client in, makes a draft of theirs (or what `make` creates), and opens it in the same tab. */
export async function openNew(page: Page, username: string, make: (page: Page) => Promise<Draft> = newDraft) {
  await logIn(page, username);
  const made = await make(page);
  await visit(page, `/invoice-discounting-application/${made.tag}`);
  return made;
}

/** The flags in a case's reply. */
interface Flagged {
  readonly flags: readonly {
    kind: string;
    other: { tag: string } | null;
    fact: string | null;
    acknowledged: object | null;
  }[];
}

/** A step on the desk: `take`, `start_review`, `approve` … */
export function onDesk(by: Caller, { tag }: Tagged, step: string, data: object = {}): Promise<void> {
  return post(by, `desk/cases/${tag}/${step}`, data);
}

/** Acknowledges every open flag of a case: all submissions of a journey have the same photo, amount and date. */
export async function acknowledge(by: Caller, application: Tagged): Promise<void> {
  const { flags } = await get<Flagged>(by, `desk/cases/${application.tag}`);
  const open = flags.filter(({ acknowledged }) => acknowledged === null);
  const named = open.map(({ kind, other, fact }) => ({ kind, otherTag: other?.tag, fact: fact ?? undefined }));
  const reason = 'Another delivery of the same week';
  if (named.length > 0) await onDesk(by, application, 'acknowledge', { flags: named, reason });
}

/** Takes the case, starts its review and acknowledges its possible duplicates. */
export async function review(by: Caller, application: Tagged): Promise<void> {
  await onDesk(by, application, 'start_review');
  await acknowledge(by, application);
}

/** Acknowledges a case's possible duplicates, and approves it. */
export async function approve(by: Caller, application: Tagged): Promise<void> {
  await acknowledge(by, application);
  await onDesk(by, application, 'approve');
}

interface DocumentType {
  readonly type: string;
  readonly typeId: number;
}

/** The ids of these document types, as an application lists them. */
export async function typeIdsOf(by: Caller, { tag }: Tagged, types: readonly string[]): Promise<number[]> {
  const documents = await get<DocumentType[]>(by, `invoices/documents/${tag}`);
  return documents.filter(({ type }) => types.includes(type)).map(({ typeId }) => typeId);
}

/** Uploads a file to a draft; by default the photo of a document. */
export async function uploadTo(by: Caller, draft: Tagged, type: string, file: Upload = PHOTO): Promise<void> {
  const [typeId = 0] = await typeIdsOf(by, draft, [type]);
  const answer = await by.request.post('/api/v1/files/upload', {
    headers: { 'X-Requested-With': 'fetch' },
    multipart: { invoiceTag: draft.tag, typeId, file },
  });
  expect(answer.status()).toBe(200);
}

async function idOf(page: Page, path: string, isIt: (option: Option) => boolean): Promise<string> {
  const found = (await get<Option[]>(page, path)).find(isIt);
  if (found === undefined) throw new Error(`${path} does not offer it`);
  return String(found.id);
}

/** The value that the device keeps under a key, or null. */
export function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name), key);
}
