import { codeIn, expect, logIn, logOut, newPhone, test } from '#e2e/support/fixtures.ts';
import { activate, applyFor, enterInvoice, PASSWORD, signUp, submit, upload } from '#e2e/support/main-job.ts';

/** The main job: from a phone number nobody knows to an application that staff see. */

// With motion, as most people see it.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('sign up, be activated, enter an invoice, apply, upload, submit, be seen by staff', async ({
  page,
  browser,
  kasente,
}) => {
  const phone = newPhone();
  await page.goto('/signup');
  await expect(page).toHaveTitle('Sign Up | Kasente');
  await expect(page.getByRole('heading', { name: 'Join Kasente' })).toBeVisible();
  await signUp(page, phone);
  await page.getByLabel('Enter PIN').pressSequentially(codeIn(await kasente.newestMessage(phone)));
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Account created successfully! Please log in.')).toBeVisible();

  await logIn(page, phone, PASSWORD);
  await expect(page.getByText('Account Activation in Progress')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Apply' })).toHaveCount(0);
  await logOut(page);

  await activate(browser, phone);
  expect(await kasente.newestMessage(phone)).toContain('active');

  await logIn(page, phone, PASSWORD);
  await page.getByRole('link', { name: 'Apply Now' }).click();
  const tag = await enterInvoice(page);
  await applyFor(page, '900000', '30 days');
  for (const type of ['Invoice copy', 'Proof of delivery or completed work', 'Contract or purchase order']) {
    await upload(page, type);
  }
  await submit(page);

  await page.reload();
  await expect(page.getByText('Submitted for Processing').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit Application' })).toHaveCount(0);
  await page.getByRole('link', { name: 'My Applications' }).first().click();
  await expect(page.getByRole('link', { name: 'INV/2026-777' })).toHaveAttribute('href', new RegExp(tag));
  await logOut(page);

  await logIn(page, 'staff@kasente.test');
  const row = page.getByRole('row', { name: /INV\/2026-777/ });
  await expect(row).toContainText('Nakasero Traders Ltd');
  await expect(row).toContainText('801,000');
  await row.getByRole('link', { name: 'INV/2026-777' }).click();
  await expect(page.getByText('Submitted for Processing').first()).toBeVisible();
  await expect(page.getByText('801,000').first()).toBeVisible();
  await expect(page.getByText('Nakasero Traders Ltd').first()).toBeVisible();
  const desk = page.getByRole('link', { name: 'Open in the Decision Desk' });
  await expect(desk).toHaveAttribute('href', `/desk/${tag}`);
  await expect(page.getByRole('textbox')).toHaveCount(0);
});
