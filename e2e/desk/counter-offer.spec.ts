import { largeTerms, newSubmission, onDesk, review } from '#e2e/support/arrange.ts';
import { post } from '#e2e/support/calls.ts';
import { officer } from '#e2e/support/desk.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';
import { picture } from '#e2e/support/pictures.ts';

/** Counter-offers that are not accepted, or not yet approved (e2e/client/main-job.spec.ts accepts one). */

const CLIENT = '0700000001';
const JINJA_AGRO = '0700000002';

test('a client declines an offer, and cannot accept one that was withdrawn', async ({ page }) => {
  await logIn(page, CLIENT);
  const application = await newSubmission(page);
  const staff = await officer(page);
  await review(staff, application);
  const offer = { amountAppliedFor: 700_000, financingPeriodId: 3, reason: 'The buyer keeps some of it back.' };
  await onDesk(staff, application, 'counter_offer', offer);
  await visit(page, `/invoice-discounting-application/${application.tag}`);
  const panel = page.getByRole('region', { name: 'What happens now' });
  await panel.getByRole('button', { name: 'See the terms and accept' }).click();
  await onDesk(staff, application, 'recall_offer');
  await page.getByRole('dialog').getByRole('button', { name: 'Agree and accept' }).click();
  await expect(panel).toContainText("We'll decide by");

  await onDesk(staff, application, 'counter_offer', offer);
  await page.reload();
  await panel.getByRole('button', { name: 'Decline' }).click();
  const dialog = page.getByRole('dialog', { name: 'Decline this offer?' });
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(panel).toContainText('You withdrew this application');
  await expect(page.getByRole('region', { name: 'What happened' })).toContainText('You declined our offer');
});

test('a client accepts an offer that a second officer confirms, and is told so', async ({ page }) => {
  await logIn(page, JINJA_AGRO);
  const application = await newSubmission(page, largeTerms);
  const staff = await officer(page);
  await review(staff, application);
  await onDesk(staff, application, 'counter_offer', {
    amountAppliedFor: 24_500_000,
    financingPeriodId: 3,
    reason: 'The buyer keeps some of it back.',
  });
  await visit(page, `/invoice-discounting-application/${application.tag}`);
  const panel = page.getByRole('region', { name: 'What happens now' });
  await panel.getByRole('button', { name: 'See the terms and accept' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Agree and accept' }).click();
  await expect(panel).toContainText('You accepted UGX 21,805,000');
  await expect(panel.getByText(/^A second officer confirms by \d\d:\d\d /)).toBeVisible();
  await expect(panel.getByRole('listitem').nth(2)).toHaveText('ApprovedKasente');
  await picture(page, 'counter-offer-accepted');
  // Otherwise every later approval for this client would take two officers.
  await post(page, `applications/${application.tag}/withdraw`, {});
});
