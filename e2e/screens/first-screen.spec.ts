import type { Page } from '@playwright/test';
import { codeIn, DEMONSTRATION_PASSWORD, expect, logOut, newPhone, signIn, test } from '#e2e/support/fixtures.ts';
import { hydrated } from '#e2e/support/forms.ts';
import { hold, sentTo } from '#e2e/support/network.ts';

/** The public pages before their script has loaded, and when it loads (docs/decisions/0023). */

const SCRIPTS = '**/assets/*.js';

/** Holds the application's scripts until the returned function is called. */
const holdScripts = (page: Page) => hold(page, SCRIPTS);

const username = (page: Page) => page.getByLabel('Phone or Email');
const password = (page: Page) => page.getByLabel('Password', { exact: true });

async function caretOf(page: Page): Promise<number | null | undefined> {
  return page.evaluate(() =>
    document.activeElement instanceof HTMLInputElement ? document.activeElement.selectionStart : undefined,
  );
}

test('text typed before the script has loaded stays, with focus and caret, and typing can continue', async ({
  page,
}) => {
  const letScriptsCome = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await expect(page).toHaveTitle('Login | Kasente');
  await username(page).fill('0700000009');
  await password(page).pressSequentially('Kasente-dmo-1');
  await page.keyboard.press('Home');
  for (let step = 0; step < 'Kasente-d'.length; step += 1) await page.keyboard.press('ArrowRight');
  const before = await username(page).elementHandle();
  letScriptsCome();
  await hydrated(page);
  await expect(password(page)).toBeFocused();
  expect(await caretOf(page)).toBe('Kasente-d'.length);
  await page.keyboard.type('e');
  await expect(password(page)).toHaveValue(DEMONSTRATION_PASSWORD);
  expect(await username(page).evaluate((now, was) => now === was, before)).toBe(true);
  await username(page).press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('1');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/home$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test.describe('text typed early', () => {
  // React reports that the page is not the one it drew.
  test.use({ provoked: [/Minified React error #418/] });

  test('stays even if something else has changed the page', async ({ page }) => {
    const letScriptsCome = await holdScripts(page);
    await page.goto('/login', { waitUntil: 'commit' });
    await username(page).fill('0700000001');
    await password(page).fill(DEMONSTRATION_PASSWORD);
    // As extensions that remember passwords do.
    await page.evaluate(() => document.querySelector('main form')?.prepend(document.createElement('aside')));
    letScriptsCome();
    await hydrated(page);
    await expect(page.locator('main aside')).toHaveCount(0);
    await expect(username(page)).toHaveValue('0700000001');
    await expect(password(page)).toHaveValue(DEMONSTRATION_PASSWORD);
  });
});

test('a login submitted before the script has loaded is sent once, and leads to the dashboard', async ({ page }) => {
  const letScriptsCome = await holdScripts(page);
  const sent = sentTo(page, 'users/login');
  await page.goto('/login', { waitUntil: 'commit' });
  await username(page).fill('0700000001');
  await password(page).fill(DEMONSTRATION_PASSWORD);
  const answered = page.waitForResponse('**/api/v1/users/login');
  await page.keyboard.press('Enter');
  expect((await answered).status()).toBe(200);
  await page.keyboard.press('Enter');
  letScriptsCome();
  await expect(page).toHaveURL(/\/home$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  expect(sent).toHaveLength(1);
  expect(JSON.parse((await page.evaluate(() => localStorage.getItem('auth'))) ?? '')).toMatchObject({ success: true });
});

test('an early refusal is shown once the script has loaded, and the form can be sent again', async ({ page }) => {
  const letScriptsCome = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await username(page).fill('0700000001');
  await password(page).fill('not the password');
  const answered = page.waitForResponse('**/api/v1/users/login');
  await page.getByRole('button', { name: 'Login' }).click();
  expect((await answered).status()).toBe(401);
  letScriptsCome();
  await expect(page.getByText('Wrong phone/email and/or password')).toBeVisible();
  await expect(password(page)).toBeFocused();
  await expect(username(page)).toHaveValue('0700000001');
  await password(page).fill(DEMONSTRATION_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/home$/);
});

test('an incomplete form shows what is missing once the script has loaded, unless typing continues', async ({
  page,
}) => {
  const letScriptsCome = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Login' }).click();
  letScriptsCome();
  await expect(username(page)).toHaveAccessibleDescription('Required');
  await expect(username(page)).toBeFocused();
});

test('a sign-up can be filled in and sent before the script has loaded', async ({ page, kasente }) => {
  const letScriptsCome = await holdScripts(page);
  const phone = newPhone();
  await page.goto('/signup', { waitUntil: 'commit' });
  await expect(page).toHaveTitle('Sign Up | Kasente');
  await page.getByLabel('Phone Number / Email').fill(`+256 ${phone.slice(1, 4)} ${phone.slice(4)}`);
  await page.getByRole('radio', { name: 'Female' }).check();
  await page.getByLabel('Sector').selectOption('Wholesale and retail trade');
  await page.getByLabel('District/Location').selectOption('Kampala');
  await password(page).fill('Boda-boda-2026!');
  const registered = page.waitForResponse('**/api/v1/users/register');
  await page.getByRole('button', { name: 'Agree & Join' }).click();
  expect((await registered).status()).toBe(200);
  letScriptsCome();
  await expect(page.getByRole('heading', { name: 'Enter PIN' })).toBeVisible();
  await page.getByLabel('Enter PIN').pressSequentially(codeIn(await kasente.newestMessage(phone)));
  await expect(page).toHaveURL(/\/login$/);
});

test('an invalid sign-up is not sent before the script has loaded, either', async ({ page }) => {
  const registrations = sentTo(page, 'users/register');
  const letScriptsCome = await holdScripts(page);
  const phone = newPhone();
  await page.goto('/signup', { waitUntil: 'commit' });
  const contact = page.getByLabel('Phone Number / Email');
  await contact.fill(phone.slice(0, 9));
  await page.getByRole('radio', { name: 'Female' }).check();
  await page.getByLabel('Sector').selectOption('Wholesale and retail trade');
  await page.getByLabel('District/Location').selectOption('Kampala');
  await password(page).fill('Boda-boda-2026!');
  await page.getByRole('button', { name: 'Agree & Join' }).click();
  letScriptsCome();
  await expect(contact).toHaveAccessibleDescription(/Enter a valid email or phone number/);
  expect(registrations).toEqual([]);
  const email = `early-${phone}@kasente.test`;
  await contact.fill(email);
  await page.getByRole('button', { name: 'Agree & Join' }).click();
  await expect(page.getByRole('heading', { name: 'Enter PIN' })).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  expect(registrations).toHaveLength(1);
});

test('a sign-up started before the script has loaded continues with it', async ({ page }) => {
  const letScriptsCome = await holdScripts(page);
  await page.goto('/signup', { waitUntil: 'commit' });
  await page.getByLabel('Phone Number / Email').fill('0772123456');
  await page.getByRole('radio', { name: 'Male', exact: true }).check();
  await page.getByLabel('Sector').selectOption('Wholesale and retail trade');
  await password(page).fill('Boda');
  letScriptsCome();
  await hydrated(page);
  await expect(page.getByRole('combobox', { name: 'Sector' })).toHaveValue('Wholesale and retail trade');
  await expect(page.getByLabel('Phone Number / Email')).toHaveValue('0772123456');
  await expect(page.getByRole('radio', { name: 'Male', exact: true })).toBeChecked();
  await expect(password(page)).toBeFocused();
  await page.keyboard.type('-boda-2026!');
  await expect(password(page)).toHaveValue('Boda-boda-2026!');
  await expect(page.getByText('Password is strong')).toBeVisible();
  await page.getByRole('combobox', { name: 'District/Location' }).fill('mbarara');
  await page.getByRole('option', { name: 'Mbarara City', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'District/Location' })).toHaveValue('Mbarara City');
});

test('a field left before the script has loaded is validated once it has, the others not yet', async ({ page }) => {
  const letScriptsCome = await holdScripts(page);
  await page.goto('/signup', { waitUntil: 'commit' });
  await page.getByLabel('Phone Number / Email').fill('07721');
  await page.getByLabel('Sector').focus();
  await password(page).focus();
  letScriptsCome();
  await expect(page.getByText('Enter a valid email or phone number')).toBeVisible();
  await expect(page.getByText('Please select your business sector')).toBeVisible();
  await expect(page.getByText(/^Please select/)).toHaveCount(1);
  await expect(password(page)).toBeFocused();
});

test('a prerendered sign-up has the server’s options', async ({ page, request }) => {
  await holdScripts(page);
  await page.goto('/signup', { waitUntil: 'commit' });
  for (const [label, lookup] of [
    ['Sector', 'sectors'],
    ['District/Location', 'districts'],
  ] as const) {
    const options = await page.getByLabel(label).locator('option:not([value=""])').all();
    const offered = await Promise.all(
      options.map(async (option) => ({
        id: Number(await option.getAttribute('value')),
        name: await option.textContent(),
      })),
    );
    expect(offered).toEqual(await (await request.get(`/api/v1/${lookup}`)).json());
  }
});

test('dark mode applies from the first paint, and nothing moves when the script loads', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const path of ['/login', '/signup', '/forgot-password', '/privacy-policy']) {
    const letScriptsCome = await holdScripts(page);
    await page.goto(path, { waitUntil: 'commit' });
    const surface = () =>
      page.evaluate(() => [
        document.documentElement.dataset.mantineColorScheme,
        getComputedStyle(document.body).backgroundColor,
      ]);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await surface(), path).toEqual(['dark', 'rgb(20, 21, 23)']);
    // The part in view. Far below, the policies say how to reach Kasente, which only the server knows.
    const place = () =>
      page
        .getByRole('main')
        .locator('h1, p, label, button, nav')
        .evaluateAll((parts) =>
          parts
            .map((part) => part.getBoundingClientRect())
            .filter(({ bottom }) => bottom < window.innerHeight)
            .map(({ x, y, width, height }) => [x, y, width, height].map(Math.round).join()),
        );
    const before = await place();
    letScriptsCome();
    await page.waitForLoadState('networkidle');
    expect(await surface(), path).toEqual(['dark', 'rgb(20, 21, 23)']);
    expect(before.length, path).toBeGreaterThan(3);
    expect(await place(), path).toEqual(before);
    await page.unroute(SCRIPTS);
  }
});

test('people who are not logged in see the login screen at / at once; logged-in people never do', async ({ page }) => {
  const letScriptsCome = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await page.evaluate(() => localStorage.setItem('auth', '{}'));
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.locator('#first')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeHidden();
  await page.evaluate(() => localStorage.removeItem('auth'));
  letScriptsCome();
});

test('a refusal is shown even if the library for toasts does not load', async ({ page }) => {
  await page.route('**/assets/*.js', async (route) => {
    const script = await (await route.fetch()).text();
    if (
      script.includes('mantine-Notifications') ||
      (/notificationMaxHeight/.test(script) && !route.request().url().includes('index-'))
    )
      await route.abort();
    else await route.continue();
  });
  await page.goto('/login');
  await username(page).fill('0700000001');
  await password(page).fill('not the password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Error: Wrong phone/email and/or password');
});

const DASHBOARD_LINK = 'NT-2026-042';
/** Staff see no drafts there. */
const STAFF_LINK = 'JAS 124';

test("a client's next visit starts with the last one's data, which is deleted at logout", async ({ page }) => {
  const kept = () => page.evaluate(() => localStorage.getItem('LAST_VISIT'));
  await signIn(page, '0700000001', '/home');
  await expect(page.getByRole('link', { name: DASHBOARD_LINK }).first()).toBeVisible();
  await expect.poll(kept).toContain(DASHBOARD_LINK);
  // No reply arrives, as on a connection that has just failed.
  await page.route('**/api/v1/{invoices/paged,applications/**,limits/**}', () => undefined);
  await page.reload();
  await expect(page.getByRole('link', { name: DASHBOARD_LINK }).first()).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await logOut(page);
  expect(await kept()).toBeNull();
  await signIn(page, 'staff@kasente.test', '/home');
  await expect(page.getByRole('link', { name: STAFF_LINK }).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: STAFF_LINK }).first()).toBeVisible();
  expect(await kept()).toBeNull();
});

