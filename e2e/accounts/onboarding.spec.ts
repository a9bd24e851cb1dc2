import { newPerson } from '#e2e/support/arrange.ts';
import { DEMONSTRATION_PASSWORD, expect, logIn, logOut, test, visit } from '#e2e/support/fixtures.ts';
import { choose } from '#e2e/support/forms.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * From the details that a newcomer enters to an active account, and from an unknown buyer to one that can be chosen.
 */

test.use({ world: 'onboarding' });
test.describe.configure({ mode: 'default' });

test('a newcomer names their business, and staff activate them with it', async ({ page, kasente }) => {
  const phone = await newPerson(page, kasente);
  await logIn(page, phone);
  await expect(page.getByRole('heading', { name: 'Account Activation in Progress' })).toBeVisible();
  await expect(page.getByText('It usually takes 2 working hours.')).toBeVisible();
  await page.getByRole('button', { name: 'Send details' }).click();
  await expect(page.getByText('First name should have at least 2 letters')).toBeVisible();
  await picture(page, 'activation-wrong');
  await page.getByLabel('First name').fill('Amina');
  await page.getByLabel('Last name').fill('Kato');
  await page.getByLabel('Business name').fill('Kato Hardware');
  await page.getByLabel('TIN').fill('100 123');
  await page.getByRole('button', { name: 'Send details' }).click();
  await expect(
    page.getByText('Give a TIN of 10 digits, a NIN of 14 characters or a URSB registration number'),
  ).toBeVisible();
  await page.getByLabel('TIN').fill('100 123 4567');
  await page.getByRole('button', { name: 'Send details' }).click();
  await expect(page.getByText('We have your details. You can change them')).toBeVisible();
  await picture(page, 'activation-details-kept');
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, Amina' })).toBeVisible();
  await page.getByRole('button', { name: 'Add where we send your cash' }).click();
  const wallet = page.getByRole('dialog', { name: 'Where we send your cash' });
  await expect(wallet.getByLabel('Name on the account')).toHaveValue('Amina Kato');
  await wallet.getByRole('button', { name: /^Send it to/ }).click();
  await expect(wallet.getByText('Enter your password')).toBeVisible();
  await wallet.getByLabel('Your password').fill(DEMONSTRATION_PASSWORD);
  await picture(page, 'activation-wallet');
  await wallet.getByRole('button', { name: /^Send it to/ }).click();
  await expect(wallet).toBeHidden();
  await expect(page.getByRole('region', { name: 'Where we send your cash' })).toContainText(
    'in the name of Amina Kato',
  );
  await picture(page, 'activation-wallet-stated');
  await logOut(page);

  await logIn(page, 'staff@kasente.test');
  await page.getByRole('link', { name: /^\d+ people wait for activation$/ }).click();
  await expect(page).toHaveURL(/people-filter=Verified/);
  const row = page.getByRole('table', { name: 'Users' }).getByRole('row', { name: /Amina Kato/ });
  await expect(row).toContainText('Kato Hardware (they say)');
  await picture(page, 'staff-users-to-activate');
  await row.getByRole('button', { name: /^Activate/ }).click();
  const person = page.getByRole('dialog', { name: 'Update Person' });
  await expect(person.getByLabel('First name')).toHaveValue('Amina');
  await expect(person.getByText('TIN 1001234567')).toBeVisible();
  await picture(page, 'update-person-stated');
  // A business that is only a buyer is not offered as a client.
  await person.getByRole('combobox', { name: 'Business' }).fill('Pearl Hotels');
  await expect(page.getByRole('option')).toHaveCount(0);
  await person.getByRole('button', { name: 'Add business Kato Hardware' }).click();
  const business = page.getByRole('dialog', { name: 'Add Business' });
  await expect(business.getByLabel('Name')).toHaveValue('Kato Hardware');
  await expect(business.getByLabel('TIN')).toHaveValue('1001234567');
  await expect(business.getByRole('combobox', { name: 'Sector' })).not.toHaveValue('');
  await business.getByRole('button', { name: 'Save Business' }).click();
  await expect(business).toBeHidden();
  await expect(person.getByRole('combobox', { name: 'Business' })).toHaveValue('Kato Hardware');
  await person.getByRole('button', { name: 'Activate' }).click();
  await expect(person).toBeHidden();
  expect(await kasente.newestMessage(phone)).toContain('Amina Kato');
  await logOut(page);

  await logIn(page, phone);
  await expect(page.getByRole('link', { name: 'Apply Now' })).toBeVisible();
  await visit(page, '/payout-accounts');
  await expect(page.getByText(/^MTN .*, Amina Kato$/)).toBeVisible();
});

