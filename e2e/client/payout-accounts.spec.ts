import { expectAccessible, expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { approve, newSubmission } from '#e2e/support/arrange.ts';
import { officer } from '#e2e/support/desk.ts';
import { DEMONSTRATION_PASSWORD, expect, logIn, PHONE, test, visit } from '#e2e/support/fixtures.ts';
import { choose } from '#e2e/support/forms.ts';
import { sendItTo } from '#e2e/support/money.ts';
import { picture } from '#e2e/support/pictures.ts';

/** Payout accounts: added, waiting, chosen, frozen from a message's link, requested, and checked again. */

test.use({ world: 'payout accounts' });
test.describe.configure({ mode: 'default' });

const CLIENT = '0700000001';
const MTN = 'MTN ••• 678, Sarah Nabirye';
const AIRTEL = 'Airtel ••• 456, Sarah Nabirye';

test('a draft and its key facts show where the money goes', async ({ page }) => {
  await logIn(page, '0700000002', { to: '/invoices/applications?applications-search=JAS 120' });
  await page.getByRole('link', { name: 'JAS 120' }).first().click();
  const where = page.getByRole('region', { name: 'Where we send it' });
  await expect(where).toContainText('We send it to Airtel ••• 912, Moses Waiswa.');
  await sendItTo(page, 'Lakeside Bank ••• 321');
  await expect(where).toContainText('We send it to Lakeside Bank ••• 321');
  await page.getByRole('button', { name: 'Submit Application' }).click();
  await expect(page.getByRole('dialog')).toContainText('We send it to Lakeside Bank ••• 321');
});

test('a client adds an account, chooses it, freezes it with the link, and is asked for another', async ({
  page,
  browser,
  kasente,
}) => {
  test.slow();
  await page.setViewportSize(PHONE);
  await logIn(page, CLIENT);
  const application = await newSubmission(page);
  await visit(page, '/payout-accounts');
  const accounts = page.getByRole('main').getByRole('listitem');
  await expect(accounts.filter({ hasText: MTN })).toContainText('Ready to use');
  await expect(accounts.filter({ hasText: 'Pearl Bank ••• 567' })).toContainText(/Checked, not usable yet: from /);
  await expectNoSidewaysScrolling(page, 'payout accounts');
  await expectAccessible(page, 'payout-accounts');

  await page.getByRole('button', { name: 'Add payout account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add payout account' });
  await expect(dialog).toContainText('can pay to it 24 hours after that');
  await choose(page, 'Where the money goes', 'Airtel');
  await dialog.getByLabel('Phone number').fill('0772 123 456');
  await dialog.getByLabel('Name on the account').fill('Sarah Nabirye');
  await dialog.getByLabel('Your password').fill('Not-my-password-1');
  await dialog.getByRole('button', { name: 'Add payout account' }).click();
  await expect(dialog.getByText('Enter an Airtel number: 10 digits that begin with 070, 074 or 075')).toBeVisible();
  await dialog.getByLabel('Phone number').fill('0702 123 456');
  await dialog.getByRole('button', { name: 'Add payout account' }).click();
  await expect(dialog.getByText('This is not your current password')).toBeVisible();
  await expectAccessible(page, 'payout-accounts-add-wrong', '[role=dialog]');
  await dialog.getByLabel('Your password').fill(DEMONSTRATION_PASSWORD);
  await dialog.getByRole('button', { name: 'Add payout account' }).click();
  await expect(accounts.filter({ hasText: AIRTEL })).toContainText('Waiting for our check');
  const told = await kasente.newestMessage(CLIENT);
  expect(told).toContain(`Sarah Nabirye added a payout account to Nakasero Traders Ltd: ${AIRTEL}.`);

  await visit(page, `/invoice-discounting-application/${application.tag}`);
  const where = page.getByRole('region', { name: 'Where we send it' });
  await expect(where).toContainText(`We send it to ${MTN}.`);
  await sendItTo(page, AIRTEL);
  await expect(where).toContainText(`We send it to ${AIRTEL}.`);
  await expect(where).toContainText("We'll call you to check it, and can pay to it 24 hours after that.");
  await expectNoSidewaysScrolling(page, 'an application with its account');

  const staff = await officer(page);
  await approve(staff, application);
  const desk = await browser.newPage();
  await logIn(desk, 'staff@kasente.test', { to: `/desk/${application.tag}` });
  const call = desk.getByRole('region', { name: 'Call about the payout account' });
  await expect(call.getByRole('link', { name: CLIENT })).toHaveAttribute('href', `tel:${CLIENT}`);
  await call.getByRole('button', { name: 'Record the call' }).click();
  await expect(desk.getByRole('dialog', { name: 'Is this account right?' })).toContainText('Airtel 0702123456');
  const link = /\/freeze-account#\S+/.exec(told)?.[0] ?? '';
  await page.goto(link);
  await expect(page).toHaveURL(/\/freeze-account$/);
  await picture(page, 'freeze-account');
  await page.getByRole('button', { name: 'Freeze this account' }).click();
  await expect(page.getByRole('status')).toContainText(`We pay nothing to ${AIRTEL} of Nakasero Traders Ltd`);
  await expectAccessible(page, 'freeze-account-done');

  await logIn(page, CLIENT);
  const matter = page.getByRole('link').filter({ hasText: application.number });
  const toDo = page.getByRole('region', { name: /^For you to do/ });
  const frozen = 'Airtel ••• 456 is frozen: we pay nothing to it. Choose another account.';
  await expect(toDo.locator(matter)).toContainText('Tell us where to send UGX 801,000');
  await toDo.locator(matter).click();
  await expect(where).toContainText(frozen);
  await expectAccessible(page, 'approved-without-account');
  await sendItTo(page, MTN);
  await expect(where).toContainText(/Cash from .+: we'll tell you when it's sent\./);
  await picture(page, 'approved-cash-from');
  await sendItTo(page, 'Pearl Bank ••• 567');
  const waits = /Cash from .+: Pearl Bank ••• 567 can be used from then\./;
  await expect(where).toContainText(waits);
  await picture(page, 'approved-account-waits');
  await visit(page, '/home');
  await expect(page.getByRole('region', { name: /^On its way/ }).locator(matter)).toContainText(
    /Cash from .+: Pearl Bank ••• 567 can be used from then/,
  );

  await logIn(page, 'staff@kasente.test', { to: '/payouts' });
  const row = page.getByRole('region', { name: 'Waits' }).getByRole('listitem');
  await expect(row.filter({ hasText: application.number })).toContainText('Pearl Bank ••• 567');
  await expectAccessible(page, 'payouts');
  await expectNoSidewaysScrolling(page, 'the board of payouts');
  await visit(page, `/desk/${application.tag}`);
  await expect(page.getByRole('region', { name: 'Payments' })).toContainText(/Cash from .+ at the earliest/);
});

test('an officer sees every account of the client on the case, checks a frozen one again and freezes one', async ({
  page,
}) => {
  await logIn(page, 'staff@kasente.test', { to: '/desk?job=payOut' });
  await page.getByRole('link', { name: /NT-2026-030/ }).click();
  const accounts = page.getByRole('region', { name: 'Payout accounts' });
  const airtel = accounts.getByRole('listitem').filter({ hasText: 'Airtel 0702123456' });
  await expect(accounts.getByRole('listitem').filter({ hasText: 'MTN 0772345678' })).toContainText('165 days ago');
  await airtel.getByRole('button', { name: 'Check again' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Added');
  await picture(page, 'desk-case-check-account');
  await dialog.getByRole('button', { name: 'I checked this account' }).click();
  await expect(airtel).toContainText(/Checked, not usable yet: from /);
  await airtel.getByRole('button', { name: 'Freeze' }).click();
  await dialog.getByRole('button', { name: 'Freeze this account' }).click();
  await expect(airtel).toContainText('Frozen');
  await expectAccessible(page, 'desk-case-payout-accounts');
});
