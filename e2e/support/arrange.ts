import type { Page } from '@playwright/test';
import { codeIn, DEMONSTRATION_PASSWORD, expect, type Kasente, newPhone } from './fixtures.ts';
import { photoOfDocument } from './sample-photo.ts';

/** The start of a journey, made by calls where the way there is not the subject. */

const headers = { 'X-Requested-With': 'fetch' };

interface Option {
  readonly id: number;
  readonly name?: string;
  readonly code?: string;
}

/** A person who has signed up with their phone, confirmed it, and waits for activation; returns the phone number. */
export async function newPerson(page: Page, kasente: Kasente): Promise<string> {
  const phone = newPhone();
  const form = { phone, password: DEMONSTRATION_PASSWORD, gender: 'female', industryId: 1, districtId: 1 };
  const { userTag } = await post<{ userTag: string }>(page, 'users/register', form);
  const pin = codeIn(await kasente.newestMessage(phone));
  await post(page, 'users/verify_username', { userTag, pin });
  return phone;
}

export interface Draft {
  readonly tag: string;
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

const smallTerms: Terms = {
  amount: 1_000_000,
  amountAppliedFor: 900_000,
  feesCharged: 99_000,
  amountReceived: 801_000,
};

/** A saved draft of the logged-in person: UGX 1,000,000, of that 900,000 applied for over 30 days, or other terms. */
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

/** A draft of the logged-in person with everything that submitting needs. */
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

/** Takes a step on a case or answers one, by the call itself. */
export async function act(page: Page, path: string, body: object = {}): Promise<void> {
  await post(page, path, body);
}

/** The flags in a case's reply. */
export interface Flagged {
  readonly flags: readonly {
    kind: string;
    other: { tag: string } | null;
    fact: string | null;
    acknowledged: object | null;
  }[];
}

/** Answers for every open flag: submissions of a journey have the same photo, amount and date. */
export function acknowledgement({ flags }: Flagged) {
  const open = flags.filter(({ acknowledged }) => acknowledged === null);
  const named = open.map(({ kind, other, fact }) => ({ kind, otherTag: other?.tag, fact: fact ?? undefined }));
  return named.length === 0 ? undefined : { flags: named, reason: 'Another delivery of the same week' };
}

/** Acknowledges every flag of a case as the logged-in officer. */
export async function acknowledgeAll(page: Page, { tag }: Pick<Draft, 'tag'>): Promise<void> {
  const given = acknowledgement(await get<Flagged>(page, `desk/cases/${tag}`));
  if (given !== undefined) await act(page, `desk/cases/${tag}/acknowledge`, given);
}

/** A file as the browser sends it. */
export interface Upload {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Uploads a file to a draft; by default the photo of a document. */
export async function uploadTo(page: Page, { tag }: Draft, type: string, chosen?: Upload): Promise<void> {
  const documents = await get<{ type: string; typeId: number }[]>(page, `invoices/documents/${tag}`);
  const typeId = documents.find((document) => document.type === type)?.typeId;
  if (typeId === undefined) throw new Error(`there is no document type '${type}'`);
  const file = chosen ?? { name: 'photo.png', mimeType: 'image/png', buffer: photoOfDocument() };
  const answer = await page.request.post('/api/v1/files/upload', {
    headers,
    multipart: { invoiceTag: tag, typeId, file },
  });
  expect(answer.status()).toBe(200);
}

/** Answers a call in the server's place, in its form, until the answer is taken away by the function that is returned. */
export async function answerInstead(
  page: Page,
  path: string,
  status: number,
  json: object,
): Promise<() => Promise<void>> {
  const url = `**/api/v1/${path}`;
  await page.route(url, (route) => route.fulfill({ status, json }));
  return () => page.unroute(url);
}

/** Holds the page's requests to a URL until the returned function is called. */
export async function hold(page: Page, url: string, method = 'GET'): Promise<() => void> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    await held;
    return route.fallback();
  });
  return letGo;
}

async function idOf(page: Page, path: string, isIt: (option: Option) => boolean): Promise<string> {
  const found = (await get<Option[]>(page, path)).find(isIt);
  if (found === undefined) throw new Error(`${path} does not offer it`);
  return String(found.id);
}

async function get<T>(page: Page, path: string): Promise<T> {
  const answer = await page.request.get(`/api/v1/${path}`, { headers });
  expect(answer.status(), path).toBe(200);
  return answer.json();
}

async function post<T>(page: Page, path: string, data: object): Promise<T> {
  const answer = await page.request.post(`/api/v1/${path}`, { headers, data });
  expect(answer.status(), `${path}: ${await answer.text()}`).toBe(200);
  return answer.json();
}

declare global {
  interface Window {
    kasenteBeforeHydration?: { readonly hydrated: boolean };
  }
}

/** Waits until the application has a prerendered page's form: a letter typed into it, or a link beside it, is then its own. */
export async function hydrated(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => window.kasenteBeforeHydration?.hydrated)).toBe(true);
}

/** Fills the sign-up form, all of it right. */
export async function fillSignUp(page: Page, phoneOrEmail: string, password: string): Promise<void> {
  // Before that, its selects are the browser's own.
  await hydrated(page);
  await page.getByLabel('Phone Number / Email').fill(phoneOrEmail);
  await page.getByRole('radio', { name: 'Female' }).check();
  for (const [field, option] of [
    ['Sector', 'Wholesale and retail trade'],
    ['District/Location', 'Kampala'],
  ] as const) {
    await page.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }
  await page.getByLabel('Password', { exact: true }).fill(password);
}

/** The device's value under a key, or null. */
export function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(name), key);
}
