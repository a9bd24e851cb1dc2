import type { Page } from '@playwright/test';
import { newSubmission } from '#e2e/support/arrange.ts';
import { officer } from '#e2e/support/desk.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';

/** A counter-offer from both sides: an officer offers other terms, and the client accepts them or lets them go. */

test.use({ world: 'counter-offer', provoked: [/409/, /422/] });
test.describe.configure({ mode: 'default' });

const CLIENT = '0700000001';
const panelOf = (page: Page) => page.getByRole('region', { name: 'What happens now' });

test('an officer offers less over a shorter time, and the client accepts by the new key facts', async ({
  page,
  kasente,
}) => {
  await logIn(page, CLIENT);
  const application = await newSubmission(page);
  await (await officer(page, kasente)).review(application);

  await logIn(page, 'staff@kasente.test');
  await visit(page, `/desk/${application.tag}`);
  const decision = page.getByRole('region', { name: 'Decision' });
  await decision.getByRole('button', { name: 'Offer Other Terms' }).click();
  const dialog = page.getByRole('dialog', { name: 'Offer other terms' });
  await expect(dialog).toContainText('asked for UGX 900,000 over 30 days');
  await dialog.getByLabel('Advance you offer').fill('950000');
  await dialog.getByLabel('Reason').fill('Your buyer pays within two weeks.');
  await dialog.getByRole('button', { name: 'Send Offer' }).click();
  await expect(dialog.getByText('The client asked for UGX 900,000. Offer that or less')).toBeVisible();
  await dialog.getByLabel('Advance you offer').fill('800000');
  await dialog.getByRole('combobox', { name: 'Financing period' }).click();
  await page.getByRole('option', { name: '15 days' }).click();
  await expect(dialog.getByRole('status')).toHaveText('They receive UGX 744,000, for a fee of UGX 56,000.');
  await dialog.getByRole('button', { name: 'Send Offer' }).click();
  await expect(decision).toContainText('The clock is paused until the client answers.');
  await expect(page.getByRole('region', { name: 'What happened' })).toContainText('Other terms offered');
  expect(await kasente.newestMessage(CLIENT)).toContain('We can offer you UGX 744,000 in cash');

  await logIn(page, CLIENT);
  const matter = page.getByRole('region', { name: 'What matters now' }).getByRole('listitem');
  await matter.filter({ hasText: application.number }).getByRole('link', { name: 'See the offer' }).click();
  const panel = panelOf(page);
  await expect(panel).toContainText('We can offer you UGX 744,000');
  const terms = panel.getByRole('table', { name: 'What you asked for and what we offer' });
  await expect(terms.getByRole('row', { name: 'You receive, UGX 801,000 744,000' })).toBeVisible();
  await expect(terms.getByRole('row', { name: 'Period 30 days 15 days' })).toBeVisible();

  await panel.getByRole('button', { name: 'See the terms and accept' }).click();
  const facts = page.getByRole('dialog', { name: 'Accept this offer?' });
  await expect(facts).toContainText('Pay back UGX 800,000');
  await expect(facts).toContainText('Yearly rate of the fee');
  await facts.getByRole('button', { name: 'Agree and accept' }).click();
  await expect(panel).toContainText('Approved: UGX 744,000 to you');
  await expect(panel).toContainText('You accepted: approved');
  await expect(page.getByText('15 days').first()).toBeVisible();
  expect(await kasente.newestMessage(CLIENT)).toContain("You accepted our offer. You're approved.");
});

test('a client declines an offer, and cannot accept one that was withdrawn', async ({ page, kasente }) => {
  await logIn(page, CLIENT);
  const application = await newSubmission(page);
  const staff = await officer(page, kasente);
  await staff.review(application);
  const offer = { amountAppliedFor: 700_000, financingPeriodId: 3, reason: 'The buyer keeps some of it back.' };
  await staff.onDesk(application, 'counter_offer', offer);
  await visit(page, `/invoice-discounting-application/${application.tag}`);
  const panel = panelOf(page);
  await panel.getByRole('button', { name: 'See the terms and accept' }).click();
  await staff.onDesk(application, 'recall_offer');
  await page.getByRole('dialog').getByRole('button', { name: 'Agree and accept' }).click();
  await expect(panel).toContainText("We'll decide by");

  await staff.onDesk(application, 'counter_offer', offer);
  await page.reload();
  await panel.getByRole('button', { name: 'Decline' }).click();
  const dialog = page.getByRole('dialog', { name: 'Decline this offer?' });
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(panel).toContainText('You withdrew this application');
  await expect(panel).toContainText('You declined our offer');
});
