import { officer } from '#e2e/support/desk.ts';
import { expect, logIn, test, visit } from '#e2e/support/fixtures.ts';

/** More time to pay back: a client asks, one officer offers, another agrees, and the client accepts by the key facts. */

test.use({ world: 'more-time', provoked: [/409/] });
test.describe.configure({ mode: 'default' });

const LATE = '0700000003';

test('a client who is late gets more time once, by two officers and its own key facts', async ({ page, kasente }) => {
  await logIn(page, LATE);
  await page.getByRole('region', { name: 'What matters now' }).getByRole('link', { name: 'MCT 001' }).click();
  const panel = page.getByRole('region', { name: 'What happens now' });
  await panel.getByRole('button', { name: 'Ask for more time' }).click();
  const asking = page.getByRole('dialog', { name: 'Ask for more time' });
  await asking.getByRole('button', { name: 'Ask for more time' }).click();
  await expect(asking.getByText('Select Financing Period')).toBeVisible();
  await asking.getByRole('combobox', { name: 'Financing period' }).click();
  await page.getByRole('option', { name: '15 days' }).click();
  await asking.getByLabel('Why you need it').fill('The buyer pays next week.');
  await asking.getByRole('button', { name: 'Ask for more time' }).click();
  await expect(panel).toContainText('You asked for more time to pay back.');
  const address = new URL(page.url()).pathname;
  const tag = address.split('/').at(-1) ?? '';

  await logIn(page, 'staff@kasente.test');
  const pending = '/desk?job=decide&filter=secondOfficer';
  const row = page.getByRole('table', { name: 'Queue' }).getByRole('row').filter({ hasText: 'MCT 001' });
  await visit(page, pending);
  await expect(row).toContainText('asked by the client');
  await row.getByRole('link').click();
  await expect(page).toHaveURL(`/desk/${tag}`);
  const card = page.getByRole('region', { name: 'Paying back' });
  await expect(card).toContainText('The client asks for more time');
  await expect(card).toContainText('The buyer pays next week.');
  await card.getByRole('button', { name: 'Offer more time' }).click();
  const offering = page.getByRole('dialog', { name: 'Offer more time' });
  await offering.getByRole('combobox', { name: 'Financing period' }).click();
  await page.getByRole('option', { name: '15 days' }).click();
  await offering.getByLabel('Reason').fill('They called, and the buyer confirmed it.');
  await offering.getByRole('button', { name: 'Offer more time' }).click();
  await expect(card).toContainText('Another officer must agree');
  await expect(card).toContainText('UGX 3,638,000');
  await expect(card.getByRole('button', { name: 'Agree to it' })).toHaveCount(0);
  await visit(page, pending);
  await expect(row).toContainText('offered by you, another officer agrees');
  await expect(row.getByRole('button')).toHaveCount(0);

  const other = await officer(page, kasente, 'admin@kasente.test');
  const { offer } = await other.get<{ offer: { version: string } }>(`/applications/${tag}/extension`);
  await other.onDesk({ tag, number: '' }, 'agree_extension', { keyFactsVersion: offer.version });
  expect(await kasente.newestMessage(LATE)).toContain('We can give you more time: pay back UGX 3,638,000');
  await visit(page, '/home');
  await visit(page, pending);
  await expect(page.getByRole('link', { name: /MCT 002/ })).toBeVisible();
  await expect(row).toHaveCount(0);

  await logIn(page, LATE);
  await visit(page, address);
  await panel.getByRole('button', { name: 'See the terms and accept' }).click();
  const accepting = page.getByRole('dialog', { name: 'Accept more time?' });
  await expect(accepting).toContainText('Fee, 7% for 15 days');
  await accepting.getByRole('button', { name: 'Agree and accept' }).click();
  await expect(panel).toContainText('Pay back UGX 3,638,000 by');
  await expect(panel.getByRole('button', { name: 'Ask for more time' })).toHaveCount(0);
  await expect(panel).toContainText('More time to pay back');
});
