import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScrolling, expectNoViolations } from '#e2e/support/accessible.ts';
import { newReadyDraft, openNew } from '#e2e/support/arrange.ts';
import { DESK, expect, logIn, PHONE, test } from '#e2e/support/fixtures.ts';
import { choose, fillInvoice } from '#e2e/support/forms.ts';
import { picture } from '#e2e/support/pictures.ts';

/** The terms of an application while they can still be chosen, and the terms agreed to in the end. */

const CLIENT = '0700000001';

async function startApplication(page: Page): Promise<void> {
  await logIn(page, CLIENT);
  await page.getByRole('link', { name: 'Apply Now' }).click();
  await expect(page.getByRole('heading', { name: 'Invoice Details' })).toBeVisible();
}

/** The main figure of the screen, and its copy in the bar of a phone. */
function received(page: Page): readonly [Locator, Locator] {
  return [
    page.getByLabel('You receive', { exact: true }),
    page.getByRole('region', { name: 'Submit' }).locator('strong'),
  ];
}

async function expectReceived(page: Page, sum: string): Promise<void> {
  for (const place of received(page)) await expect(place).toHaveText(sum);
}

test('shillings are preselected, and there is nothing to save', async ({ page }) => {
  await startApplication(page);
  await expect(page.getByRole('combobox', { name: 'Currency' })).toHaveValue('UGX');
  await expect(page.getByText('Saves as you type')).toBeVisible();
});

test('the maximum is one press away, each period shows its price, and above the maximum there is no quote', async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  await startApplication(page);
  const useTheMost = page.getByRole('button', { name: /^Use the most/ });
  await expect(useTheMost).toBeDisabled();
  await expect(page.getByText('You can ask for up to 90% of the invoice amount')).toBeVisible();
  await page.getByLabel('Invoice number').fill(`TERMS-${Date.now()}`);
  await page.getByRole('textbox', { name: 'Invoice date' }).fill('5 Jan 2026');
  await page.getByLabel('Amount', { exact: true }).fill('1250000');
  await choose(page, 'Buyer', 'Pearl Hotels Group');
  await expect(page.getByText('You can ask for up to UGX 1,125,000')).toBeVisible();
  await expect(useTheMost).toHaveText('Use the most: 1,125,000');
  await useTheMost.click();
  const amount = page.getByLabel('Amount applied for');
  await expect(amount).toHaveValue('1,125,000.00');

  const period = page.getByRole('combobox', { name: 'Financing period' });
  await period.click();
  for (const [name, texts] of [
    ['7 days', ['Costs UGX 33,750 (3%)', 'You get UGX 1,091,250']],
    ['15 days', ['Costs UGX 78,750 (7%)', 'You get UGX 1,046,250']],
    ['30 days', ['Costs UGX 123,750 (11%)', 'You get UGX 1,001,250']],
  ] as const)
    for (const text of texts) await expect(page.getByRole('option', { name })).toContainText(text);
  await expectAccessible(page, 'draft-periods');
  await expectNoSidewaysScrolling(page, 'financing periods');
  // It may have closed while being checked.
  await page.keyboard.press('Escape');
  await period.click();
  await page.getByRole('option', { name: '30 days' }).click();
  await expectReceived(page, 'UGX 1,001,250');

  await amount.fill('1125001');
  await amount.blur();
  await expect(amount).toHaveAccessibleDescription(
    /Amount applied for should be less than invoice amount.*You can ask for up to UGX 1,125,000/,
  );
  await expectReceived(page, '-');
  await expect(page.getByLabel('Fees charged')).toHaveText('-');
  await expectAccessible(page, 'draft-above-the-most');
  await useTheMost.click();
  await expectReceived(page, 'UGX 1,001,250');
  await expect(page.getByText('Amount applied for should be less than invoice amount')).toHaveCount(0);
});

test('a wrong or empty date, or an amount below 0, is refused at its field and stays as typed', async ({ page }) => {
  await startApplication(page);
  const date = page.getByRole('textbox', { name: 'Invoice date' });
  for (const [typed, message] of [
    ['31 Feb 2026', 'Write the date like 5 Jan 2026'],
    ['', 'Provide the invoice date'],
  ] as const) {
    await date.fill(typed);
    await date.blur();
    await expect(date).toHaveValue(typed);
    await expect(date).toHaveAccessibleDescription(message);
  }
  await date.fill('5/1/2026');
  await date.blur();
  await expect(date).toHaveValue('5 Jan 2026');
  await expect(date).toHaveAccessibleDescription('');

  // An earlier date is not restored.
  const applied = page.getByRole('textbox', { name: 'Date of application' });
  await expect(applied).not.toHaveValue('');
  await applied.fill('');
  await applied.blur();
  await expect(applied).toHaveValue('');
  await expect(applied).toHaveAccessibleDescription('Provide the application date');

  for (const [label, message] of [
    ['Amount', /^Amount is required$/],
    ['Amount applied for', /^Amount applied for is required/],
  ] as const) {
    const amount = page.getByLabel(label, { exact: true });
    await amount.pressSequentially('-5');
    await amount.blur();
    await expect(amount).toHaveValue('-5.00');
    await expect(amount).toHaveAccessibleDescription(message);
  }
  await expectReceived(page, '-');
  await picture(page, 'new-application-wrong');
});

