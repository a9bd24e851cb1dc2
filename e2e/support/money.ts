import type { Page } from '@playwright/test';
import { type Caller, get } from './calls.ts';
import { DEMONSTRATION_PASSWORD, expect, type Kasente, kampalaDay } from './fixtures.ts';
import { choose } from './forms.ts';

/** Money in transit: phones that a provider's simulator plays, statements, and the journal's record of it. */

/** Opens one of a client's applications from their dashboard. */
export async function openOwn(page: Page, number: string): Promise<void> {
  await page.getByLabel('Search applications').fill(number);
  await page.getByRole('link', { name: number }).last().click();
}

/** Chooses an application's payout account on its screen. */
export async function sendItTo(page: Page, account: string): Promise<void> {
  const where = page.getByRole('region', { name: 'Where we send it' });
  await where.getByRole('button', { name: 'Change account' }).click();
  await choose(page, 'Send it to', account);
  await where.getByRole('button', { name: 'Use this account' }).click();
}

/** Releases the prepared payout of the case on the screen; its dialog must say that a provider or a file pays it. */
export async function releaseToProvider(page: Page, says: string): Promise<void> {
  await page.getByRole('region', { name: 'Payments' }).getByRole('button', { name: 'Release payout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Release this payout?' });
  await expect(dialog).toContainText(says);
  await expect(dialog.getByLabel('Reference')).toHaveCount(0);
  await dialog.getByLabel('Your password').fill(DEMONSTRATION_PASSWORD);
  await dialog.getByRole('button', { name: 'Release payout' }).click();
  await expect(dialog).toHaveCount(0);
}

/** Answers the request to pay on an MTN phone. */
export async function answerOnPhone(page: Page, kasente: Kasente, answer: 'Approve' | 'Reject'): Promise<void> {
  const phone = await page.context().newPage();
  await phone.goto(`${kasente.phonesOf('MTN')}/0772345678`);
  // The page reloads by itself.
  await phone.getByRole('link', { name: 'Answer' }).click({ timeout: 60_000 });
  await phone.getByLabel(/^PIN/).fill('12345');
  await phone.getByRole('button', { name: answer }).click();
  await expect(phone.getByRole('link', { name: 'Answer' })).toHaveCount(0);
  await phone.close();
}

/** Imports a statement of today on the page Received Money, for the account chosen there. */
export async function sendStatement(page: Page, text: string): Promise<void> {
  for (const name of ['First day', 'Last day']) await page.getByRole('textbox', { name }).fill(kampalaDay());
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'statement.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
}

/** The reference that a payer writes with a repayment of an application. */
export async function repaymentReference(by: Caller, tag: string): Promise<string> {
  return (await get<{ repaymentReference: string }>(by, `applications/${tag}/repayment`)).repaymentReference;
}

interface BankLine {
  readonly id: string;
  readonly details: string;
  readonly payer?: string;
  /** In whole shillings. */
  readonly debit?: number;
  readonly credit?: number;
}

/** One payment of today on a bank statement. */
export function bankStatement({ id, details, payer = '', debit = 0, credit = 0 }: BankLine): string {
  const day = kampalaDay().split('-').reverse().join('/');
  const cell = (amount: number): string => (amount === 0 ? '' : amount.toFixed(2));
  return [
    'Date,Bank reference,Payer,Details,Debit,Credit,Currency',
    `${day},${id},${payer},${details},${cell(debit)},${cell(credit)},UGX`,
    `TOTAL,1,,,${debit.toFixed(2)},${credit.toFixed(2)},`,
    '',
  ].join('\n');
}

interface TrialBalance {
  readonly currencies: readonly { readonly currency: string; readonly debit: string; readonly credit: string }[];
}

/** Expects debits to equal credits in every currency. */
export async function expectBalanced(admin: Caller): Promise<void> {
  const { currencies } = await get<TrialBalance>(admin, 'journal/trial_balance');
  expect(currencies.length).toBeGreaterThan(0);
  for (const { currency, debit, credit } of currencies) expect(debit, currency).toBe(credit);
}
