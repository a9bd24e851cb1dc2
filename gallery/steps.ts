import type { Locator, Page, Route } from '@playwright/test';
import { CODE_LIFETIME_SECONDS, PIN_COUNTDOWN_SECONDS } from '#contract/accounts/schema.ts';
import { fillSignUp } from '#e2e/support/forms.ts';
import { invoicePhoto } from '#e2e/support/large-documents.ts';
import { pdfWithPages } from '#e2e/support/sample-files.ts';

/** The steps from the opened page to the state that the gallery shows. */

/** Fulfils a call with this JSON. */
export const json = (body: unknown) => (route: Route) => route.fulfill({ json: body });

/** Fulfils a call with the server's own reply, changed. */
export const changed =
  <Reply>(change: (reply: Reply) => unknown) =>
  async (route: Route): Promise<void> => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(JSON.parse(await response.text())) });
  };

/** Refuses a call, as the server does. */
const refused =
  (status: number, code: string, msg: string, more: object = {}) =>
  (route: Route) =>
    route.fulfill({ status, json: { success: false, code, msg, ...more } });

export const never = (route: Route): void => void route;
export const broken = refused(503, 'UNAVAILABLE', 'Busy');
export const nothing = json([]);
export const noFigures = json({ currencies: [] });
export const stale = refused(409, 'STALE_VERSION', 'Somebody changed this meanwhile');

/** This session, and one on another device. */
export const oneMoreSession = changed<[object]>(([own]) => [
  own,
  { ...own, tag: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b11', device: 'Safari on iPhone', current: false },
]);

/** Opens the page again with a call that hangs, fails or finds nothing. */
export function withCall(path: string, answer: (route: Route) => unknown) {
  return async (page: Page): Promise<void> => {
    await page.route(`**/api/v1${path}`, answer);
    await page.reload({ waitUntil: 'domcontentloaded' });
    await page.getByRole('heading').first().waitFor();
    // A failure shows only after the retries have failed.
    if (answer === broken)
      await page
        .getByRole('button', { name: /try again|retry/i })
        .first()
        .waitFor();
  };
}

export const button = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();
export const link = (name: string) => (page: Page) => page.getByRole('link', { name }).first().click();
/** Enters an amount that differs from the saved one; an earlier picture may have saved one. */
export async function changeAmount(page: Page): Promise<void> {
  const amount = page.getByLabel('Amount', { exact: true });
  await amount.fill((await amount.inputValue()) === '31,000,000.00' ? '30500000' : '31000000');
}

export const fill = (label: string, value: string) => (page: Page) =>
  page.getByLabel(label, { exact: true }).fill(value);

/** Runs several steps in sequence. */
export const steps =
  (...all: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page): Promise<void> => {
    for (const step of all) await step(page);
  };

export async function fillLogin(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Phone or Email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button('Login')(page);
}

export function logInWrongly(page: Page): Promise<void> {
  return fillLogin(page, '0700000001', 'wrong');
}

/** Replaces the replies to a call from now on, without reopening the page. */
export function answered(path: string, answer: (route: Route) => unknown) {
  return (page: Page): Promise<unknown> => page.route(`**/api/v1${path}`, answer);
}

export async function searchDistrict(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'District/Location' }).click();
  await page.keyboard.type('ka');
}

/** A sign-up that the server refuses because of its password. */
export async function joinInVain(page: Page): Promise<void> {
  await fillSignUp(page, '0788000002', 'Password-1');
  const fields = { password: 'This password is too common' };
  await answered('/users/register', refused(422, 'VALIDATION', 'Please check the form', { fields }))(page);
  await button('Agree & Join')(page);
}

/** Opens the PIN step, a number of milliseconds before its countdown ends. */
export function atPin(leftMs: number, sentTo = '0788000002') {
  const sign = { userTag: 'a-handle', mode: sentTo.includes('@') ? 'email' : 'other' } as const;
  return async (page: Page): Promise<void> => {
    const lateSeconds = CODE_LIFETIME_SECONDS - PIN_COUNTDOWN_SECONDS[sign.mode];
    const worksUntil = Date.now() + leftMs + lateSeconds * 1000;
    const sent = { ...sign, success: true, message: 'Sent', msg: 'Sent', expiresAt: Date.now() + leftMs };
    await page.evaluate(
      ([stage, otpData]) => {
        localStorage.setItem('PIN_STAGE', stage);
        localStorage.setItem('otp_data', otpData);
      },
      [
        JSON.stringify({ ...sign, sentTo, resendAt: Date.now() + Math.max(0, leftMs - 5000), worksUntil }),
        JSON.stringify(sent),
      ] as const,
    );
    await page.reload();
    await page.getByRole('heading', { name: 'Enter PIN' }).waitFor();
  };
}

