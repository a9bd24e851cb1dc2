import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScrolling, layoutShift } from '#e2e/support/accessible.ts';
import { newPerson } from '#e2e/support/arrange.ts';
import { type Caller, firstRow, get, post } from '#e2e/support/calls.ts';
import { holdTheClock } from '#e2e/support/clock.ts';
import { officer } from '#e2e/support/desk.ts';
import { DESK, expect, logIn, PHONE, test, visit } from '#e2e/support/fixtures.ts';
import { picture } from '#e2e/support/pictures.ts';

/** A client's home in each state: what they owe, what to do, what is on its way, and whether they may apply. */

test.use({ world: 'home' });
test.describe.configure({ mode: 'default' });

const MANY = '0700000001';
const TWO_CURRENCIES = '0700000002';
const BLOCKED = '0700000003';

const owed = (page: Page) => page.getByRole('region', { name: 'You owe' });
const toDo = (page: Page) => page.getByRole('region', { name: /^For you to do · \d+$/ });
const onItsWay = (page: Page) => page.getByRole('region', { name: /^On its way · \d+$/ });
const applyNow = (page: Page) => page.getByRole('link', { name: 'Apply Now' });

interface Attention {
  readonly balances: readonly { readonly due: { readonly tag: string; readonly daysLate: number } | null }[];
  readonly matters: readonly { readonly kind: string }[];
}

/** An officer activates a person with a new business of their own. */
async function activateWithOwnBusiness(by: Caller, phone: string): Promise<void> {
  const kinds = { industryId: 1, districtId: 1, isClient: true, isBuyer: false };
  await post(by, 'businesses', { name: `Trader ${phone}`, ...kinds });
  const business = await firstRow<{ id: number }>(by, 'businesses/paged', phone);
  const person = await firstRow<{ tag: string }>(by, 'persons', phone);
  const names = { firstName: 'Amina', lastName: 'Kato' };
  await post(by, 'persons/update_minimal_business', { tag: person.tag, ...names, phone, businessId: business.id });
}

async function expectOneFilledButton(page: Page, name: string): Promise<void> {
  await expect(page.locator('main [data-variant=filled]')).toHaveText([name]);
}

test('a client who waits for activation gets their home without a reload once they are active', async ({
  page,
  kasente,
}) => {
  await page.setViewportSize(PHONE);
  const phone = await newPerson(page, kasente);
  await logIn(page, phone);
  await expect(page.getByRole('heading', { name: 'Account Activation in Progress' })).toBeVisible();
  await expect(page.getByText('It usually takes 2 working hours.')).toBeVisible();
  await picture(page, 'client-dashboard-activation');
  await page.getByLabel('First name').fill('Half typed');
  await activateWithOwnBusiness(await officer(page), phone);
  // No reload: the page asks every ten seconds.
  await expect(page.getByText('You owe nothing.')).toBeVisible({ timeout: 15_000 });

  await expect(page.getByRole('link', { name: /^UGX 50,000,000 you can use$/ })).toBeVisible();
  await expect(toDo(page).getByRole('link')).toHaveText([/^Add where we send your cash/]);
  await expectOneFilledButton(page, 'Apply Now');
  await expect(onItsWay(page)).toHaveCount(0);
  await expectAccessible(page, 'client-dashboard-new');
  await expectNoSidewaysScrolling(page, 'the home of a new client');
  await toDo(page).getByRole('link').click();
  await expect(page).toHaveURL('/payout-accounts');
});

test('a late client sees the sum, how late it is, what to do in order, and what is on its way', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await logIn(page, MANY);
  await expect(owed(page)).toContainText(/UGX 15,955,000.*\d days late UGX 4,155,000/);
  await expectOneFilledButton(page, 'Pay');
  await expect(toDo(page).getByRole('link')).toHaveText([
    /^Pay UGX 4,155,000NT-2026-033\d days late$/,
    /^Pay UGX 9,000,000NT-2026-035(today|by .+)$/,
    /^Please send the statement of the account that the buyer pays to\.NT-2026-043 · Bank statement$/,
    /^Offer: UGX [\d,]+ to youNT-2026-045 · accept or decline it$/,
    /^Submit it to receive USD 623NT-2026-041$/,
  ]);
  for (const row of await toDo(page).getByRole('link').all())
    expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(56);
  await expect(onItsWay(page).getByRole('link').last()).toHaveText(/^Deciding 3 applications/);
  await expectNoSidewaysScrolling(page, 'the home of a late client');
  expect(await layoutShift(page)).toBeLessThan(0.02);
  await expectAccessible(page, 'client-dashboard-many');

  await page.setViewportSize(DESK);
  const [left, right] = [await toDo(page).boundingBox(), await onItsWay(page).boundingBox()];
  expect(left?.x).toBeLessThan(right?.x ?? 0);
  expect(left?.y).toBe(right?.y);

  await owed(page).getByRole('button', { name: 'Pay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pay now' });
  await expect(dialog).toContainText('UGX 4,155,000 for NT-2026-033');
  await expect(dialog).toContainText('MTN MoMo merchant 123456');
  await picture(page, 'client-dashboard-pay');
  await page.keyboard.press('Escape');
  await expect(owed(page).getByRole('button', { name: 'Pay' })).toBeFocused();
  await toDo(page).getByRole('link', { name: 'NT-2026-043' }).click();
  await expect(page.getByLabel('Your answer')).toBeFocused();
});

