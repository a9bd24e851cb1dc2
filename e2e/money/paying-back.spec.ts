import { newReadyDraft } from '#e2e/support/arrange.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';

/** Paying back: what a late client sees first, what is blocked, and how officers collect. */

test.use({ world: 'paying-back' });
test.describe.configure({ mode: 'default' });

const LATE = '0700000003';
const REFERENCE = /[ACDEFGHJKMNPRTVWXY34679]{4}-[ACDEFGHJKMNPRTVWXY34679]{4}/;

test('a client who is late sees it first, with how to pay, and cannot submit anything new', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-write']);
  await logIn(page, LATE);
  const first = page.getByRole('region', { name: 'What matters now' }).locator('ul > li').first();
  const late = /Overdue 1\d\d days · UGX 3,400,000/;
  await expect(first).toContainText(late);
  await expect(first).toContainText('Pay to MTN MoMo merchant 123456');
  await expect(first).toContainText(REFERENCE);

  // Where to pay is shown once.
  await expect(page.getByRole('list', { name: 'Pay to' })).toHaveCount(1);

  await page.getByLabel('Search applications').fill('MCT 001');
  await expect(page.getByRole('row').filter({ hasText: 'MCT 001' })).toContainText(late);
  await first.getByRole('link', { name: 'MCT 001' }).click();
  await expect(page.locator('h1 + [data-status=disbursed]')).toHaveText(late);
  const panel = page.getByRole('region', { name: 'What happens now' });
  await expect(panel).toContainText(REFERENCE);
  await panel.getByRole('button', { name: 'Copy reference' }).click();
  await expect(panel.getByRole('button', { name: 'Copied: reference' })).toBeVisible();

  const { tag } = await newReadyDraft(page);
  await visit(page, `/invoice-discounting-application/${tag}`);
  await page.getByRole('button', { name: 'Submit Application' }).click();
  const refusal = page
    .getByRole('alert')
    .filter({ hasText: /^Pay back UGX 3,400,000 for invoice MCT 001\..+Reference: / });
  await refusal.getByRole('link', { name: 'See what to pay' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('MCT 001');
});

test('the next step of a card stands right below its words, however tall the card beside it is', async ({ page }) => {
  await logIn(page, '0700000001');
  const cards = page.getByRole('region', { name: 'What matters now' }).getByRole('listitem');
  const card = cards.filter({ hasText: 'We need something from you' });
  const step = await card.getByRole('link', { name: 'Answer now' }).boundingBox();
  const words = await card.locator('p').last().boundingBox();
  expect((step?.y ?? Number.NaN) - (words?.y ?? 0) - (words?.height ?? 0)).toBeLessThan(32);
});

test('a client says that their buyer will pay late, and the desk sees it', async ({ page }) => {
  await logIn(page, '0700000001');
  await page.getByLabel('Search applications').fill('NT-2026-037');
  await page.getByRole('link', { name: 'NT-2026-037' }).last().click();
  const panel = page.getByRole('region', { name: 'What happens now' });
  await expect(panel).toContainText('Pay early any time');
  await panel.getByRole('button', { name: 'My buyer will pay late' }).click();
  const dialog = page.getByRole('dialog', { name: 'My buyer will pay late' });
  await dialog.getByLabel('Why').fill('The hospital pays at the end of the quarter');
  await dialog.getByRole('button', { name: 'Tell Kasente' }).click();
  await expect(dialog.getByText('Say when your buyer will pay')).toBeVisible();
  await dialog.getByLabel('Your buyer pays on').fill('5 Jan 2040');
  await dialog.getByRole('button', { name: 'Tell Kasente' }).click();
  await expect(panel).toContainText('You told us your buyer pays on 5 Jan 2040');

  await logIn(page, 'staff@kasente.test');
  await visit(page, '/desk?job=collect&filter=disbursed');
  await expect(page.getByRole('row').filter({ hasText: 'NT-2026-037' })).toContainText('buyer pays 5 Jan');
});

test('an officer collects by how late an advance is, with contact, promise and dispute', async ({ page }) => {
  await logIn(page, 'staff@kasente.test');
  await visit(page, '/desk?job=collect');
  await page.getByRole('link', { name: /^8–30 days/ }).click();
  await expect(page).toHaveURL('/desk?job=collect&filter=days8To30');
  const row = page.getByRole('row').filter({ hasText: 'MCT 004' });
  await expect(row).toContainText('Call the buyer');
  await expect(row).toContainText('Promised: UGX 1,000,000');
  await row.getByRole('link', { name: /MCT 004/ }).click();

  const card = page.getByRole('region', { name: 'Paying back' });
  await expect(card).toContainText('8–30 days late');
  await card.getByRole('button', { name: 'Record contact' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Record contact' }).click();
  await expect(dialog.getByText('Say what was agreed')).toBeVisible();
  await dialog.getByLabel('What was agreed').fill('The buyer has signed');
  await dialog.getByLabel('Next step', { exact: true }).fill('Wait for the transfer');
  await dialog.getByRole('button', { name: 'Record contact' }).click();
  await expect(card.getByRole('list', { name: 'What was said and done' })).toContainText('The buyer has signed');

  await card.getByRole('button', { name: 'Buyer disputes' }).click();
  await dialog.getByLabel('What the buyer disputes').fill('Two crates were missing');
  await dialog.getByRole('button', { name: 'Record dispute' }).click();
  await expect(card).toContainText('The buyer disputes this invoice');
  await logIn(page, LATE);
  await page.getByLabel('Search applications').fill('MCT 004');
  await page.getByRole('row').filter({ hasText: 'MCT 004' }).getByRole('link').click();
  await expect(page.getByText('Two crates were missing')).toBeVisible();
});
