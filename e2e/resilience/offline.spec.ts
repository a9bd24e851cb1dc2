import type { Locator } from '@playwright/test';
import { newDraft } from '#e2e/support/arrange.ts';
import {
  beginInvoice,
  cutSaves,
  keptTyping,
  newNumber,
  onServer,
  openDraft,
  SAVED,
  SAVES,
  START,
  state,
  watchSaves,
} from '#e2e/support/bad-line.ts';
import { get, post } from '#e2e/support/calls.ts';
import { holdTheClock } from '#e2e/support/clock.ts';
import { expect, PHONE, signIn, test } from '#e2e/support/fixtures.ts';
import { fillInvoice } from '#e2e/support/forms.ts';
import { hold } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';

/** Work that must not be lost on a bad connection (docs/decisions/0026-work-on-a-bad-line.md). */

test.use({ viewport: PHONE });

const CLIENT = '0700000001';

test('every change is stored on the phone at once, and sent once and in order when the connection returns', async ({
  page,
  context,
}) => {
  await signIn(page, CLIENT);
  const { tag, number } = await newDraft(page);
  await openDraft(page, tag);
  await context.setOffline(true);
  await page.getByLabel('Invoice number').fill(`${number}-A`);
  await expect(state(page)).toHaveText('Saved on this phone');
  expect(await keptTyping(page)).toContain(`${number}-A`);
  await page.getByLabel('Amount applied for').fill('700000');
  await expect.poll(() => keptTyping(page)).toContain('700000');
  await expect(page.getByText("We'll send it when you are back online.")).toBeVisible();
  await expect(page.getByRole('alert')).toHaveText(["Saved on this phoneWe'll send it when you are back online."]);
  await picture(page, 'draft-offline');
  await expect(state(page)).toContainText('Saved on this phone');

  const saves = watchSaves(page);
  await context.setOffline(false);
  await expect(state(page)).toHaveText(SAVED);
  expect(saves.map(({ body }) => Object.keys(body).at(-1))).toEqual(['invoice', 'application']);
  expect(saves[0]?.body).toMatchObject({ invoice: { invoiceNumber: `${number}-A`, version: 1 } });
  expect(await keptTyping(page)).toBe('[]');
  const stored = await get<object>(page, `invoices/${tag}`);
  expect(stored).toMatchObject({ version: 2, discountApplication: { version: 2, amountAppliedFor: 700_000 } });
});

