import type { Locator, Page } from '@playwright/test';
import { newReadyDraft, openNew } from '#e2e/support/arrange.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';

/**
 * A person who leaves a dialog without acting returns to where they were: to the element that opened it (WCAG 2.2,
 * 2.4.3).
 */

interface Expected {
  /** The button that opens the dialog, by keyboard. */
  readonly opener: Locator;
  readonly title: string;
  /** The button that leaves the dialog; Escape does too. */
  readonly leave: string;
  /** The focus afterwards: on the opener, if it still exists. */
  readonly then?: Locator;
}

async function expectFocusBack(page: Page, { opener, title, leave, then = opener }: Expected): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  const ways = [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: leave, exact: true }).press('Enter'),
  ];
  for (const close of ways) {
    await opener.press('Enter');
    await expect(dialog).toBeVisible();
    // Something in the dialog has the focus before it is left.
    await expect(dialog.locator(':focus')).toHaveCount(1);
    await close();
    await expect(dialog).toBeHidden();
    await expect(then).toBeFocused();
  }
}

test('dialogs of a ready application return the focus: submit, delete the draft, upload, delete a document', async ({
  page,
}) => {
  await openNew(page, '0700000001', newReadyDraft);
  const submit = page.getByRole('button', { name: 'Submit Application' });
  await expect(submit).toBeEnabled();
  await expectFocusBack(page, { opener: submit, title: 'Submit this application?', leave: 'Not yet' });
  const remove = page.getByRole('button', { name: 'Delete draft' });
  await expectFocusBack(page, { opener: remove, title: 'Delete this draft?', leave: 'Keep it' });
  const upload = page.getByRole('button', { name: 'Upload Bank statement' });
  await expectFocusBack(page, { opener: upload, title: 'Upload Bank statement', leave: 'Close' });

  const options = page.getByRole('button', { name: 'Options for Invoice copy' });
  await options.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete Invoice copy?' });
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(options).toBeFocused();
});

test('Submit Application keeps the focus if the server would refuse it', async ({ page }) => {
  await logIn(page, '0700000001');
  const draft = await newReadyDraft(page);
  await page.route(`**/api/v1/invoices/${draft.tag}/validate_submission`, (route) =>
    route.fulfill({ json: { success: false, missing: ['Invoice copy'] } }),
  );
  await visit(page, `/invoice-discounting-application/${draft.tag}`);
  const submit = page.getByRole('button', { name: 'Submit Application' });
  await expect(submit).toBeEnabled();
  await submit.press('Enter');
  await expect(page.getByText('Missing: Invoice copy')).toBeVisible();
  await expect(submit).toBeFocused();
});

test('leaving a new application with typed text asks first, and returns the focus', async ({ page }) => {
  await logIn(page, '0700000001', { to: '/application/start' });
  await page.getByLabel('Invoice number').fill('LOST-1');
  const menu = page.getByRole('button', { name: 'Applications menu' });
  for (const leave of ['Escape', 'Enter']) {
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: 'New Application' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Start a new application?' });
    await expect(dialog.getByRole('button', { name: 'Keep typing' })).toBeFocused();
    await page.keyboard.press(leave);
    await expect(dialog).toBeHidden();
    await expect(menu).toBeFocused();
  }
  await expect(page.getByLabel('Invoice number')).toHaveValue('LOST-1');
});

test('dialogs of staff return the focus: update a person, deactivate, roles, businesses', async ({ page }) => {
  await logIn(page, 'admin@kasente.test');
  // Newcomers from other journeys come before her.
  await page.getByRole('searchbox', { name: 'Search users' }).fill('Sarah Nabirye');
  const people = page.getByRole('table', { name: 'Users' }).locator('tbody').getByRole('row');
  await expect(people).toHaveCount(1);
  const person = people.filter({ hasText: 'Sarah Nabirye' });
  for (const [name, title] of [
    [/^Activate or update/, 'Update Person'],
    [/^Deactivate/, 'Deactivate Sarah Nabirye?'],
    [/^Roles of/, 'Roles of Sarah Nabirye'],
  ] as const)
    await expectFocusBack(page, { opener: person.getByRole('button', { name }), title, leave: 'Cancel' });
  await visit(page, '/businesses');
  const expectBack = (title: string) =>
    expectFocusBack(page, { opener: page.getByRole('button', { name: title }), title, leave: 'Cancel' });
  await expectBack('Add Business');
  await page.getByRole('link', { name: 'Pearl Hotels Group' }).click();
  await expectBack('Edit Business');
});

test('a password reset’s code, also after a reload, returns the focus to the field that may have been wrong', async ({
  page,
}) => {
  await page.goto('/forgot-password');
  const username = page.getByLabel('Phone or Email');
  const dialog = page.getByRole('dialog', { name: 'Enter the code' });
  const leave = async (): Promise<void> => {
    await expect(dialog.getByLabel('Verification code')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(username).toBeFocused();
  };
  await username.fill(`nobody-${Date.now()}@kasente.test`);
  await page.keyboard.press('Enter');
  await leave();
  await username.fill(`nobody-else-${Date.now()}@kasente.test`);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await page.reload();
  await leave();
});
