import { readFile } from 'node:fs/promises';
import { expectAccessible, expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { acknowledge, approve, newSubmission, openNew } from '#e2e/support/arrange.ts';
import { officer, preparePayout } from '#e2e/support/desk.ts';
import { expect, kampalaDay, logIn, PHONE, test, visit } from '#e2e/support/fixtures.ts';
import { choose } from '#e2e/support/forms.ts';
import { bankStatement, releaseToProvider, sendStatement } from '#e2e/support/money.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * A payout to a bank account goes through a file: it is released, put into a batch and found on the statement, and the
 * day reconciles.
 */

test.use({
  world: 'bank by file',
  settings: { BANK_FILE_UGX: '9030009999999 Kasente Ltd', PAYOUT_ACCOUNT_WAIT_HOURS: '1' },
});

const CLIENT = '0700000001';

test('a released payout goes into a file for the bank, and its statement pays it out', async ({ page }) => {
  test.slow();
  const application = await openNew(page, CLIENT, newSubmission);
  const where = page.getByRole('region', { name: 'Where we send it' });
  await choose(page, 'Tell us where to send it', 'Pearl Bank ••• 567');
  await where.getByRole('button', { name: 'Use this account' }).click();
  await expect(where).toContainText('We send it to Pearl Bank ••• 567');
  const staff = await officer(page);
  await approve(staff, application);
  // The account is new and was checked by Peter, so another officer acknowledges the flag.
  await acknowledge(await officer(page, 'admin@kasente.test'), application);
  await preparePayout(staff, application);

  await page.setViewportSize(PHONE);
  await logIn(page, 'admin@kasente.test', { to: `/desk/${application.tag}` });
  const payments = page.getByRole('region', { name: 'Payments' });
  await releaseToProvider(page, 'It goes into the next batch file for the bank.');
  await expect(payments).toContainText('waits for the next batch file');
  await expect(payments.getByRole('button', { name: 'Cancel payout' })).toBeVisible();
  await picture(page, 'desk-case-for-file');

  await visit(page, '/payouts');
  const files = page.getByRole('region', { name: 'Files for the bank' });
  await expect(files).toContainText('UGX 801,000 in 1 payout');
  await files.getByRole('button', { name: 'Make a batch file' }).click();
  await expect(files).toContainText('1 of 1 not on a statement yet');
  await expectNoSidewaysScrolling(page, 'files for the bank');
  await expectAccessible(page, 'payouts-files');
  const coming = page.waitForEvent('download');
  await files.getByRole('link', { name: 'Download batch 1' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('kasente-batch-1-UGX.csv');
  const text = await readFile(await download.path(), 'utf8');
  const [, reference = ''] = /"Kasente ([A-Z0-9]{4}-[A-Z0-9]{4})"/.exec(text) ?? [];
  expect(text).toContain(`"${reference}","Nakasero Traders Ltd","Pearl Bank","9030001234567",801000.00,"UGX"`);
  await visit(page, `/desk/${application.tag}`);
  await expect(payments).toContainText(/In batch 1 for the bank since \d\d:\d\d/);
  await picture(page, 'desk-case-in-file');

  await visit(page, '/received-money');
  await choose(page, 'Account', 'Bank');
  await sendStatement(
    page,
    bankStatement({ id: 'FT26328', details: `TRF KASENTE ${reference} NAKASERO`, debit: 801_000 }),
  );
  await expect(page.getByRole('status')).toContainText('1 sent, 1 payout paid');

  await visit(page, `/desk/${application.tag}`);
  await expect(page.locator('h1 + [data-status=disbursed]')).toBeVisible();
  await expect(payments).toContainText('Paid out, Bank FT26328');
  await visit(page, `/reconciliation?account=bank&currency=UGX&day=${kampalaDay()}`);
  await expect(page.getByRole('region').first()).toContainText('Both sides agree.');
  await picture(page, 'reconciliation-agrees');
});
