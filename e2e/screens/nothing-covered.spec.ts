import type { Page } from '@playwright/test';
import { openNew } from '#e2e/support/arrange.ts';
import { DESK, expect, logIn, PHONE, test } from '#e2e/support/fixtures.ts';
import { fillInvoice } from '#e2e/support/forms.ts';
import { invoicePhoto } from '#e2e/support/large-documents.ts';

/** Floating, sticky and pop-up parts of the application screen leave everything else readable and pressable. */

/** Logs in and opens a draft without a reload. */
async function openDraft(page: Page): Promise<void> {
  await openNew(page, '0700000001');
  await expect(page.getByLabel('Amount applied for')).toHaveValue('900,000.00');
  await expect(page.getByRole('button', { name: 'Upload Other' })).toBeVisible();
}

/** The names of fields and buttons that are covered when each is scrolled to. */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('main :is(a, button, input:not([type=hidden]))')];
    const shown = all.filter((element) => element.getClientRects().length > 0);
    return shown.flatMap((element) => {
      element.scrollIntoView({ block: 'center' });
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const inset = 4;
      const points = [
        [(left + right) / 2, (top + bottom) / 2],
        [left + inset, top + inset],
        [right - inset, top + inset],
        [left + inset, bottom - inset],
        [right - inset, bottom - inset],
      ] as const;
      const own = element.closest('.mantine-Input-wrapper') ?? element;
      const isCovered = points.some(([x, y]) => {
        const seen = document.elementFromPoint(x, y);
        return seen === null || !(own.contains(seen) || seen.contains(element));
      });
      return isCovered ? [element.ariaLabel ?? element.textContent ?? element.id] : [];
    });
  });
}

/** Everything readable or usable that a toast covers. */
function underToasts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const toasts = [...document.querySelectorAll('.mantine-Notification-root')].map((toast) =>
      toast.getBoundingClientRect(),
    );
    const all = [...document.querySelectorAll<HTMLElement>('#root :is(a, button, input, output, dd, strong, h1)')];
    return all
      .filter((element) => {
        const box = element.getBoundingClientRect();
        return toasts.some(
          ({ top, bottom, left, right }) =>
            box.height > 1 && box.top < bottom && box.bottom > top && box.left < right && box.right > left,
        );
      })
      .map((element) => element.ariaLabel ?? element.textContent ?? element.id);
  });
}

test('the floating menu and the bars cover no field or button, on a phone or on a desktop', async ({ page }) => {
  await openDraft(page);
  for (const viewport of [PHONE, DESK]) {
    await page.setViewportSize(viewport);
    await expect(page.getByRole('button', { name: 'Applications menu' })).toBeVisible();
    expect(await covered(page), `${viewport.width} px`).toEqual([]);
  }
});

test('on a desktop the amount received, the missing parts and Submit stay beside the forms', async ({ page }) => {
  await page.setViewportSize(DESK);
  await openDraft(page);
  const panel = page.getByRole('region', { name: 'Submit' });
  for (const seen of [page.getByLabel('Amount applied for'), page.getByRole('button', { name: 'Upload Other' })]) {
    await seen.scrollIntoViewIfNeeded();
    await expect(panel.getByRole('status', { name: 'You receive' })).toBeInViewport();
    await expect(panel.getByRole('button', { name: 'Submit Application' })).toBeInViewport({ ratio: 1 });
    await expect(panel.getByRole('button', { name: 'Invoice copy' })).toBeInViewport({ ratio: 1 });
  }
});

test('on a phone the page makes room for a toast, and an event shows only one', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await openDraft(page);
  await page.getByLabel('Amount applied for').fill('700000');
  await expect(page.getByText('Your Application was saved successfully. You can edit or submit.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(1);
  await expect.poll(() => underToasts(page)).toEqual([]);
  await expect(page.getByRole('button', { name: 'Submit Application' })).toBeInViewport({ ratio: 1 });
  // The toast disappears by itself, and the page moves back.
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect.poll(() => page.locator('#root').evaluate((root) => getComputedStyle(root).translate)).toBe('none');
});

test('sticky parts take at most a quarter of the height on short screens and at 200 %', async ({ page }) => {
  await openDraft(page);
  for (const [width, height] of [
    [683, 384],
    [640, 360],
    [360, 420],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    const taken = () =>
      page.evaluate(() => {
        window.scrollTo(0, document.documentElement.scrollHeight / 2);
        const bars = [...document.querySelectorAll('#root *')].filter((element) => {
          const { position } = getComputedStyle(element);
          const { width: wide, top, bottom } = element.getBoundingClientRect();
          const isInView = bottom > 0 && top < innerHeight;
          return (position === 'sticky' || position === 'fixed') && isInView && wide > innerWidth / 2;
        });
        return bars.reduce((sum, bar) => sum + bar.getBoundingClientRect().height, 0);
      });
    await expect.poll(taken, { message: `${width} x ${height}` }).toBeLessThanOrEqual(height / 4);
  }
});

test('the documents are listed from the start, and wait for the invoice', async ({ page }) => {
  await logIn(page, '0700000001');
  await page.getByRole('link', { name: 'Apply', exact: true }).click();
  const documents = page.getByRole('region', { name: 'Supporting Documents' });
  await expect(documents.getByText('Required')).toHaveCount(3);
  await expect(documents.getByText('Optional')).toHaveCount(3);
  await expect(documents.getByRole('button', { name: 'Choose file: Invoice copy' })).toBeDisabled();
  await fillInvoice(page, `LIST-${Date.now()}`);
  await documents.getByRole('button', { name: 'Upload Invoice copy' }).click();
  await expect(page.getByRole('dialog', { name: 'Upload Invoice copy' })).toBeVisible();
});

test('a photo chosen offline is made smaller, too', async ({ page, context }) => {
  const fetched = page.waitForResponse(/photo-shrinking\.worker/);
  await openDraft(page);
  await (await fetched).finished();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Upload Bank statement' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload Bank statement' });
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'IMG_2041.jpeg', mimeType: 'image/jpeg', buffer: await invoicePhoto() });
  await expect(dialog.getByText(/^Made smaller: \d+ KB instead of \d\.\d MB$/)).toBeVisible();
  await dialog.getByRole('button', { name: /^Send the original/ }).click();
  await expect(dialog.getByText(/^Original: \d\.\d MB instead of \d+ KB$/)).toBeVisible();
});