test('a login requests the dashboard’s data before its code has loaded, and nothing twice', async ({ page }) => {
  const letDashboardCome = await hold(page, '**/assets/client-*.js');
  const dashboard = page.waitForRequest('**/assets/client-*.js');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const firstAsked = ['/api/v1/invoices/paged', '/api/v1/applications/attention'];
  const timesAsked = () => firstAsked.map((path) => asked.filter((other) => other === path).length);
  await page.goto('/login');
  await username(page).fill('0700000001');
  await password(page).fill(DEMONSTRATION_PASSWORD);
  await page.keyboard.press('Enter');
  await expect.poll(timesAsked).toEqual([1, 1]);
  await dashboard;
  letDashboardCome();
  await expect(page.getByRole('link', { name: DASHBOARD_LINK }).first()).toBeVisible();
  expect(timesAsked()).toEqual([1, 1]);
});

test('an invoice visible on the dashboard is prefetched, and requested again the next time', async ({ page }) => {
  await signIn(page, '0700000001');
  const link = page.getByRole('link', { name: DASHBOARD_LINK }).first();
  await page.goto('/home');
  const tag = ((await link.getAttribute('href')) ?? '').split('/').at(-1);
  const url = `**/api/v1/invoices/${tag}`;
  // Prefetched at the latest when the pointer reaches the link.
  const asked = page.waitForResponse(url);
  await link.hover();
  await asked;
  let again = 0;
  await page.route(url, async (route) => {
    again += 1;
    await route.continue();
  });
  await link.click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(DASHBOARD_LINK);
  expect(again).toBe(0);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(DASHBOARD_LINK);
  expect(again).toBe(1);
});
