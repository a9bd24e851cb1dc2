import type { Page } from '@playwright/test';
import { type Draft, newReadyDraft, uploadTo } from '#e2e/support/arrange.ts';
import { post } from '#e2e/support/calls.ts';
import { expect, PHONE, signIn, test } from '#e2e/support/fixtures.ts';
import { picture } from '#e2e/support/pictures.ts';
import { pdfWithPages } from '#e2e/support/sample-files.ts';

/** A PDF among the documents of a case: Kasente shows it itself, in a browser without its own viewer. */

test.use({ world: 'pdf viewer' });
test.describe.configure({ mode: 'default' });

const CLIENT = '0700000002';
const OFFICER = 'staff@kasente.test';

const documents = (page: Page) => page.getByRole('region', { name: 'Documents' });
const press = (page: Page, name: string) => documents(page).getByRole('button', { name, exact: true }).click();
const shownPage = (page: Page, place: string) => documents(page).getByRole('img', { name: `Bank statement, ${place}` });

/** A submission whose last document is a PDF of two pages. */
async function submissionWithPdf(page: Page): Promise<Draft> {
  await signIn(page, CLIENT);
  const draft = await newReadyDraft(page);
  const buffer = await pdfWithPages('Opening balance', 'Closing balance');
  await uploadTo(page, draft, 'Bank statement', { name: 'statement.pdf', mimeType: 'application/pdf', buffer });
  await post(page, `applications/${draft.tag}/submit`);
  return draft;
}

/** The case, as an officer sees it. */
async function openCase(page: Page, { tag }: Draft): Promise<void> {
  await signIn(page, OFFICER, `/desk/${tag}`);
  await expect(documents(page).getByRole('heading', { name: 'Invoice copy' })).toBeVisible();
}

/** The share of the page's picture that is not white. */
function inkOf(page: Page): Promise<number> {
  return documents(page)
    .locator('canvas')
    .evaluate(async (canvas: HTMLCanvasElement) => {
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
      if (copy === null) return 0;
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, index) => index % 4 === 0 && value < 128).length;
    });
}

test('the pointer turns pages, zooms and copies text', async ({ page }) => {
  const submission = await submissionWithPdf(page);
  await openCase(page, submission);
  for (let next = 0; next < 3; next += 1) await press(page, 'Next document');
  await expect(shownPage(page, 'page 1 of 2')).toBeVisible();
  await expect(documents(page).getByText('Page 1 of 2')).toBeVisible();
  await expect(documents(page).getByText('Opening balance', { exact: true })).toBeVisible();
  await picture(page, 'desk-case-pdf');
  expect(await inkOf(page)).toBeGreaterThan(500);
  await press(page, 'Next page');
  await expect(shownPage(page, 'page 2 of 2')).toBeVisible();
  await expect(documents(page).getByText('Closing balance', { exact: true })).toBeVisible();
  await expect(documents(page).getByRole('button', { name: 'Next page' })).toBeDisabled();
  const width = async () => (await documents(page).locator('canvas').boundingBox())?.width ?? 0;
  const fitting = await width();
  await press(page, 'Larger');
  await expect.poll(width).toBeCloseTo(fitting * 1.5, -1);
  await press(page, 'Fit to width, now 150%');
  await expect.poll(width).toBeCloseTo(fitting, -1);
  await press(page, 'Previous document');
  await expect(documents(page).getByText('Page 2 of 2')).toHaveCount(0);
});

test('the keyboard opens the next document, turns its pages and zooms', async ({ page }) => {
  await openCase(page, await submissionWithPdf(page));
  for (let next = 0; next < 3; next += 1) await page.keyboard.press('n');
  await expect(shownPage(page, 'page 1 of 2')).toBeVisible();
  await page.keyboard.press('j');
  await expect(shownPage(page, 'page 2 of 2')).toBeVisible();
  await page.keyboard.press('k');
  await expect(shownPage(page, 'page 1 of 2')).toBeVisible();
  await page.keyboard.press('=');
  await expect(documents(page).getByText('150%')).toBeVisible();
  await page.keyboard.press('0');
  await expect(documents(page).getByText('100%')).toBeVisible();
  await page.keyboard.press('p');
  await expect(shownPage(page, 'page 1 of 2')).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: PHONE, hasTouch: true });

  test('a PDF is shown in the page, and its pages turn by touch', async ({ page }) => {
    await openCase(page, await submissionWithPdf(page));
    for (let next = 0; next < 3; next += 1) await press(page, 'Next document');
    await expect(shownPage(page, 'page 1 of 2')).toBeVisible();
    await press(page, 'Next page');
    await expect(shownPage(page, 'page 2 of 2')).toBeVisible();
    expect(await inkOf(page)).toBeGreaterThan(500);
  });
});

test('a broken PDF says so and can be opened in a tab; one that did not load can be loaded again', async ({ page }) => {
  const submission = await submissionWithPdf(page);
  await openCase(page, submission);
  let body: Buffer | undefined = Buffer.from('%PDF-1.7\nno page is in it\n%%EOF');
  await page.route('**/api/v1/files/view/*', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue();
    return body === undefined ? route.abort() : route.fulfill({ headers: { 'content-type': 'application/pdf' }, body });
  });
  for (let next = 0; next < 3; next += 1) await press(page, 'Next document');
  await expect(documents(page).getByText('This document can’t be shown here.')).toBeVisible();
  await picture(page, 'desk-case-pdf-broken');
  await expect(documents(page).getByRole('link', { name: 'Open Bank statement', exact: true })).toHaveAttribute(
    'href',
    /\/files\/view\//,
  );
  await press(page, 'Previous document');
  body = undefined;
  await press(page, 'Next document');
  await expect(documents(page).getByText('The document did not load')).toBeVisible();
  await page.unroute('**/api/v1/files/view/*');
  await press(page, 'Try again');
  await expect(shownPage(page, 'page 1 of 2')).toBeVisible();
});
