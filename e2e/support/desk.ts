import type { Locator, Page, Route } from '@playwright/test';
import { onDesk, review, type Tagged, typeIdsOf } from './arrange.ts';
import { type Caller, get, post } from './calls.ts';
import { DEMONSTRATION_PASSWORD, expect, type Kasente, kampalaDay } from './fixtures.ts';

/** The other side of a client's journey: officers who act through API calls, each with a session. */

interface Payout {
  readonly next: { readonly amount: number } | null;
  readonly account: { readonly tag: string } | null;
  readonly prepared: {
    readonly tag: string;
    readonly amount: number;
    readonly account: { readonly tag: string };
  } | null;
}

/** An officer prepares the payment due to an application's client, to the account shown. */
export async function preparePayout(preparer: Caller, { tag }: Tagged): Promise<void> {
  const { next, account } = await get<Payout>(preparer, `applications/${tag}/payout`);
  expect(account, 'the client has no account').not.toBeNull();
  await post(preparer, `applications/${tag}/payout/prepare`, { amount: next?.amount, accountTag: account?.tag });
}

/** An officer verifies the account that an application is paid to, and the waiting period of a day passes. */
export async function verifyAccount(by: Caller, kasente: Kasente, { tag }: Tagged): Promise<void> {
  const { account } = await get<Payout>(by, `applications/${tag}/payout`);
  await post(by, `payout_accounts/${account?.tag}/verify`);
  await kasente.letAccountsWait();
}

/** One officer prepares the due payment, and another releases it today. */
export async function payOut(
  { preparer, releaser }: { readonly preparer: Caller; readonly releaser: Caller },
  application: Tagged,
  reference: string,
): Promise<void> {
  await preparePayout(preparer, application);
  const { prepared } = await get<Payout>(releaser, `applications/${application.tag}/payout`);
  await post(releaser, `applications/${application.tag}/payout/release`, {
    payoutTag: prepared?.tag,
    amount: prepared?.amount,
    accountTag: prepared?.account.tag,
    reference,
    date: kampalaDay(),
    password: DEMONSTRATION_PASSWORD,
  });
}

/** Opens the menu of a case's further actions, and returns one of them. */
export async function moreAction(page: Page, name: string): Promise<Locator> {
  await page.getByRole('region', { name: 'Decision' }).getByRole('button', { name: 'More' }).click();
  return page.getByRole('menuitem', { name, exact: true });
}

/** An officer of the demonstration, in their own browser context. */
export async function officer(page: Page, username = 'staff@kasente.test'): Promise<Caller> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser');
  const context = await browser.newContext();
  await post(context, 'users/login', { username, password: DEMONSTRATION_PASSWORD });
  return context;
}

/** An officer who has asked the client a question about a submitted application, and for documents of these types. */
export async function askClient(page: Page, application: Tagged, types: readonly string[]): Promise<Caller> {
  const staff = await officer(page);
  await review(staff, application);
  const typeIds = await typeIdsOf(staff, application, types);
  await onDesk(staff, application, 'request_information', { question: 'Which account is it paid to?', typeIds });
  return staff;
}

/** The desk's rows, every second one with the longest possible names and every possible note. */
export async function longNamed(route: Route): Promise<void> {
  const response = await route.fetch();
  const rows: object[] = JSON.parse(await response.text());
  const officer = { tag: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b12', name: 'Nakabugo-Ssemwanga Josephine' };
  const long = {
    client: 'Kampala Metropolitan Agricultural Processing and Export Traders Cooperative Society Ltd',
    buyer: 'Uganda National Roads and Infrastructure Maintenance Authority, Northern Region',
    invoiceNumber: 'KMAPETCS/2026/NR/000123-B',
    flags: 2,
    mark: 'answered',
    holder: officer,
    firstApprovalBy: officer,
    pending: [
      { kind: 'moreTime', by: officer },
      { kind: 'writeOff', by: officer },
    ],
  };
  await route.fulfill({ response, json: rows.map((row, index) => (index % 2 === 0 ? { ...row, ...long } : row)) });
}