test('a newcomer who names an existing client is not given access by a single press', async ({ page, kasente }) => {
  const phone = await newPerson(page, kasente);
  await logIn(page, phone);
  await page.getByLabel('First name').fill('Ivan');
  await page.getByLabel('Last name').fill('Mukasa');
  await page.getByLabel('Business name').fill('Nakasero Traders Ltd');
  await page.getByRole('button', { name: 'Send details' }).click();
  await expect(page.getByText('We have your details. You can change them')).toBeVisible();
  await logOut(page);

  await logIn(page, 'staff@kasente.test');
  await page
    .getByRole('button', { name: /^Activate Ivan Mukasa/ })
    .first()
    .click();
  const person = page.getByRole('dialog', { name: 'Update Person' });
  await expect(person.getByText('Nakasero Traders Ltd is a client already. Call them first')).toBeVisible();
  await expect(person.getByRole('combobox', { name: 'Business' })).toHaveValue('');
  await person.getByRole('button', { name: 'Activate' }).click();
  await expect(person.getByText('Business is required')).toBeVisible();
});

test('a missing buyer is requested, added by staff, and chosen with the draft unchanged', async ({ page, kasente }) => {
  await logIn(page, '0700000001');
  await page.getByRole('link', { name: 'Apply Now' }).click();
  await page.getByLabel('Invoice number').fill('KCT-1');
  await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('2500000');
  const buyer = page.getByRole('combobox', { name: 'Buyer' });
  await buyer.fill('Kampala City  Traders');
  const ask = page.getByRole('option', { name: 'Ask us to add Kampala City Traders' });
  await expect(ask).toBeVisible();
  await buyer.press('ArrowDown');
  await buyer.press('Enter');
  await expect(page.getByText("We're adding Kampala City Traders.")).toBeVisible();
  await picture(page, 'new-application-buyer-asked');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Log Out' }).click();
  await page.getByRole('button', { name: 'Keep it and log out' }).click();
  await expect(page).toHaveURL(/\/login$/);

  await logIn(page, 'staff@kasente.test');
  await page.getByRole('link', { name: /^\d+ buyers? to add$/ }).click();
  await page.getByRole('button', { name: 'Add Kampala City Traders' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add buyer' });
  await expect(dialog.getByLabel('Name')).toHaveValue('Kampala City Traders');
  await picture(page, 'businesses-add-buyer');
  await choose(page, 'Sector', 'Wholesale and retail trade');
  await choose(page, 'District/Location', 'Kampala');
  await dialog.getByRole('button', { name: 'Add buyer' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Buyers to add' })).toHaveCount(0);
  expect(await kasente.newestMessage('0700000001')).toContain(
    'Kampala City Traders is on Kasente now. Choose it as the buyer of your invoice.',
  );
  await logOut(page);

  await logIn(page, '0700000001');
  await page.getByRole('link', { name: 'Apply Now' }).click();
  await expect(page.getByLabel('Invoice number')).toHaveValue('KCT-1');
  await expect(page.getByRole('textbox', { name: 'Amount', exact: true })).toHaveValue(/2,500,000/);
  await expect(page.getByText('Kampala City Traders is on Kasente now.')).toBeVisible();
  await picture(page, 'new-application-buyer-added');
  // The open request shows beside the field.
  await buyer.fill('Lira Millers');
  await page.getByRole('option', { name: 'Ask us to add Lira Millers' }).click();
  await expect(page.getByText("We're adding Lira Millers.")).toBeVisible();
  await page.getByRole('button', { name: 'Choose it' }).click();
  await expect(buyer).toHaveValue('Kampala City Traders');
});

test('a buyer whose name is part of others can be requested, below those others', async ({ page }) => {
  await logIn(page, '0700000001');
  await page.getByRole('link', { name: 'Apply Now' }).click();
  const buyer = page.getByRole('combobox', { name: 'Buyer' });
  await buyer.fill('hotels');
  await expect(page.getByRole('option')).toHaveText(['Pearl Hotels Group', 'Ask us to add hotels']);
  await picture(page, 'new-application-buyer-missing');
  // The exact name of an existing buyer offers no request.
  await buyer.fill('pearl  hotels group');
  await expect(page.getByRole('option')).toHaveText(['Pearl Hotels Group']);
  await buyer.fill('Pearl Hotels');
  await page.getByRole('option', { name: 'Ask us to add Pearl Hotels' }).click();
  await expect(page.getByText(/We're adding Pearl Hotels/)).toBeVisible();
});

test('an invalid name is refused at its field, until another one is requested', async ({ page }) => {
  await logIn(page, '0700000001');
  await page.getByRole('link', { name: 'Apply Now' }).click();
  const buyer = page.getByRole('combobox', { name: 'Buyer' });
  await buyer.fill('Nakasero Traders Ltd');
  await page.getByRole('option', { name: 'Ask us to add Nakasero Traders Ltd' }).click();
  await expect(buyer).toHaveAccessibleDescription('The buyer cannot be your own business');
  await expect(buyer).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await buyer.fill('Soroti Bakers');
  await page.getByRole('option', { name: 'Ask us to add Soroti Bakers' }).click();
  await expect(page.getByText(/We're adding Soroti Bakers/)).toBeVisible();
  await expect(buyer).not.toHaveAttribute('aria-invalid', 'true');
});

test('staff refuse a buyer with a reason', async ({ page, kasente }) => {
  await logIn(page, '0700000002');
  await page.getByRole('link', { name: 'Apply Now' }).click();
  await page.getByRole('combobox', { name: 'Buyer' }).fill('Uncle Moses');
  await page.getByRole('option', { name: 'Ask us to add Uncle Moses' }).click();
  await expect(page.getByText("We're adding Uncle Moses.")).toBeVisible();
  await logOut(page);

  await logIn(page, 'staff@kasente.test');
  await page.getByRole('link', { name: /^\d+ buyers? to add$/ }).click();
  await page.getByRole('button', { name: 'Refuse Uncle Moses' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refuse request' });
  await dialog.getByRole('button', { name: 'Refuse' }).click();
  await expect(dialog.getByText('Say why, in at least 5 characters')).toBeVisible();
  await picture(page, 'businesses-refuse-buyer');
  await dialog.getByLabel('Reason').fill('The buyer must be a registered business.');
  await dialog.getByRole('button', { name: 'Refuse' }).click();
  await expect(dialog).toBeHidden();
  expect(await kasente.newestMessage('0700000002')).toContain('The buyer must be a registered business.');
  await logOut(page);

  await logIn(page, '0700000002');
  await page.getByRole('link', { name: 'Apply Now' }).click();
  await expect(page.getByText("We can't add Uncle Moses. The buyer must be a registered business.")).toBeVisible();
  await picture(page, 'new-application-buyer-refused');
});

test('a business that staff add independently is offered for the request of that name', async ({ page }) => {
  await logIn(page, '0700000002');
  await page.getByRole('link', { name: 'Apply Now' }).click();
  await page.getByRole('combobox', { name: 'Buyer' }).fill('Gulu Bakers');
  await page.getByRole('option', { name: 'Ask us to add Gulu Bakers' }).click();
  await expect(page.getByText("We're adding Gulu Bakers.")).toBeVisible();
  await logOut(page);

  await logIn(page, 'staff@kasente.test');
  await page.getByRole('link', { name: /^\d+ buyers? to add$/ }).click();
  const request = page.getByRole('listitem').filter({ hasText: 'Gulu Bakers' });
  await expect(request).not.toContainText('On Kasente already');
  await page.getByRole('button', { name: 'Add Business' }).click();
  const business = page.getByRole('dialog', { name: 'Add Business' });
  await business.getByLabel('Name').fill('Gulu Bakers');
  await choose(page, 'Sector', 'Wholesale and retail trade');
  await choose(page, 'District/Location', 'Gulu');
  await business.getByRole('button', { name: 'Save Business' }).click();
  await expect(business).toBeHidden();
  await expect(request).toContainText('On Kasente already');
  await picture(page, 'businesses-buyers-to-add');
  await request.getByRole('button', { name: 'Add Gulu Bakers' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add buyer' });
  await dialog.getByRole('button', { name: 'Offer as buyer' }).click();
  await expect(page.getByText('can choose this buyer now')).toBeVisible();
});
