import { approve, newReadyDraft, openNew } from '#e2e/support/arrange.ts';
import { get } from '#e2e/support/calls.ts';
import { officer, payOut } from '#e2e/support/desk.ts';
import { expect, logIn, test } from '#e2e/support/fixtures.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * The price of paying late, if there is one: shown before the client agrees, charged by the day, and paid in the end.
 */

test.use({ world: 'late-charge', settings: { LATE_CHARGE_PER_DAY: '0.1' } });

test('a client sees what each late day costs before they submit, and is charged exactly that', async ({
  page,
  kasente,
}) => {
  const application = await openNew(page, '0700000001', newReadyDraft);
  await page.getByRole('button', { name: 'Submit Application' }).click();
  const keyFacts = page.getByRole('dialog', { name: 'Submit this application?' });
  await expect(keyFacts).toContainText(
    'Each day late adds 0.1 % of what is unpaid without fees, UGX 900 at first. It never adds more than UGX 450,000 in all.',
  );
  await keyFacts.getByRole('button', { name: 'Agree and submit' }).click();
  await expect(page.getByText('Submitted for Processing').first()).toBeVisible();

  const staff = await officer(page);
  await approve(staff, application);
  const releaser = await officer(page, 'admin@kasente.test');
  await payOut({ preparer: staff, releaser }, application, 'TT-4712');
  // A Sunday or a holiday moves the due date by a few days.
  await kasente.letDaysPass(application.tag, 40);
  await kasente.sweep('late-charges');
  const { days, owed } = await charged(staff, application.tag);
  expect([owed, days > 4, days < 11]).toEqual([900_000 + 900 * days, true, true]);

  await page.reload();
  const panel = page.getByRole('region', { name: 'What happens now' });
  const sum = owed.toLocaleString('en');
  await expect(panel).toContainText(`Overdue ${days} days · UGX ${sum}`);
  await expect(panel).toContainText('Each late day adds UGX 900, up to UGX 450,000 in all.');
  await expect(panel.getByRole('list', { name: 'Payments' })).toContainText(
    `Charge for paying late${days} daysUGX ${(900 * days).toLocaleString('en')}`,
  );

  await picture(page, 'paid-out-late-charge');
  await logIn(page, 'staff@kasente.test', { to: `/desk/${application.tag}` });
  const payments = page.getByRole('region', { name: 'Payments' });
  await expect(payments).toContainText(`Still owedUGX ${sum}`);
  await expect(payments).toContainText(`Charged for ${days} late days`);
  await payments.getByRole('button', { name: 'Record repayment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record repayment' });
  await expect(dialog.getByLabel('Amount')).toHaveValue(`${sum}.00`);
  await dialog.getByLabel('Reference').fill('BK-4713');
  await dialog.getByRole('button', { name: 'Record repayment' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(payments).toContainText('Still owedUGX 0');
});

interface Owed {
  readonly outstanding: string;
  readonly lateCharge: { readonly days: number } | null;
}

/** The debt after the late days were charged. A sweep charges them, and nothing else waits for that. */
async function charged(staff: Awaited<ReturnType<typeof officer>>, tag: string) {
  const read = () => get<Owed>(staff, `applications/${tag}/payments`);
  await expect.poll(async () => (await read()).lateCharge?.days ?? 0, { intervals: [200] }).toBeGreaterThan(0);
  const { outstanding, lateCharge } = await read();
  return { owed: Number(outstanding), days: lateCharge?.days ?? 0 };
}