test('an ambiguous amount stays as typed and is not saved; an unambiguous one is saved as shown', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize(PHONE);
  await startApplication(page);
  await fillInvoice(page, `TYPED-${Date.now()}`);
  await expect(page.getByText(/^Saved \d/)).toBeVisible();
  const amount = page.getByLabel('Amount', { exact: true });
  const saved = async (): Promise<unknown> => {
    const tag = page.url().split('/').at(-1);
    const loaded = (await (await page.request.get(`/api/v1/invoices/${tag}`)).json()) as { amount: number };
    return loaded.amount;
  };
  const paste = async (text: string): Promise<void> => {
    await page.evaluate((written) => navigator.clipboard.writeText(written), text);
    await amount.selectText();
    await page.keyboard.press('ControlOrMeta+V');
  };

  const twoReadings = 'This can be read in more than one way. Write it like 1,234,567.50';
  const inFigures = 'Write the whole amount in figures, like 1,234,567.50';
  for (const [text, message] of [
    ['12,50', twoReadings],
    ['1.234.567,50', twoReadings],
    ['1234567.555', twoReadings],
    ['1e6', inFigures],
    ['1.5m', inFigures],
  ] as const) {
    await paste(text);
    // The message appears by itself, after the pause in which autosave would have sent the value.
    await expect(amount).toHaveAccessibleDescription(message);
    await expect(page.getByRole('status').filter({ hasText: /^Saved on this phone/ })).toContainText(message);
    await expect(amount).toHaveValue(text);
    await amount.blur();
    await expect(amount).toHaveValue(text);
    expect(await saved()).toBe(1_000_000);
  }
  await page.reload();
  await expect(amount).toHaveValue('1.5m');

  for (const [text, shown, minor] of [
    ['850.000', '850,000.00', 850_000],
    ['UGX\u00a01.234.567/=', '1,234,567.00', 1_234_567],
    ['850\u00a0000', '850,000.00', 850_000],
  ] as const) {
    await paste(text);
    await amount.blur();
    await expect(amount).toHaveValue(shown);
    await expect(amount).toHaveAccessibleDescription('');
    await expect.poll(saved).toBe(minor);
  }

  // The commas move with the digits, and the caret stays behind the digit that was typed.
  await amount.fill('');
  await amount.pressSequentially('1234567');
  await expect(amount).toHaveValue('1,234,567');
  for (const _ of '4,567') await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('99');
  await expect(amount).toHaveValue('123,994,567');
  await page.keyboard.press('Backspace');
  await expect(amount).toHaveValue('12,394,567');
  await page.keyboard.type('8');
  await amount.blur();
  await expect(amount).toHaveValue('123,984,567.00');
  await amount.click();
  await page.keyboard.press('End');
  await page.keyboard.type('0');
  await amount.blur();
  await expect(amount).toHaveValue('123,984,567.00');
  await expect.poll(saved).toBe(123_984_567);
});

test('the amount to pay back and the button that agrees are visible at once', async ({ page }) => {
  await openNew(page, CLIENT, newReadyDraft);
  const dialog = page.getByRole('dialog', { name: 'Submit this application?' });
  const payBack = dialog.getByRole('region', { name: 'What you pay back' });
  const agree = dialog.getByRole('button', { name: 'Agree and submit' });
  for (const viewport of [PHONE, DESK]) {
    await page.setViewportSize(viewport);
    await page.getByRole('button', { name: 'Submit Application' }).click();
    await expect(payBack).toContainText(/^Pay back UGX 900,000 by \d{1,2} [A-Z][a-z]{2} \d{4}/);
    await expect(payBack).toContainText('Your buyer pays us, or you do, at once or in parts.');
    await expect(payBack).toContainText('If it is late: You still owe the full amount. We charge nothing extra.');
    await expect(payBack).toBeInViewport({ ratio: 1 });
    await expect(agree).toBeInViewport({ ratio: 1 });
    // The rest scrolls clear of the button.
    const last = dialog.getByText('You can withdraw it until we');
    await last.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await expect(agree).toBeInViewport({ ratio: 1 });
    const [text, button] = [await last.boundingBox(), await agree.boundingBox()];
    expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
    await expectNoViolations(page, 'key facts');
    await expectNoSidewaysScrolling(page, 'key facts');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});

test('a buyer’s usual terms fill the due date, until the person gives their own', async ({ page }) => {
  await startApplication(page);
  const date = page.getByRole('textbox', { name: 'Invoice date' });
  await date.fill('5 Jan 2026');
  await date.blur();
  await choose(page, 'Buyer', 'Rwenzori Beverages Ltd');
  await expect(page.getByText('Your buyer pays by 4 Feb 2026.')).toBeVisible();
  await choose(page, 'Buyer', 'Lakeside Supermarkets Ltd');
  await expect(page.getByText('Your buyer pays by 15 Jan 2026.')).toBeVisible();

  await page.getByRole('button', { name: 'Your buyer’s terms (optional)' }).click();
  const due = page.getByRole('textbox', { name: 'Payment due date' });
  await expect(due).toHaveValue('15 Jan 2026');
  await picture(page, 'new-application-buyer-terms');
  await date.fill('6 Jan 2026');
  await date.blur();
  await expect(due).toHaveValue('16 Jan 2026');
  await choose(page, 'Buyer', 'Pearl Hotels Group');
  await expect(due).toHaveValue('');
  await due.fill('20 Jan 2026');
  await due.blur();
  await choose(page, 'Buyer', 'Rwenzori Beverages Ltd');
  await date.fill('7 Jan 2026');
  await date.blur();
  await expect(date).toHaveValue('7 Jan 2026');
  await expect(due).toHaveValue('20 Jan 2026');
});
