import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { newDraft } from '#e2e/support/arrange.ts';
import { get } from '#e2e/support/calls.ts';
import { expect, signIn, test } from '#e2e/support/fixtures.ts';
import { invoicePhoto, pdfOf } from '#e2e/support/large-documents.ts';
import { answerInstead, sentTo } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';

/**
 * Large documents on a bad connection: photos are made smaller, and uploads resume where they broke off
 * (docs/decisions/0025).
 */

const CLIENT = '0700000001';
const SMALL_ENOUGH = 400_000;
/** The server reads 12 megapixels at a low priority, and a busy machine has little time for it. */
const LARGE_PHOTO_MS = 120_000;

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Upload Bank statement' });

async function openUpload(page: Page): Promise<string> {
  await signIn(page, CLIENT);
  const { tag } = await newDraft(page);
  await page.goto(`/invoice-discounting-application/${tag}`);
  // By then nothing above the documents moves under the pointer any more.
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Upload Bank statement' }).click();
  return tag;
}

async function choose(page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> {
  await dialog(page).locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
}

const upload = (page: Page) => dialog(page).getByRole('button', { name: 'Upload Document' }).click();

async function replace(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Options for Bank statement' }).click();
  await page.getByRole('menuitem', { name: 'Replace' }).click();
}

interface Stored {
  readonly type: string;
  readonly documentTag?: string;
  readonly fileName?: string;
}

/** The stored document as people with access get it. */
async function storedDocument(page: Page, invoiceTag: string): Promise<{ content: Buffer; fileName: string }> {
  const documents = await get<Stored[]>(page, `invoices/documents/${invoiceTag}`);
  const { documentTag, fileName = '' } = documents.find(({ type }) => type === 'Bank statement') ?? {};
  const viewed = await page.request.get(`/api/v1/files/view/${documentTag}`);
  expect(viewed.status()).toBe(200);
  return { content: await viewed.body(), fileName };
}

/** The digest of the next file that the browser sends; the server keeps no file with another digest. */
async function nextDigest(page: Page): Promise<string> {
  const begun = await page.waitForRequest((request) => request.url().endsWith('/files/uploads'));
  return begun.postDataJSON().sha256;
}

/** Expects that a PDF was sent unchanged, and that the server, which rewrites PDFs, stores a PDF. */
async function expectUntouched(page: Page, invoiceTag: string, pdf: Buffer, digest: Promise<string>): Promise<void> {
  expect(await digest).toBe(createHash('sha256').update(pdf).digest('hex'));
  expect((await storedDocument(page, invoiceTag)).content.subarray(0, 5).toString()).toBe('%PDF-');
}

/** The numbers of the parts that the browser sends from now on, and the size of their file. */
function watchParts(page: Page): { numbers: number[]; size: number } {
  const seen = { numbers: [] as number[], size: 0 };
  page.on('request', (request) => {
    const part = /\/files\/uploads\/[\da-f-]{36}\/parts\/(\d+)$/.exec(request.url())?.[1];
    if (part !== undefined) seen.numbers.push(Number(part));
    // The server accepts no parts of any other size, and no file with another digest.
    if (request.url().endsWith('/files/uploads')) seen.size = request.postDataJSON().size;
  });
  return seen;
}

test('a photo of 3 MB is sent as at most 400 kB, upright, legible, and without metadata', async ({ page }, info) => {
  const photo = await invoicePhoto();
  expect(photo.length).toBeGreaterThan(3_000_000);
  const tag = await openUpload(page);
  const sent = watchParts(page);
  await choose(page, 'IMG_2041.jpeg', 'image/jpeg', photo);
  await expect(dialog(page).getByText(/^Made smaller: \d+ KB instead of \d\.\d MB$/)).toBeVisible();
  await picture(page, 'upload-made-smaller');
  await expect(dialog(page).getByText('IMG_2041.jpeg')).toBeVisible();
  await upload(page);
  await expect(dialog(page)).toBeHidden();
  expect(sent.size).toBeLessThanOrEqual(SMALL_ENOUGH);
  expect(sent.numbers).toEqual([0, 1]);

  const { content, fileName } = await storedDocument(page, tag);
  await writeFile(info.outputPath('stored.jpg'), content);
  expect(fileName).toBe('IMG_2041.jpg');
  const stored = await sharp(content).metadata();
  // The camera was held sideways and recorded that, so the page is upright.
  expect(stored.height).toBeGreaterThan(stored.width ?? 0);
  expect(Math.max(stored.width ?? 0, stored.height ?? 0)).toBeGreaterThanOrEqual(1600);
  expect([stored.exif, stored.orientation, stored.icc]).toEqual([undefined, undefined, undefined]);
});

test('a photo of 3 MB is sent unchanged if the person chooses that', async ({ page }) => {
  const photo = await invoicePhoto();
  await openUpload(page);
  const sent = watchParts(page);
  await choose(page, 'photo.jpg', 'image/jpeg', photo);
  await dialog(page)
    .getByRole('button', { name: /^Send the original \(\d\.\d MB\)$/ })
    .click();
  await upload(page);
  await expect(dialog(page)).toBeHidden({ timeout: LARGE_PHOTO_MS });
  expect(sent.size).toBe(photo.length);
});

test('files that are not decodable pictures, and all PDFs, are sent unchanged', async ({ page }) => {
  const tag = await openUpload(page);
  const pdf = pdfOf(900_000);
  await choose(page, 'statement.pdf', 'application/pdf', pdf);
  await expect(dialog(page).getByText('879 KB')).toBeVisible();
  await expect(dialog(page).getByRole('button', { name: /original/ })).toHaveCount(0);
  const digest = nextDigest(page);
  await upload(page);
  await expect(dialog(page)).toBeHidden();
  await expectUntouched(page, tag, pdf, digest);

  // Named a JPEG but not one: the server checks it and says so.
  await replace(page);
  const sent = watchParts(page);
  await choose(page, 'heic.jpg', 'image/jpeg', Buffer.alloc(600_000, 'ftypheic'));
  await upload(page);
  await expect(page.getByText('Document not saved. Make sure it is a picture of the document or a pdf')).toBeVisible();
  expect(sent).toEqual({ numbers: [0, 1, 2], size: 600_000 });
});

test('an upload waits while the connection is lost, and only missing parts are sent again', async ({
  page,
  context,
}) => {
  const pdf = pdfOf(1_800_000);
  const tag = await openUpload(page);
  await choose(page, 'contract.pdf', 'application/pdf', pdf);
  const sent = watchParts(page);
  // The connection breaks in the middle of the fourth part, whose reply is lost.
  await page.route(
    '**/files/uploads/*/parts/3',
    async (route) => {
      await route.fetch();
      await context.setOffline(true);
      await route.abort();
    },
    { times: 1 },
  );
  const digest = nextDigest(page);
  await upload(page);
  await expect(dialog(page).getByText(/^No connection\. \d+% is sent/)).toBeVisible();
  await expect(page.getByText('Document not saved.')).toHaveCount(0);
  await context.setOffline(false);
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByText('Bank statement was uploaded successfully')).toBeVisible();
  expect(sent.numbers).toEqual([0, 1, 2, 3, 3, 4, 5, 6]);
  await expectUntouched(page, tag, pdf, digest);
});

