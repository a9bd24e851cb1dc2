import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** The hands of somebody without a mouse: Tab, arrows, Enter, Space and letters, and an eye on where the focus is. */

const MOST_TABS = 40;

/** The mark of the option that Enter would choose, and how long the arrow takes to move it. */
const MARKED = 'data-combobox-selected';
const STEP_MS = 300;

/**
 * Presses Tab (or Shift+Tab) until something has the focus; how often is what somebody without a mouse has to put up
 * with. It must then be seen that it has the focus.
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

/** Goes to something and presses a key there. */
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

/** Types the option's beginning if the select is searchable, otherwise opens it and walks down to it. */
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
    // A key that comes too soon for the list is lost, and pressed again.
    await expect.poll(marked, { intervals: [10], timeout: STEP_MS }).not.toEqual(before);
    expect(await wanted.getAttribute(MARKED)).not.toBeNull();
  };
  await expect(stepsThere).toPass({ timeout: 90_000, intervals: [0] }); // a step each, some dozen of them
  await page.keyboard.press('Enter');
  await expect(select).toHaveValue(new RegExp(`^${option}`));
}

/**
 * The focused element is on the screen, not behind the header, and marked: by an outline around it (or around its
 * stand-in), or by the accent on its edge.
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
      // A wrong field is marked around its whole frame.
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
