import { newPerson } from '#e2e/support/arrange.ts';
import { codeIn, DEMONSTRATION_PASSWORD, expect, newPhone, test } from '#e2e/support/fixtures.ts';
import { chooseByKey, expectFocusSeen, press, tabTo, typeInto } from '#e2e/support/keyboard.ts';

/** Getting into an account by keyboard alone: sign-up with its PIN, and a forgotten password. */

const PASSWORD = 'Boda-boda-2026!';

test('the keyboard signs up, enters the PIN and logs in', async ({ page, kasente }) => {
  const phone = newPhone();
  await page.goto('/login');
  await press(page, page.getByRole('link', { name: 'Create Your Account' }));
  await expect(page).toHaveURL(/\/signup$/);

  await typeInto(page, page.getByLabel('Phone Number / Email'), phone);
  await press(page, page.getByRole('button', { name: 'Show format examples' }), 'Space');
  await expect(page.getByText('Phone: 0772123456')).toBeVisible();
  // A group of radio buttons is one tab stop: the arrows move between them.
  const [female, male] = [
    page.getByRole('radio', { name: 'Female' }),
    page.getByRole('radio', { name: 'Male', exact: true }),
  ];
  await tabTo(page, (await female.isChecked()) ? female : page.getByRole('radio').first());
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await expect(male.or(female).and(page.locator(':focus'))).toBeChecked();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('radio').first()).toBeChecked();
  await chooseByKey(page, page.getByRole('combobox', { name: 'Sector' }), 'Wholesale and retail trade', false);
  await chooseByKey(page, page.getByRole('combobox', { name: 'District/Location' }), 'Mbarara City', true);
  const password = page.getByLabel('Password', { exact: true });
  await typeInto(page, password, PASSWORD);
  await press(page, page.getByRole('button', { name: 'Show password' }), 'Space');
  await expect(password).toHaveAttribute('type', 'text');
  await press(page, page.getByRole('button', { name: 'Agree & Join' }));

  const pin = page.getByLabel('Enter PIN');
  await expect(pin).toBeFocused();
  await expectFocusSeen(pin);
  const right = codeIn(await kasente.newestMessage(phone));
  await page.keyboard.type(right === '11111' ? '22222' : '11111');
  await expect(pin).toHaveAccessibleDescription(/That code is wrong or has expired/);
  await expect(pin).toBeFocused();
  await page.keyboard.type(right);
  await expect(page).toHaveURL(/\/login$/);

  await typeInto(page, page.getByLabel('Phone or Email'), phone);
  await typeInto(page, password, PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Account Activation in Progress')).toBeVisible();
});

test('the keyboard resets a forgotten password and logs in with the new one', async ({ page, kasente }) => {
  const phone = await newPerson(page, kasente);
  await page.goto('/login');
  await press(page, page.getByRole('link', { name: 'Forgot your password?' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Reset Password' })).toBeVisible();
  await press(page, page.getByRole('button', { name: 'Change Password' }));
  await expect(page.getByText('Please enter your phone number or email')).toBeVisible();
  await typeInto(page, page.getByLabel('Phone or Email'), phone);
  await page.keyboard.press('Enter');

  const dialog = page.getByRole('dialog', { name: 'Enter the code' });
  const code = dialog.getByLabel('Verification code');
  await expect(code).toBeFocused();
  await expectFocusSeen(code);
  const right = codeIn(await kasente.newestMessage(phone));
  await page.keyboard.type(right === '11111' ? '22222' : '11111');
  await page.keyboard.press('Enter');
  await expect(code).toHaveAccessibleDescription(/incorrect/);
  // Tab stays in the dialog: after one round it is back at the start.
  await tabTo(page, dialog.getByRole('button', { name: 'Cancel' }));
  await tabTo(page, code);
  await page.keyboard.type(right);
  await press(page, dialog.getByRole('button', { name: 'Verify Code' }));

  const password = page.getByLabel('New Password', { exact: true });
  await expect(password).toBeFocused();
  await page.keyboard.type('weakling');
  await page.keyboard.press('Enter');
  await expect(password).toHaveAccessibleDescription(/Weak password/);
  await typeInto(page, password, 'Nile-perch-2026');
  await press(page, page.getByRole('button', { name: 'Set New Password' }), 'Space');
  await expect(page).toHaveURL(/\/login$/);

  await typeInto(page, page.getByLabel('Phone or Email'), phone);
  await typeInto(page, page.getByLabel('Password', { exact: true }), DEMONSTRATION_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Wrong phone/email and/or password')).toBeVisible();
  await typeInto(page, page.getByLabel('Password', { exact: true }), 'Nile-perch-2026');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Account Activation in Progress')).toBeVisible();
});

test('a password can be pasted, and the browser knows which kind each field is', async ({ page, kasente }) => {
  const person = await newPerson(page, kasente);
  for (const [path, name, autocomplete] of [
    ['/signup', 'Phone Number / Email', 'new-password'],
    ['/login', 'Phone or Email', 'current-password'],
  ] as const) {
    await page.goto(path);
    const [username, password] = [page.getByLabel(name), page.getByLabel('Password', { exact: true })];
    await expect(username).toHaveAttribute('autocomplete', 'username');
    await expect(password).toHaveAttribute('autocomplete', autocomplete);
    // Typed into another field first, so that it can be copied: a password field does not allow copying.
    await typeInto(page, username, DEMONSTRATION_PASSWORD);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('ControlOrMeta+C');
    await tabTo(page, password);
    await page.keyboard.press('ControlOrMeta+V');
    await expect(password).toHaveValue(DEMONSTRATION_PASSWORD);
  }
  await typeInto(page, page.getByLabel('Phone or Email'), person);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Account Activation in Progress')).toBeVisible();
});