test('what is due today is amber, each currency has its own sum, and a payment shows by itself', async ({
  page,
  kasente,
}) => {
  await page.setViewportSize(PHONE);
  await logIn(page, TWO_CURRENCIES);
  const [first] = (await get<Attention>(page, 'applications/attention')).balances;
  if (first?.due == null) throw new Error('nothing is owed');
  await kasente.letDaysPass(first.due.tag, -first.due.daysLate);
  await expect(owed(page)).toContainText('Due today', { timeout: 15_000 });
  await expect(toDo(page).getByRole('link').first()).toHaveText(/^Pay .+today$/);
  await expectOneFilledButton(page, 'Pay');
  await expectAccessible(page, 'client-dashboard-due-today');
  await owed(page).getByRole('button', { name: 'USD' }).click();
  await expect(owed(page)).toContainText(/USD 2,300/);
  await expect(page.getByRole('link', { name: /^USD [\d,]+ you can use$/ })).toBeVisible();
  await picture(page, 'client-dashboard-two-currencies');
});

test('a hidden or offline page asks for nothing, and again afterwards', async ({ page, context }) => {
  await page.clock.install();
  await logIn(page, TWO_CURRENCIES);
  await expect(owed(page)).toBeVisible();
  await holdTheClock(page);
  const count = { asked: 0, answered: 0 };
  const isAttention = (url: string) => url.endsWith('/applications/attention');
  page.on('request', (request) => (count.asked += isAttention(request.url()) ? 1 : 0));
  page.on('response', (response) => (count.answered += isAttention(response.url()) ? 1 : 0));
  const look = (state: string) =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { value: now, configurable: true });
      window.dispatchEvent(new Event('visibilitychange'));
    }, state);
  // A visible page asks ten seconds after the last answer.
  async function expectAsking(): Promise<void> {
    const before = count.asked;
    await expect(async () => {
      await page.clock.runFor(10_000);
      expect(count.asked).toBeGreaterThan(before);
    }).toPass({ timeout: 20_000 });
    await expect.poll(() => count.asked - count.answered).toBe(0);
  }
  async function expectSilence(): Promise<void> {
    const before = count.asked;
    await page.clock.runFor(60_000);
    expect(count.asked).toBe(before);
  }
  await expectAsking();
  await look('hidden');
  await expectSilence();
  await look('visible');
  await expectAsking();
  await context.setOffline(true);
  await expectSilence();
  await context.setOffline(false);
  await expectAsking();
});

test('a blocked client sees what to pay back instead of Apply Now, on the form too', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await logIn(page, BLOCKED);
  const blocked = page.getByRole('region', { name: 'You can’t apply now' });
  const words = /Pay back UGX 7,200,000 for invoices MCT 001, MCT 098 and MCT 002\. The first was due /;
  await expect(blocked).toContainText(words);
  await expect(applyNow(page)).toHaveCount(0);
  await expectOneFilledButton(page, 'Pay');
  await expectAccessible(page, 'client-dashboard-late');
  await visit(page, '/application/start');
  await expect(page.getByRole('alert')).toContainText(words);
});

test('long names and a long question stay within a small phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const reply = {
    balances: [
      {
        currency: 'UGX',
        owed: 9_999_999_999_999.99,
        due: { amount: 8_888_888_888_888.88, dueOn: '2026-01-01', daysLate: 331, advances: 12, tag: 'x' },
        limit: 9_999_999_999_999.99,
        available: 9_999_999_999_999.99,
      },
    ],
    more: { toDo: 12, onItsWay: 3 },
    needsPayoutAccount: true,
    blocked: null,
  };
  await page.route('**/api/v1/applications/attention', async (route) => {
    const sent: Attention = await (await route.fetch()).json();
    const matters = sent.matters.map((matter) => ({
      ...matter,
      invoiceNumber: 'INVOICE/2026/KAMPALA-CENTRAL-DIVISION/000000000000000043',
      ...(matter.kind === 'asked' ? { question: 'Send the delivery note again, signed and stamped. '.repeat(4) } : {}),
    }));
    await route.fulfill({ json: { ...reply, matters } });
  });
  await logIn(page, MANY);
  await expect(owed(page)).toContainText('331 days late');
  await expectNoSidewaysScrolling(page, 'a home with long names');
  await picture(page, 'client-dashboard-long');
});