test('an upload continues after a reload where it stopped', async ({ page }) => {
  const pdf = pdfOf(1_300_000);
  const tag = await openUpload(page);
  await choose(page, 'contract.pdf', 'application/pdf', pdf);
  const held = page.waitForRequest('**/files/uploads/*/parts/2');
  await page.route('**/files/uploads/*/parts/2', () => undefined);
  const digest = nextDigest(page);
  await upload(page);
  await held;
  await page.reload();
  await page.unroute('**/files/uploads/*/parts/2');
  await page.getByRole('button', { name: 'Upload Bank statement' }).click();
  const sent = watchParts(page);
  await choose(page, 'contract.pdf', 'application/pdf', pdf);
  await upload(page);
  await expect(dialog(page)).toBeHidden();
  expect(sent.numbers).toEqual([2, 3, 4]);
  await expectUntouched(page, tag, pdf, digest);
});

test('finishing an upload is repeated if its reply was lost, and makes one document', async ({ page }) => {
  const tag = await openUpload(page);
  const pdf = pdfOf(300_000);
  await choose(page, 'contract.pdf', 'application/pdf', pdf);
  const tags: string[] = [];
  await page.route('**/files/uploads/*/finish', async (route) => {
    const response = await route.fetch();
    tags.push((await response.json()).data.tag);
    if (tags.length === 1) await route.abort();
    else await route.fulfill({ response });
  });
  const digest = nextDigest(page);
  await upload(page);
  await expect(dialog(page)).toBeHidden();
  expect(tags).toHaveLength(2);
  expect(tags[1]).toBe(tags[0]);
  await expectUntouched(page, tag, pdf, digest);
});

test('a cancelled upload is deleted on the server, too', async ({ page }) => {
  await openUpload(page);
  await choose(page, 'contract.pdf', 'application/pdf', pdfOf(700_000));
  const asked = page.waitForRequest('**/files/uploads/*/parts/1');
  await page.route('**/files/uploads/*/parts/1', () => undefined);
  await upload(page);
  await asked;
  const forgotten = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  expect((await forgotten).status()).toBe(200);
  await expect(dialog(page).getByRole('button', { name: 'Upload Document' })).toBeFocused();
  await expect(page.getByText('Document not saved.')).toHaveCount(0);
});

test('a file stays chosen while there is no space for it, and is sent once there is', async ({ page }) => {
  await openUpload(page);
  await choose(page, 'receipt.pdf', 'application/pdf', pdfOf(20_000));
  const sent = watchParts(page);
  const msg = 'Your business has no space left for this document. Delete drafts you do not need, or call us';
  const makeRoom = await answerInstead(page, 'files/uploads', 409, { success: false, code: 'STORAGE_QUOTA', msg });
  const inOneRequest = sentTo(page, 'files/upload');
  await upload(page);
  await expect(dialog(page).getByRole('alert')).toHaveText(msg);
  await expect(dialog(page).getByText('receipt.pdf')).toBeVisible();
  await picture(page, 'upload-no-space');
  expect([sent.numbers, inOneRequest]).toEqual([[], []]);
  await makeRoom();
  await upload(page);
  await expect(dialog(page)).toBeHidden();
  expect(sent.numbers).toEqual([0]);
});
