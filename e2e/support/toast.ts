import type { Locator, Page } from '@playwright/test';
import { holdTheClock } from './clock.ts';
import { expect } from './fixtures.ts';

/** Toasts (docs/specification-coverage.md, 8 and 9): words, colour, place and duration, to a tenth of a second. */

interface ExpectedToast {
  readonly title?: string;
  readonly text: string;
  readonly color: 'red' | 'green';
  readonly place: 'top-right' | 'bottom-right';
  /** Milliseconds. */
  readonly lasts: number | 'until closed';
}

const STEP_MS = 10;
const TOLERANCE_MS = 100;
const TRANSITION_MS = 250;
const A_LONG_WHILE_MS = 60_000;

/** Every toast in one place. */
export function toastsAt(page: Page, place: ExpectedToast['place'] | 'top-center'): Locator {
  return page.locator(`.mantine-Notifications-root[data-position="${place}"]`).getByRole('alert');
}

/** Performs an action with the clock held, and expects it to show exactly this toast for exactly its duration. */
export async function expectToast(page: Page, act: () => Promise<unknown>, expected: ExpectedToast): Promise<void> {
  await holdTheClock(page);
  await act();
  const toast = toastsAt(page, expected.place).filter({ hasText: expected.text });
  const stepped = async (): Promise<number> => {
    await page.clock.runFor(STEP_MS);
    return toast.count();
  };
  await expect.poll(stepped, { intervals: [STEP_MS], message: expected.text }).toBe(1);
  await expectLook(toast, expected);
  await expectTime(page, toast, expected.lasts);
  await page.clock.resume();
}

async function expectLook(toast: Locator, { title, text, color, place }: ExpectedToast): Promise<void> {
  const parts = toast.locator('.mantine-Notification-title, .mantine-Notification-description');
  await expect(parts).toHaveText(title === undefined ? [text] : [title, text]);
  const painted = await toast.evaluate((element) => element.style.getPropertyValue('--notification-color'));
  expect(painted, text).toBe(`var(--mantine-color-${color}-filled)`);
  const view = toast.page().viewportSize();
  const box = await toast.boundingBox();
  if (view === null || box === null) throw new Error(`'${text}' has no place on the screen`);
  expect(box.x + box.width / 2, text).toBeGreaterThan(view.width / 2);
  expect(box.y + box.height / 2 < view.height / 2 ? 'top-right' : 'bottom-right', text).toBe(place);
}

async function expectTime(page: Page, toast: Locator, lasts: ExpectedToast['lasts']): Promise<void> {
  if (lasts === 'until closed') {
    await page.clock.runFor(A_LONG_WHILE_MS);
    await expect(toast).toBeVisible();
    await toast.getByRole('button', { name: 'Close' }).click();
    await page.clock.runFor(TRANSITION_MS + TOLERANCE_MS);
  } else {
    await page.clock.runFor(lasts - TOLERANCE_MS);
    await expect(toast).toBeVisible();
    await page.clock.runFor(TRANSITION_MS + 2 * TOLERANCE_MS);
  }
  await expect(toast).toHaveCount(0);
}
