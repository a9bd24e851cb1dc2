import { newDraft, newSubmission, uploadTo } from '#e2e/support/arrange.ts';
import { askClient } from '#e2e/support/desk.ts';
import { expect, logIn, signIn, test } from '#e2e/support/fixtures.ts';
import { answerInstead, hold } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';
import { PHOTO } from '#e2e/support/sample-files.ts';

/** Document dialogs on a slow connection, and when the server refuses: nothing ends silently. */

const CLIENT = '0700000002';
const SUBMITTED = {
  success: false,
  code: 'NOT_EDITABLE',
  msg: 'This application has been submitted and can no longer be changed',
} as const;

test('uploading a requested document waits for the list of documents, and leads back to the answer', async ({
  page,
}) => {
  await signIn(page, CLIENT);
  const application = await newSubmission(page);
  await askClient(page, application, ['Bank statement']);
  const letGo = await hold(page, `**/api/v1/invoices/documents/${application.tag}`);
  await page.goto(`/invoice-discounting-application/${application.tag}`);
  const opener = page.getByRole('list', { name: 'Documents asked for' }).getByRole('button');
  const dialog = page.getByRole('dialog', { name: 'Upload Bank statement' });
  await opener.click();
  await expect(dialog.getByText('Loading the documents…')).toBeVisible();
  letGo();
  await expect(dialog.getByRole('button', { name: 'Choose File' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  // Opened from the table, it returns the focus there.
  const inTable = page.getByRole('table').getByLabel('Upload Bank statement', { exact: true });
  await inTable.click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(inTable).toBeFocused();
});

test('the documents of an invoice are never shown as missing before they have loaded', async ({ page }) => {
  await logIn(page, CLIENT);
  const draft = await newDraft(page);
  await uploadTo(page, draft, 'Invoice copy');
  // A new application lists every type of document with nothing uploaded.
  await page.getByRole('link', { name: 'Apply Now' }).click();
  const documents = page.getByRole('region', { name: 'Supporting Documents' });
  await expect(documents.getByText('Invoice copy')).toBeVisible();
  const release = await hold(page, `**/api/v1/invoices/documents/${draft.tag}`);
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await page.getByLabel('Search applications').fill(draft.number);
  await page.getByRole('link', { name: draft.number, exact: true }).click();
  await expect(page.getByLabel('Invoice number')).toHaveValue(draft.number);
  await expect(documents.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await picture(page, 'draft-documents-loading');
  await expect(documents.getByText('Required')).toHaveCount(0);
  release();
  await expect(documents.getByRole('link', { name: 'Uploaded: Invoice copy' })).toBeVisible();
});

test('a requested document can be uploaded after the documents failed to load', async ({ page }) => {
  await signIn(page, CLIENT);
  const application = await newSubmission(page);
  await askClient(page, application, ['Bank statement']);
  const path = `invoices/documents/${application.tag}`;
  const answerAgain = await answerInstead(page, path, 500, { success: false, code: 'INTERNAL', msg: 'It broke' });
  await page.goto(`/invoice-discounting-application/${application.tag}`);
  await page.getByRole('list', { name: 'Documents asked for' }).getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'Upload Bank statement' });
  await expect(dialog.getByRole('alert')).toContainText('It broke');
  await answerAgain();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.locator('input[type=file]').setInputFiles(PHOTO);
  await dialog.getByRole('button', { name: 'Upload Document' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Replace Bank statement' })).toBeFocused();
});

test('a request withdrawn while a file is being chosen says so, and the focus moves to the heading', async ({
  page,
}) => {
  await signIn(page, CLIENT);
  const application = await newSubmission(page);
  await askClient(page, application, ['Bank statement']);
  await page.goto(`/invoice-discounting-application/${application.tag}`);
  await page.getByRole('list', { name: 'Documents asked for' }).getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'Upload Bank statement' });
  await dialog.locator('input[type=file]').setInputFiles(PHOTO);
  await answerInstead(page, 'files/uploads', 409, SUBMITTED);
  await dialog.getByRole('button', { name: 'Upload Document' }).click();
  await expect(page.getByText(SUBMITTED.msg)).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('an upload to or a deletion from a draft that comes too late says why', async ({ page }) => {
  await signIn(page, CLIENT);
  const draft = await newDraft(page);
  await uploadTo(page, draft, 'Invoice copy');
  await page.goto(`/invoice-discounting-application/${draft.tag}`);
  await answerInstead(page, 'files/uploads', 409, SUBMITTED);
  await page.getByRole('button', { name: 'Upload Bank statement' }).click();
  const upload = page.getByRole('dialog', { name: 'Upload Bank statement' });
  await upload.locator('input[type=file]').setInputFiles(PHOTO);
  await upload.getByRole('button', { name: 'Upload Document' }).click();
  await expect(page.getByText(SUBMITTED.msg)).toBeVisible();
  await expect(upload).toBeHidden();

  await page.route('**/api/v1/files/*', (route) =>
    route.fulfill({ status: 404, json: { success: false, code: 'NOT_FOUND', msg: 'Not found' } }),
  );
  // The list reloads after a refusal, which closes a menu opened too soon.
  await expect(async () => {
    await page.getByRole('button', { name: 'Options for Invoice copy' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click({ timeout: 1000 });
  }).toPass();
  const remove = page.getByRole('dialog', { name: 'Delete Invoice copy?' });
  await remove.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Not found', { exact: true })).toBeVisible();
  await expect(remove).toBeHidden();
});

test('the question whether to delete a document stays open until the outcome is known', async ({ page }) => {
  await signIn(page, CLIENT);
  const draft = await newDraft(page);
  await uploadTo(page, draft, 'Invoice copy');
  await page.goto(`/invoice-discounting-application/${draft.tag}`);
  const letGo = await hold(page, '**/api/v1/files/*', 'DELETE');
  await page.getByRole('button', { name: 'Options for Invoice copy' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Invoice copy?' });
  const asked = page.waitForRequest((request) => request.method() === 'DELETE');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await asked;
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeDisabled();
  await picture(page, 'draft-delete-document');
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();
  letGo();
  await expect(page.getByText('Invoice copy was deleted')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Upload Invoice copy' })).toBeFocused();
});

test('a picture that does not load shows that to the officer, and can be loaded again', async ({ page }) => {
  await signIn(page, CLIENT);
  const { tag } = await newSubmission(page);
  await signIn(page, 'staff@kasente.test');
  const pictures = '**/api/v1/files/view/*';
  await page.route(pictures, (route) => route.abort());
  await page.goto(`/desk/${tag}`);
  const viewer = page.getByRole('region', { name: 'Documents' });
  await expect(viewer.getByRole('alert')).toContainText('The picture did not load');
  await picture(page, 'desk-case-picture-failed');
  await page.unroute(pictures);
  await viewer.getByRole('button', { name: 'Try again' }).click();
  const photo = viewer.getByRole('img', { name: 'Invoice copy' });
  await expect(photo).toBeVisible();
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expect(viewer.getByRole('alert')).toHaveCount(0);
});
