import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** Keyboard-only input: Tab, arrows, Enter, Space and letters, and checks of where the focus is. */

/** A page of a staff's table alone has 30 links: ten applications, each with its client and its buyer. */
const MOST_TABS = 65;

/** Marks the option that Enter would choose, and the time in which an arrow key must move the mark. */
const MARKED = 'data-combobox-selected';
const STEP_MS = 300;

/**
 * Presses Tab (or Shift+Tab) until the target has the focus, at most as often as a keyboard user can be expected to.
 * The focus must then be visible.
 */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  for (let pressed = 0; pressed < MOST_TABS; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
  await expectFocusSeen(target);
}

/** Moves the focus to an element and presses a key there. */
export async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Replaces the text of a field by typing. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

/** Types the beginning of the option if the select is searchable, otherwise opens it and moves down to it. */
export async function chooseByKey(page: Page, select: Locator, option: string, searchable: boolean): Promise<void> {
  await tabTo(page, select);
  if (searchable) {
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(option.slice(0, 6));
  } else {
    await page.keyboard.press('Enter');
  }
  const wanted = page.getByRole('option', { name: option });
  await expect(wanted).toBeVisible();
  const marked = () => page.locator(`[role=option][${MARKED}]`).allTextContents();
  const stepsThere = async (): Promise<void> => {
    if ((await wanted.getAttribute(MARKED)) !== null) return;
    const before = await marked();
    await page.keyboard.press('ArrowDown');
    // A key that comes too early for the list is lost, and is pressed again.
    await expect.poll(marked, { intervals: [10], timeout: STEP_MS }).not.toEqual(before);
    expect(await wanted.getAttribute(MARKED)).not.toBeNull();
  };
  await expect(stepsThere).toPass({ timeout: 90_000, intervals: [0] }); // one step each, about a dozen of them
  await page.keyboard.press('Enter');
  await expect(select).toHaveValue(new RegExp(`^${option}`));
}

/**
 * Expects the focused element to be on the screen, not behind the header, and marked: by an outline around it (or
 * around its stand-in), or by the accent colour on its edge.
 */
export async function expectFocusSeen(target: Locator): Promise<void> {
  await expect(target).toBeInViewport();
  const seen = (): Promise<{ isMarked: boolean; isBehindHeader: boolean }> =>
    target.evaluate((element) => {
      const accent = getComputedStyle(document.body).getPropertyValue('--mantine-primary-color-filled');
      const probe = document.createElement('span');
      probe.style.color = accent;
      document.body.append(probe);
      const painted = getComputedStyle(probe).color;
      probe.remove();
      const frame = element.parentElement;
      // An invalid field is marked around its whole frame.
      const wrong = element.closest('.mantine-Input-wrapper');
      const drawn = [element, element.nextElementSibling, frame, wrong, ...(frame?.children ?? [])];
      const isMarked = drawn.some((each) => {
        if (each === null) return false;
        const { outlineStyle, outlineWidth, borderTopColor, borderTopWidth } = getComputedStyle(each);
        const outlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
        return outlined || (borderTopColor === painted && Number.parseFloat(borderTopWidth) >= 1);
      });
      const { left, top, width, height } = element.getBoundingClientRect();
      const above = document.elementFromPoint(left + width / 2, top + height / 2);
      const isBehindHeader = above !== null && above.closest('header, thead') !== null && !above.contains(element);
      return { isMarked, isBehindHeader: isBehindHeader && element.closest('header, thead') === null };
    });
  await expect
    .poll(seen, { message: `the focus on ${target.toString()}` })
    .toEqual({ isMarked: true, isBehindHeader: false });
}
