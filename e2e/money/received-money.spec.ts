import { expectAccessible, expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { expect, kampalaDay, logIn, PHONE, test, visit } from '#e2e/support/fixtures.ts';
import { repaymentReference, sendStatement } from '#e2e/support/money.ts';
import { picture } from '#e2e/support/pictures.ts';

/** Incoming money: an officer imports a statement, and assigns or sends back payments that name no application. */

test.use({ world: 'received-money' });

const TODAY = kampalaDay();

test('a statement settles the applications that it names; the rest is assigned, or sent back by two officers', async ({
  page,
  kasente,
}) => {
  await logIn(page, 'staff@kasente.test', { to: '/desk?job=collect&filter=overdue' });
  await page.getByRole('link', { name: /MCT 001/ }).click();
  await expect(page.getByRole('region', { name: 'Payments' })).toBeVisible();
  const address = page.url();
  const tag = address.split('/').at(-1)?.split('?')[0] ?? '';
  const reference = await repaymentReference(page, tag);

  await page.getByRole('link', { name: 'Received Money' }).click();
  const lines = [
    `1,${TODAY},Successful,256772000111,MULAGO,pay ${reference},400000,UGX`,
    `2,${TODAY},Successful,256772000112,OKELLO,for the invoice,100000,UGX`,
    `3,${TODAY},Successful,256772000113,A STRANGER,airtime,50000,UGX`,
  ];
  const file = ['Id,Date,Status,From,From name,Message,Amount,Currency', ...lines, ''].join('\n');
  await page.getByRole('button', { name: 'Choose the file' }).click();
  await expect(page.getByText('Provide the first day')).toBeVisible();
  await sendStatement(page, file.slice(0, -5));
  await expect(page.getByRole('alert')).toContainText('Line 4: The last line has no end');
  const letGo = await kasente.holdApplication(tag);
  await sendStatement(page, file);
  await expect(page.getByText('3 lines: 3 to match, 0 counted before.')).toBeVisible();
  const matching = 'Matching 3 payments: 0 matched so far.';
  await expect(page.getByText(matching)).toHaveCount(2);
  const otherTab = await page.context().newPage();
  await otherTab.goto('/received-money');
  await expect(otherTab.getByText(matching)).toHaveCount(1);
  await letGo();
  await expect(otherTab.getByText(matching)).toHaveCount(0);
  await otherTab.close();
  await expect(page.getByText('3 lines: 1 matched, 2 to assign, 0 counted before.')).toBeVisible();
  await picture(page, 'received-money');
  await sendStatement(page, file);
  await expect(page.getByText('3 lines: 0 matched, 0 to assign, 3 counted before.')).toBeVisible();

  const waiting = page.getByRole('region', { name: 'Left to assign' });
  const dialog = page.getByRole('dialog');
  const ofOkello = waiting.getByRole('listitem').filter({ hasText: 'OKELLO' });
  await ofOkello.getByRole('button', { name: 'Assign' }).click();
  await ofOkello.getByLabel('Find the application').fill(reference);
  await ofOkello.getByRole('button', { name: /^Assign to .*, MCT 001$/ }).click();
  await ofOkello.getByRole('button', { name: 'Assign UGX 100,000' }).click();
  await expect(ofOkello).toHaveCount(0);

  const ofStranger = waiting.getByRole('listitem').filter({ hasText: 'A STRANGER' });
  await ofStranger.getByRole('button', { name: 'Send back' }).click();
  await dialog.getByLabel('Reason').fill('They meant to buy airtime');
  await dialog.getByRole('button', { name: 'Propose to send it back' }).click();
  await expect(ofStranger.getByRole('button', { name: 'It was sent' })).toBeDisabled();
  await picture(page, 'received-money-send-back-proposed');

  await logIn(page, 'admin@kasente.test', { to: '/received-money' });
  await ofStranger.getByRole('button', { name: 'It was sent' }).click();
  await dialog.getByLabel('Reference').fill('MM-778');
  await dialog.getByRole('button', { name: 'It was sent back' }).click();
  await expect(waiting).toContainText('Everything is assigned.');

  await page.getByRole('link', { name: 'Reconcile a day' }).click();
  await visit(page, `/reconciliation?account=mtn&currency=UGX&day=${TODAY}`);
  const day = page.getByRole('region').first();
  await expect(page.getByText('We have it, they do not')).toBeVisible();
  await picture(page, 'reconciliation');
  await expect(day.getByRole('button', { name: 'Explain MM-778' })).toBeDisabled();
  await expect(day).toContainText(
    'You recorded, released, ended or imported this payment. Another officer must explain it.',
  );

  await logIn(page, 'staff@kasente.test', { to: `/reconciliation?account=mtn&currency=UGX&day=${TODAY}` });
  await day.getByRole('button', { name: 'Explain MM-778' }).click();
  await dialog.getByLabel('Reason').fill('It is on the statement of tomorrow');
  await dialog.getByRole('button', { name: 'Explain' }).click();
  await expect(page.getByText('It is on the statement of tomorrow')).toBeVisible();

  await page.goto(address);
  await expect(page.getByRole('region', { name: 'Payments' }).getByRole('table')).toContainText('100,000');
});

test('a payment unfolds with suggestions; they say why, who paid, and when the payer looks like another buyer', async ({
  page,
}) => {
  await logIn(page, 'staff@kasente.test', { to: '/desk?job=collect&filter=overdue' });
  await page.getByRole('link', { name: /MCT 004/ }).click();
  await expect(page.getByRole('region', { name: 'Payments' })).toBeVisible();
  const tag = page.url().split('/').at(-1)?.split('?')[0] ?? '';
  const mistyped = `${await repaymentReference(page, tag)}X`;
  await page.getByRole('link', { name: 'Received Money' }).click();
  const lines = [
    `11,${TODAY},Successful,256772000121,EQUATOR CONSTRUCTION,goods of October,120000,UGX`,
    `12,${TODAY},Successful,256772000122,PEARL HOTELS,pay ${mistyped},80000,UGX`,
  ];
  await sendStatement(page, ['Id,Date,Status,From,From name,Message,Amount,Currency', ...lines, ''].join('\n'));
  const waiting = page.getByRole('region', { name: 'Left to assign' });
  await expect(waiting).toContainText('UGX 200,000 in 2 payments');

  const ofPearl = waiting.getByRole('listitem').filter({ hasText: 'UGX 80,000 from' });
  await ofPearl.getByRole('button', { name: 'Assign', exact: true }).click();
  const suggested = ofPearl.getByRole('listitem').filter({ hasText: 'MCT 004' });
  await expect(suggested).toContainText('A reference in the text looks like its own.');
  await expect(suggested.getByRole('note')).toContainText('The payer looks like Pearl');
  await expectAccessible(page, 'received-money-suggestions');
  await picture(page, 'received-money-suggestions');
  await suggested.getByRole('button', { name: /^Assign to / }).click();
  const chosen = ofPearl.getByRole('group');
  await expect(chosen).toBeFocused();
  await expect(chosen.getByRole('note')).toContainText('The payer looks like Pearl');
  await expectAccessible(page, 'received-money-another-buyer');
  await picture(page, 'received-money-another-buyer');
  await chosen.getByRole('button', { name: 'Back' }).click();
  await expect(ofPearl.getByRole('button', { name: 'Close' })).toBeFocused();
  await ofPearl.getByRole('button', { name: 'Close' }).click();
  await expect(suggested).toHaveCount(0);

  const ofEquator = waiting.getByRole('listitem').filter({ hasText: 'UGX 120,000 from' });
  await ofEquator.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(ofEquator.getByText('The payer looks like the buyer.').first()).toBeVisible();
  await ofEquator.getByRole('button', { name: /^Assign to .*, MCT 004$/ }).click();
  await expect(ofEquator.getByRole('combobox', { name: 'Who paid' })).toHaveValue('The buyer');
  await ofEquator.getByRole('button', { name: 'Assign UGX 120,000' }).press('Enter');
  await expect(ofEquator).toHaveCount(0);
  await expect(waiting.getByRole('heading', { name: 'Left to assign' })).toBeFocused();
  await expect(waiting).toContainText('UGX 80,000 in 1 payment');
  await page.setViewportSize(PHONE);
  await ofPearl.getByRole('button', { name: 'Assign', exact: true }).click();
  await expectNoSidewaysScrolling(page, 'suggestions for received money');
});
