import type { Page } from '@playwright/test';
import { expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { type Draft, newSubmission, review } from '#e2e/support/arrange.ts';
import { expectByItself } from '#e2e/support/clock.ts';
import { officer } from '#e2e/support/desk.ts';
import { DESK, expect, type Kasente, logIn, PHONE, test, visit } from '#e2e/support/fixtures.ts';
import { choose } from '#e2e/support/forms.ts';
import {
  answerOnPhone,
  bankStatement,
  expectBalanced,
  releaseToProvider,
  repaymentReference,
  sendStatement,
} from '#e2e/support/money.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * The whole life of an advance: paid out by MTN, paid back by phone and through the bank, and both accounts reconciled.
 * People log in through the form; phones and MTN's statement come from its simulator.
 */

test.use({ world: 'there and back', settings: { SIMULATORS: '' } });

const CLIENT = '0700000001';
const OFFICER = 'staff@kasente.test';
const COLLEAGUE = 'admin@kasente.test';

const payments = (page: Page) => page.getByRole('region', { name: 'Payments' });
const panel = (page: Page) => page.getByRole('region', { name: 'What happens now' });

test('an advance is paid to a phone, paid back by phone and bank, settled, and its days are closed', async ({
  page,
  kasente,
}) => {
  test.slow();
  await page.clock.install();
  const admin = await officer(page, COLLEAGUE);
  await asClient(page);
  const application = await newSubmission(page);
  await approve(page, application);
  await payOut(page, kasente, application);
  await expectBalanced(admin);

  const reference = await payByPhone(page, kasente, application);
  await asStaff(page, OFFICER);
  await visit(page, '/received-money');
  await choose(page, 'Account', 'Bank');
  const line = { id: 'FT90077', payer: 'NAKASERO TRADERS LTD', details: `INV ${reference} THANKS`, credit: 600_000 };
  await sendStatement(page, bankStatement(line));
  await expect(page.getByRole('status')).toContainText('1 line: 1 matched, 0 to assign');
  await choose(page, 'Account', 'MTN mobile money');
  await sendStatement(page, await statementOfMtn(page, kasente));
  await expect(page.getByRole('status')).toContainText('1 recorded before');
  await visit(page, `/desk/${application.tag}`);
  await expect(page.locator('h1 + [data-status=settled]')).toBeVisible();
  await expect(payments(page)).toContainText('FT90077');
  await asClient(page);
  await visit(page, `/invoice-discounting-application/${application.tag}`);
  await expect(page.locator('h1 + [data-status=settled]')).toBeVisible();
  await expect(panel(page)).toContainText('Fully paid back');
  await expectBalanced(admin);

  const day = await kasente.letTheDayEnd();
  // Not the officer who imported the statements.
  await asStaff(page, COLLEAGUE);
  await closeDay(page, 'mtn', day);
  await closeDay(page, 'bank', day);
});

async function asClient(page: Page): Promise<void> {
  await page.setViewportSize(PHONE);
  await logIn(page, CLIENT);
}

async function asStaff(page: Page, username: string): Promise<void> {
  await page.setViewportSize(DESK);
  await logIn(page, username);
}

async function approve(page: Page, application: Draft): Promise<void> {
  await review(await officer(page, OFFICER), application);
  await asStaff(page, OFFICER);
  await visit(page, `/desk/${application.tag}`);
  const decision = page.getByRole('region', { name: 'Decision' });
  await decision.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  // The next case opens by itself.
  await page.getByRole('link', { name: 'Back to it' }).click();
  await expect(page.locator('h1 + [data-status=approved]')).toBeVisible();
}

/** The officer who approved prepares, another one releases, and MTN pays. */
async function payOut(page: Page, kasente: Kasente, { tag }: Draft): Promise<void> {
  await payments(page).getByRole('button', { name: 'Prepare payout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Prepare payout' }).click();
  await expect(payments(page)).toContainText('You prepared this payout. Another officer must release it.');
  await asStaff(page, COLLEAGUE);
  await visit(page, `/desk/${tag}`);
  await releaseToProvider(page, 'MTN');
  await expectByItself(page, payments(page).getByText(/Paid out, MTN mobile money \d+/));
  const phone = await page.context().newPage();
  await phone.goto(`${kasente.phonesOf('MTN')}/0772345678`);
  await expect(phone.getByText(/You have received UGX 801,000\. Kasente/)).toBeVisible();
  await phone.close();
}

/** The client pays a third by 'Pay now', and returns the reference for the rest. */
async function payByPhone(page: Page, kasente: Kasente, { tag }: Draft): Promise<string> {
  await asClient(page);
  await visit(page, `/invoice-discounting-application/${tag}`);
  await panel(page)
    .getByRole('button', { name: /^Pay UGX / })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Pay now' });
  await expect(dialog.getByLabel('Amount')).toHaveValue('900,000.00');
  await dialog.getByLabel('Amount').fill('300000');
  await choose(page, 'Pay from', 'MTN ••• 678, Sarah Nabirye');
  await dialog.getByRole('button', { name: /^Pay UGX / }).click();
  await expect(dialog).toContainText('Look at your phone');
  await answerOnPhone(page, kasente, 'Approve');
  await expect(dialog).toContainText('Paid. Thank you', { timeout: 60_000 });
  await expect(dialog).toContainText('You still owe UGX 600,000.');
  await picture(page, 'pay-now-rest');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(panel(page)).toContainText('UGX 600,000');
  await expectNoSidewaysScrolling(page, 'a part paid back by phone');
  return repaymentReference(page, tag);
}

/** The statement as MTN's customers would download it: outgoing and incoming money. */
async function statementOfMtn(page: Page, kasente: Kasente): Promise<string> {
  const url = new URL('/simulator/statement.csv', kasente.phonesOf('MTN'));
  return (await page.request.get(url.href)).text();
}

/** Expects no difference from the statement or from the provider's record, and closes the day. */
async function closeDay(page: Page, account: 'mtn' | 'bank', date: string): Promise<void> {
  await visit(page, `/reconciliation?account=${account}&currency=UGX&day=${date}`);
  const day = page.getByRole('region').first();
  await expect(page.getByRole('navigation', { name: 'Days' }).locator('[aria-current]')).toHaveAccessibleName(
    /: Agrees, to close$/,
  );
  await expect(day).toContainText('Both sides agree.');
  if (account === 'mtn') {
    await expect(day).toContainText('2 have no answer from after that day.');
    await day.getByRole('button', { name: 'Ask the provider' }).click();
    await expect(day).toContainText('Each has an answer from after that day.');
    await expect(day).toContainText('Both sides agree.');
  }
  await day.getByRole('button', { name: 'Close this day' }).click();
  await picture(page, `reconciliation-agrees-${account}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Close this day' }).click();
  await expect(day).toContainText(/Closed by /);
}