test('a new invoice that the server does not have survives a reload, and becomes one invoice', async ({ page }) => {
  await signIn(page, CLIENT);
  const number = newNumber();
  const mend = await cutSaves(page);
  await page.goto(START);
  await fillInvoice(page, number);
  await expect(state(page)).toContainText('Saved on this phone');
  await expect(page.getByText("We'll send it when you are back online.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Invoice number')).toHaveValue(number);
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('1,000,000.00');
  await expect(page.getByRole('combobox', { name: 'Buyer' })).toHaveValue('Pearl Hotels Group');
  await mend();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(state(page)).toHaveText(SAVED);
  await expect(page).toHaveURL(/\/invoice-discounting-application\/[\da-f-]{36}$/);
  expect(await onServer(page, number)).toHaveLength(1);
  expect(await keptTyping(page)).toBe('[]');
});

test('a save whose reply was lost is repeated with its key and counts once', async ({ page }) => {
  await signIn(page, CLIENT);
  const number = newNumber();
  const saves = watchSaves(page);
  let lost = 0;
  await page.route(SAVES, async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.fallback();
    lost += 1;
    await route.fetch();
    return route.abort();
  });
  await page.goto(START);
  await fillInvoice(page, number);
  await expect(page.getByText("We'll send it when you are back online.")).toBeVisible();
  await page.getByLabel('Amount', { exact: true }).fill('2000000');
  await expect(state(page)).toHaveText(SAVED);
  await expect.poll(() => saves.length).toBe(3);
  expect(saves[1]?.key).toBe(saves[0]?.key);
  expect(saves[1]?.body).toEqual(saves[0]?.body);
  expect(saves[2]?.body).toMatchObject({ invoice: { amount: 2_000_000, version: 1 } });
  expect(await onServer(page, number)).toHaveLength(1);
});

test('a slow server is waited for; later typing is saved next', async ({ page }) => {
  await signIn(page, CLIENT);
  const { tag, number } = await newDraft(page);
  await openDraft(page, tag);
  const answer = await hold(page, SAVES, 'POST');
  // 'Saving…' shows at once, until the device has the typing; the save itself follows a pause.
  const sent = page.waitForRequest(SAVES);
  await page.getByLabel('Invoice number').fill(`${number}-1`);
  await sent;
  await expect(state(page)).toHaveText('Saving…');
  await picture(page, 'draft-saving');
  await page.getByLabel('Invoice number').fill(`${number}-2`);
  await expect.poll(() => keptTyping(page)).toContain(`${number}-2`);
  answer();
  await expect(state(page)).toHaveText(SAVED);
  const stored = await get<object>(page, `invoices/${tag}`);
  expect(stored).toMatchObject({ invoiceNumber: `${number}-2`, version: 3 });
});

test('a save to a busy server is repeated at the time that the server gave', async ({ page }) => {
  await page.clock.install();
  await signIn(page, CLIENT);
  const { tag, number } = await newDraft(page);
  await openDraft(page, tag);
  await holdTheClock(page);
  const saves = watchSaves(page);
  const busy = { success: false, code: 'UNAVAILABLE', msg: 'Kasente is busy right now' };
  await page.route(SAVES, (route) => route.fulfill({ status: 503, headers: { 'Retry-After': '7' }, json: busy }), {
    times: 1,
  });
  await page.getByLabel('Invoice number').fill(`${number}-B`);
  await page.clock.runFor(1500);
  const passes = async (done: Locator): Promise<boolean> => {
    await page.clock.runFor(10);
    return done.isVisible();
  };
  await expect.poll(() => passes(page.getByText('Invoice not saved'))).toBe(true);
  await expect(state(page)).toContainText('Saved on this phone');
  // The server asked for 7 seconds; by default it would have retried after 5.
  await page.clock.runFor(5_500);
  expect(saves).toHaveLength(1);
  await page.clock.runFor(1_500);
  await expect.poll(() => passes(state(page).filter({ hasText: SAVED }))).toBe(true);
  expect(saves).toHaveLength(2);
  expect(saves[1]).toEqual(saves[0]);
});

test('a conflicting change from elsewhere leads to a question, and not a character is lost', async ({ page }) => {
  await signIn(page, CLIENT);
  const { tag, number } = await newDraft(page);
  await openDraft(page, tag);
  const mend = await cutSaves(page);
  await page.getByLabel('Invoice number').fill(`${number}-MINE`);
  await expect(state(page)).toContainText('Saved on this phone');
  const { user } = await get<{ user: { tag: string } }>(page, 'users/session');
  const before = await get<{ version: number; discountApplication: object }>(page, `invoices/${tag}`);
  const { version: _, discountApplication: __, ...theirs } = before;
  await post(page, 'invoices', { userTag: user.tag, invoice: { ...theirs, amount: 1_500_000 } });
  await mend();
  await page.reload();
  await expect(page.getByText('This application was changed elsewhere')).toBeVisible();
  await expect(page.getByLabel('Invoice number')).toHaveValue(`${number}-MINE`);
  await page.reload();
  await expect(page.getByText('This application was changed elsewhere')).toBeVisible();
  await picture(page, 'draft-changed-elsewhere');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await expect(state(page)).toHaveText(SAVED);
  const stored = await get<object>(page, `invoices/${tag}`);
  expect(stored).toMatchObject({ invoiceNumber: `${number}-MINE`, amount: 1_000_000, version: 3 });
});

test('unsaved work is saved from another screen when the connection returns', async ({ page }) => {
  await signIn(page, CLIENT);
  const { tag, number } = await newDraft(page);
  await openDraft(page, tag);
  const mend = await cutSaves(page);
  await page.getByLabel('Invoice number').fill(`${number}-LEFT`);
  await expect(page.getByText("We'll send it when you are back online.")).toBeVisible();
  await page.getByRole('link', { name: 'Kasente' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await mend();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(page.getByText('Your invoice is now saved.')).toBeVisible();
  await expect.poll(() => keptTyping(page)).toBe('[]');
  expect(await onServer(page, `${number}-LEFT`)).toHaveLength(1);
});

test('a draft that is closed and reopened during a save is saved once, without a question', async ({ page }) => {
  await signIn(page, CLIENT);
  const { tag, number } = await newDraft(page);
  await openDraft(page, tag);
  const saves = watchSaves(page);
  const letGo = await hold(page, SAVES, 'POST');
  const sent = page.waitForRequest(SAVES);
  await page.getByLabel('Invoice number').fill(`${number}-AGAIN`);
  await page.getByLabel('Amount applied for').fill('700000');
  await sent;
  await page.getByRole('link', { name: 'Kasente' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  const again = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/v1/invoices'),
  );
  await page.goBack();
  await expect(page.getByLabel('Invoice number')).toHaveValue(`${number}-AGAIN`);
  await again;
  letGo();
  await expect(state(page)).toHaveText(SAVED);
  await expect(page.getByText('This application was changed elsewhere')).toHaveCount(0);
  expect(new Set(saves.map(({ key }) => key)).size).toBe(2);
  const stored = await get<object>(page, `invoices/${tag}`);
  expect(stored).toMatchObject({
    invoiceNumber: `${number}-AGAIN`,
    version: 2,
    discountApplication: { version: 2, amountAppliedFor: 700_000 },
  });
  expect(await keptTyping(page)).toBe('[]');
});

test('two invoices completed offline are both saved when the connection returns', async ({ page, context }) => {
  await signIn(page, CLIENT);
  const [one, two] = [newNumber(), newNumber()];
  await page.goto(START);
  await expect(page.getByRole('combobox', { name: 'Buyer' })).toBeEnabled();
  await context.setOffline(true);
  await fillInvoice(page, one);
  await expect(page.getByText("We'll send it when you are back online.")).toBeVisible();
  await page.getByRole('button', { name: 'Applications menu' }).click();
  await page.getByRole('menuitem', { name: 'New Application' }).click();
  await expect(page.getByLabel('Invoice number')).toHaveValue('');
  await page.getByLabel('Invoice number').fill(two);
  await expect.poll(() => keptTyping(page)).toContain(two);
  expect(await keptTyping(page)).toContain(one);
  await context.setOffline(false);
  await page.reload();
  await expect(page.getByLabel('Invoice number')).toHaveValue(two);
  await expect.poll(() => onServer(page, one)).toHaveLength(1);
  await expect.poll(() => keptTyping(page)).not.toContain(one);
  expect(await keptTyping(page)).toContain(two);
});

test('two windows keep their typing apart: with a new invoice each, and with the same one', async ({
  page,
  context,
}) => {
  await signIn(page, CLIENT);
  const [one, two] = [newNumber(), newNumber()];
  await beginInvoice(page, one);
  const second = await context.newPage();
  await second.goto(START);
  await expect(second.getByLabel('Invoice number')).toHaveValue('');
  await second.getByLabel('Invoice number').fill(two);
  await expect(state(second)).toContainText('Saved on this phone');
  await page.reload();
  await expect(page.getByLabel('Invoice number')).toHaveValue(one);
  await second.reload();
  await expect(second.getByLabel('Invoice number')).toHaveValue(two);
  // A person who closes a tab finds its typing again.
  await second.close();
  await fillInvoice(page, one);
  await expect(state(page)).toHaveText(SAVED);
  await page.goto(START);
  await expect(page.getByLabel('Invoice number')).toHaveValue(two);

  const { tag, number } = await newDraft(page);
  await openDraft(page, tag);
  const other = await context.newPage();
  await openDraft(other, tag);
  await page.getByLabel('Invoice number').fill(`${number}-1`);
  await expect(state(page)).toHaveText(SAVED);
  await other.getByLabel('Invoice number').fill(`${number}-2`);
  await expect(other.getByText('This application was changed elsewhere')).toBeVisible();
  await expect(other.getByLabel('Invoice number')).toHaveValue(`${number}-2`);
});

test.describe('a device without space', () => {
  test.use({ provoked: [/QuotaExceededError/] });

  test('says so, and the work is still saved', async ({ page }) => {
    await page.addInitScript(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await signIn(page, CLIENT);
    const { tag, number } = await newDraft(page);
    await openDraft(page, tag);
    const mend = await cutSaves(page);
    await page.getByLabel('Invoice number').fill(`${number}-FULL`);
    await expect(state(page)).toHaveText(/^Not saved: there is no room for it here/);
    await expect(page.getByText('Invoice not saved')).toBeVisible();
    await expect(state(page)).toHaveText(/^Not saved: /);
    await mend();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(state(page)).toHaveText(SAVED);
    expect(await onServer(page, `${number}-FULL`)).toHaveLength(1);
  });
});
