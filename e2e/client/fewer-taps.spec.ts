import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScrolling } from '#e2e/support/accessible.ts';
import { MANDATORY, newDraft } from '#e2e/support/arrange.ts';
import { expect, logIn, PHONE, signIn, test } from '#e2e/support/fixtures.ts';
import { pdfOf } from '#e2e/support/large-documents.ts';
import { picture } from '#e2e/support/pictures.ts';
import { PHOTO } from '#e2e/support/sample-files.ts';

/** Documents are uploaded in their rows, without a dialog. */

const CLIENT = '0700000001';

const row = (page: Page, type: string) =>
  page.getByRole('region', { name: 'Supporting Documents' }).getByRole('row').filter({ hasText: type });

async function openDraft(page: Page): Promise<void> {
  await signIn(page, CLIENT);
  const { tag } = await newDraft(page);
  await page.goto(`/invoice-discounting-application/${tag}`);
  await expect(page.getByRole('button', { name: 'Choose file: Invoice copy' })).toBeEnabled();
}

async function chooseFiles(page: Page, type: string, files: Parameters<Page['setInputFiles']>[1]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: `Choose file: ${type}` }).click();
  await (await choosing).setFiles(files);
}

const pdf = (name: string, size = 20_000) => ({ name, mimeType: 'application/pdf', buffer: pdfOf(size) });

test('a file chosen in a row is sent at once, shows its progress, and can be cancelled and chosen again', async ({
  page,
}) => {
  await openDraft(page);
  await picture(page, 'draft-documents-empty');
  // The upload is sent and never answered.
  await page.route('**/files/uploads/*/parts/1', () => undefined);
  const asked = page.waitForRequest('**/files/uploads/*/parts/1');
  await chooseFiles(page, 'Bank statement', pdf('statement.pdf', 700_000));
  await asked;
  const bank = row(page, 'Bank statement');
  await expect(bank.getByRole('progressbar', { name: 'Upload' })).toHaveAttribute('aria-valuenow', /^[1-9]\d*$/);
  await expect(bank.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page, 'draft-documents-uploading');
  await picture(page, 'draft-documents-uploading');
  const forgotten = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await bank.getByRole('button', { name: 'Cancel' }).click();
  expect((await forgotten).status()).toBe(200);
  await expect(page.getByRole('button', { name: 'Choose file: Bank statement' })).toBeFocused();
  await expect(page.getByText('Document not saved.')).toHaveCount(0);

  await page.unroute('**/files/uploads/*/parts/1');
  await chooseFiles(page, 'Bank statement', pdf('statement.pdf', 700_000));
  await expect(page.getByText('Bank statement was uploaded successfully')).toBeVisible();
  await expect(bank.getByRole('link', { name: 'Uploaded: Bank statement' })).toBeVisible();
  await expect(bank).toContainText('statement.pdf');
  await expect(page.getByRole('button', { name: 'Options for Bank statement' })).toBeFocused();
});

test('a refused file says why in its row, which takes another one', async ({ page }) => {
  await openDraft(page);
  await chooseFiles(page, 'Invoice copy', { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') });
  const text = 'Document not saved. Make sure it is a picture of the document or a pdf';
  await expect(page.getByText(text)).toHaveCount(2);
  await expect(row(page, 'Invoice copy').getByRole('alert')).toBeVisible();
  await picture(page, 'draft-documents-refused');
  await chooseFiles(page, 'Invoice copy', PHOTO);
  await expect(page.getByText('Invoice copy was uploaded successfully')).toBeVisible();
  await expect(row(page, 'Invoice copy').getByRole('alert')).toHaveCount(0);
});

test('many files go to the rows that miss one, in order', async ({ page }) => {
  await openDraft(page);
  await chooseFiles(page, 'Proof of delivery', PHOTO);
  await expect(page.getByRole('link', { name: /^Uploaded: Proof of delivery/ })).toBeVisible();
  await chooseFiles(page, 'Invoice copy', [
    pdf('invoice.pdf'),
    pdf('contract.pdf'),
    pdf('bank.pdf'),
    pdf('tax.pdf'),
    pdf('other.pdf'),
    pdf('left.pdf'),
  ]);
  for (const [type, name] of [
    ['Invoice copy', 'invoice.pdf'],
    ['Contract or purchase order', 'contract.pdf'],
    ['Bank statement', 'bank.pdf'],
    ['Tax invoice', 'tax.pdf'],
    ['Other', 'other.pdf'],
  ] as const)
    await expect(row(page, type)).toContainText(name);
  await expect(page.getByText('1 file not uploaded: each line takes one file')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit Application' })).toBeEnabled();
});

test.describe('on a phone', () => {
  test.use({ viewport: PHONE, hasTouch: true, isMobile: true });

  test('a row takes a photo, shows it, and takes it again', async ({ page }) => {
    await openDraft(page);
    await picture(page, 'draft-documents-touch');
    await expectAccessible(page, 'draft-documents-touch');
    await page.setViewportSize({ width: 320, height: 740 });
    await expectNoSidewaysScrolling(page, 'the rows of documents');
    await page.setViewportSize(PHONE);
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Take photo: Invoice copy' }).click();
    const chooser = await choosing;
    expect(await chooser.element().getAttribute('capture')).toBe('environment');
    await chooser.setFiles(PHOTO);
    const invoice = row(page, 'Invoice copy');
    await expect(invoice.getByRole('img', { name: 'The chosen file' })).toBeVisible();
    await expect(invoice).toContainText('photo.png');
    await picture(page, 'draft-documents-photo');
    const again = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Retake: Invoice copy' }).click();
    await (await again).setFiles(PHOTO);
    await expect(page.getByText('Invoice copy was uploaded successfully').last()).toBeVisible();
  });
});

test('beside Submit is how much is done from the start; it only goes up, and leads to the next field', async ({
  page,
}) => {
  await logIn(page, CLIENT);
  await page.getByRole('link', { name: 'Apply Now' }).click();
  const panel = page.getByRole('region', { name: 'Submit' });
  await expect(panel).toContainText('1 of 10 done. Next:');
  await picture(page, 'draft-count-new');
  await panel.getByRole('button', { name: 'Invoice number' }).click();
  await expect(page.getByLabel('Invoice number')).toBeFocused();
  await page.getByLabel('Invoice number').fill(`COUNT-${Date.now()}`);
  await expect(panel).toContainText('2 of 10 done. Next:');
  await page.goto('/home');
  const { tag } = await newDraft(page);
  await page.goto(`/invoice-discounting-application/${tag}`);
  await expect(panel).toContainText('7 of 10 done. Next:');
  await picture(page, 'draft-count-documents');
  await panel.getByRole('button', { name: 'Invoice copy' }).click();
  await expect(page.getByRole('button', { name: 'Choose file: Invoice copy' })).toBeFocused();
  await chooseFiles(page, 'Invoice copy', [pdf('a.pdf'), pdf('b.pdf'), pdf('c.pdf')]);
  await expect(page.getByRole('button', { name: 'Submit Application' })).toBeEnabled();
  await expect(panel).not.toContainText('done');
  expect(MANDATORY).toHaveLength(3);
});