export async function enterWrongPin(page: Page): Promise<void> {
  const msg = 'That code is wrong or has expired. Check it, or ask for a new one';
  await answered('/users/verify_username', refused(422, 'WRONG_PIN', msg))(page);
  await page.getByLabel('Enter PIN').pressSequentially('12345');
}

export const wrongCode = refused(
  422,
  'WRONG_CODE',
  'The verification code you entered is incorrect. Please try again.',
);
export const rightCode = json({ success: true, data: { tag: 'a-handle' } });

export function enterCode(answer: typeof wrongCode) {
  return async (page: Page): Promise<void> => {
    await askForCode('0788000001')(page);
    await answered('/reset_password/otp', answer)(page);
    await page.getByLabel('Verification code').pressSequentially('12345');
    await button('Verify Code')(page);
  };
}

export async function goOffline(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
}

/** Waits for a text that appears only after a while. */
export const seen =
  (text: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByText(text).first().waitFor();

export async function enterHalf(page: Page): Promise<void> {
  await fill('Invoice number', 'KLA/2026/0042')(page);
  await fill('Amount', '25000000')(page);
}

export async function enterWrongly(page: Page): Promise<void> {
  await fill('Invoice number', 'K')(page);
  await page.getByLabel('Invoice date').fill('1 Jan 2031');
  await fill('Amount applied for', '99')(page);
  await page.keyboard.press('Tab');
}

/** Opens the list of periods with their prices, for an amount that the invoice allows. */
export async function openPeriods(page: Page): Promise<void> {
  await link('NT-2026-039')(page);
  await page.getByRole('combobox', { name: 'Financing period' }).click();
  await page.getByRole('option').first().waitFor();
}

export async function askForTooMuch(page: Page): Promise<void> {
  await link('NT-2026-039')(page);
  await fill('Amount applied for', '999999999')(page);
  await page.keyboard.press('Tab');
}

export async function openCalendar(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Invoice date' }).click();
  await page.getByRole('table').first().waitFor();
}

/** Enters a date and an amount that are both invalid. */
export async function enterNothingRight(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Invoice date' }).fill('31 Feb 2026');
  await page.getByLabel('Amount', { exact: true }).pressSequentially('-5');
  await page.getByRole('textbox', { name: 'Date of application' }).fill('');
  await page.keyboard.press('Tab');
}

/** Imports a statement: a payment that names no reference, one from a stranger, and a charge. */
export async function importStatement(page: Page): Promise<void> {
  const day = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const lines = [
    `8841,${day},Successful,256772000111,MULAGO NATIONAL HOSPITAL,for INV 0042,"1,250,000",UGX`,
    `8842,${day},Successful,256772000112,OKELLO JAMES,school fees of the second term,85000,UGX`,
    `8843,${day},Successful,,KASENTE,charges,-2500,UGX`,
  ];
  const text = ['Id,Date,Status,From,From name,Message,Amount,Currency', ...lines, ''].join('\n');
  const file = { name: 'mtn-statement.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  for (const name of ['First day', 'Last day']) await page.getByRole('textbox', { name }).fill(day);
  await page.getByRole('combobox', { name: 'Statement of' }).click();
  await page.getByRole('option', { name: 'Collections only' }).click();
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText(/^3 lines: \d+ matched/).waitFor();
}

export async function openBuyers(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Buyer' }).click();
}

export async function askToDeleteDocument(page: Page): Promise<void> {
  await button(/Options for Invoice copy/)(page);
  await page.getByRole('menuitem', { name: 'Delete' }).click();
}

/** Chooses a file in the upload dialog, and sends it if the dialog allows it. */
export function upload(name: string) {
  return async (page: Page): Promise<void> => {
    await openUpload(page);
    const file = { name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 '.repeat(90_000)) };
    await page.locator('input[type=file]').setInputFiles(file);
    const send = page.getByRole('button', { name: 'Upload Document' });
    if (await send.isEnabled()) await send.click();
  };
}

/** The figures load only when somebody scrolls down to them. */
export async function showFiguresAsTable(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('End');
  await button('Show as table')(page);
}

/** Sends the form of the open dialog as it is. */
export async function sendDialog(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button').last().click();
}

/** Opens the first case of a queue of the decision desk. */
export async function openCase(page: Page): Promise<void> {
  await page.locator('[data-case]').first().click();
  await page.getByRole('region', { name: 'What happened' }).getByRole('link').first().waitFor();
}

/** Makes every document a PDF of two pages. */
export async function withPdf(page: Page): Promise<void> {
  const asPdf = (document: object) => ({ ...document, mediaType: 'application/pdf', fileName: 'statement.pdf' });
  await answered(
    '/invoices/documents/*',
    changed<object[]>((documents) => documents.map(asPdf)),
  )(page);
  const body = await pdfWithPages('Statement of account', 'Closing balance');
  await page.route('**/api/v1/files/view/*', (route) => route.fulfill({ contentType: 'application/pdf', body }));
}

/** Opens a case, and waits until its PDF is drawn. */
export async function showPdf(page: Page): Promise<void> {
  await withPdf(page);
  await openCase(page);
  await page.getByText('Statement of account', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Documents' }).scrollIntoViewIfNeeded();
}

/** Opens the approval of the first case of a queue. */
export async function openApproval(page: Page): Promise<void> {
  await (await reviewedCase(page)).click();
}

/** Opens the counter-offer for that case. */
export async function openCounterOffer(page: Page): Promise<void> {
  await reviewedCase(page);
  await button('Offer Other Terms')(page);
}

/** Takes the first case of a queue and starts its review, unless that is done; returns its Approve button. */
async function reviewedCase(page: Page): Promise<Locator> {
  await openCase(page);
  const decision = page.getByRole('region', { name: 'Decision' });
  const approve = decision.getByRole('button', { name: /^Approve/ });
  for (const name of ['Take', 'Start Review']) {
    if (await approve.isEnabled()) break;
    const next = decision.getByRole('button', { name, exact: true });
    await next.click();
    await next.waitFor({ state: 'hidden' });
  }
  return approve;
}

/** Points at a bar of a chart. */
export function pointAtChart(block: string) {
  return async (page: Page): Promise<void> => {
    const figures = page.getByRole('region', { name: block });
    await figures.scrollIntoViewIfNeeded();
    await figures.locator('.recharts-bar-rectangle path').last().hover();
    await figures.locator('.mantine-ChartTooltip-tooltip').waitFor();
  };
}

/** Opens the menu, which is always open on a desktop. */
export async function openMenu(page: Page): Promise<void> {
  const burger = page.getByRole('button', { name: 'Menu', exact: true });
  if (await burger.isVisible()) await burger.click();
}

export async function doNothing(page: Page): Promise<void> {
  await page.clock.install();
  await page.reload();
  await page.getByRole('heading').first().waitFor();
  await page.clock.fastForward('12:00');
  await page.getByRole('dialog').waitFor();
  await page.clock.runFor(1000);
}

/** Opens My Applications with a script that is broken or does not arrive. */
export function openBrokenScreen(script: string | undefined) {
  return async (page: Page): Promise<void> => {
    await page.route('**/assets/my-applications-page-*.js', (route) =>
      script === undefined ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: script }),
    );
    await page.goto(new URL('/invoices/applications', page.url()).href);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  };
}

export function askForCode(username: string) {
  return async (page: Page): Promise<void> => {
    // The server would refuse a second request within a minute.
    if (username !== 'nobody') await answered('/reset_password/request', rightCode)(page);
    await page.getByRole('textbox').first().fill(username);
    await button('Change Password')(page);
  };
}

/** Asks for a reset code soon after another device did. */
export async function askAgainElsewhere(page: Page): Promise<void> {
  const msg = 'We just sent you a code. Try again in 42 seconds';
  await answered('/reset_password/request', refused(429, 'CODE_COOLDOWN', msg))(page);
  await page.getByRole('textbox').first().fill('0788000001');
  await button('Change Password')(page);
}

export async function openUpload(page: Page): Promise<void> {
  await link('NT-2026-040')(page);
  await button('Upload Proof of delivery or completed work')(page);
}

/** Chooses a large photo in the upload dialog. */
export async function choosePhoto(page: Page): Promise<void> {
  await openUpload(page);
  const photo = { name: 'IMG_2041.jpeg', mimeType: 'image/jpeg', buffer: await invoicePhoto() };
  await page.locator('input[type=file]').setInputFiles(photo);
  await seen(/^Made smaller/)(page);
}

export function scrollToDocuments(page: Page): Promise<void> {
  return page.getByRole('heading', { name: 'Supporting Documents' }).scrollIntoViewIfNeeded();
}

/** Makes the display as short as a desktop's at 200 %. */
export function turnShort(page: Page): Promise<void> {
  const narrow = (page.viewportSize()?.width ?? 0) < 500;
  return page.setViewportSize(narrow ? { width: 360, height: 420 } : { width: 683, height: 384 });
}

export async function openConfirmation(page: Page): Promise<void> {
  await link('NT-2026-039')(page);
  await button('Submit Application')(page);
}
