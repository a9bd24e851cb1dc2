import type { Page } from '@playwright/test';
import { DESK, PHONE } from './fixtures.ts';

/**
 * The gallery: with GALLERY set (`npm run gallery`), journeys save pictures of screens to `dist/gallery/`. People look
 * at them; nothing compares them.
 */

/** The first two show both sizes and both schemes. */
export const looks = [
  { name: 'desk-light', colorScheme: 'light', viewport: DESK },
  { name: 'phone-dark', colorScheme: 'dark', viewport: PHONE },
  { name: 'phone-light', colorScheme: 'light', viewport: PHONE },
  { name: 'desk-dark', colorScheme: 'dark', viewport: DESK },
] as const;

/** README's pictures, which are one display high: `dist/gallery/readme/` has them under their names in `docs/images/`. */
const readme: Readonly<Record<string, string>> = {
  'draft-ready-desk-light': 'application',
  'login-phone-light': 'phone-login',
  'submitted-phone-light': 'phone-application',
  'client-dashboard-phone-dark': 'phone-dashboard-dark',
  'desk-desk-dark': 'decision-desk-dark',
  'desk-case-desk-light': 'case',
};

export async function lookLike(
  page: Page,
  { viewport, colorScheme }: Omit<(typeof looks)[number], 'name'>,
): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
}

/**
 * Saves the screen in every look if GALLERY is set, and returns the page to the look it had. Names begin with the screen,
 * so that its states are listed together.
 */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.GALLERY === undefined) return;
  const viewport = page.viewportSize() ?? DESK;
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  for (const look of looks) {
    const file = `${name.replaceAll(/\W+/g, '-')}-${look.name}`;
    await lookLike(page, look);
    await loaded(page);
    if (file in readme) await save(page, `readme/${readme[file]}`);
    await showWhole(page, look.viewport);
    await save(page, file);
  }
  await lookLike(page, { viewport, colorScheme: isDark ? 'dark' : 'light' });
}

/** Makes the display as high as the page, so that sticky bars are at its edges: once more with what loads in it then. */
async function showWhole(page: Page, viewport: typeof PHONE): Promise<void> {
  for (let pass = 0; pass < 2; pass += 1) {
    await page.setViewportSize(viewport);
    const height = await page.evaluate(
      // A dialog stays in the middle of one display.
      () => (document.querySelector('[role=dialog]') === null ? document.documentElement.scrollHeight : innerHeight),
    );
    await page.setViewportSize({ ...viewport, height });
    await loaded(page);
  }
}

/** Waits until nothing loads, or for two seconds: a picture may be of a screen that loads. */
async function loaded(page: Page): Promise<void> {
  // When a new observer is called, those that load what comes into sight have been called too.
  await page.evaluate(() => new Promise((called) => new IntersectionObserver(called).observe(document.body)));
  const loading = page.locator('.mantine-Loader-root, .mantine-Skeleton-root, [aria-busy=true]').first();
  await loading.waitFor({ state: 'detached', timeout: 2000 }).catch(() => undefined);
}

async function save(page: Page, file: string): Promise<void> {
  await page.screenshot({ path: `dist/gallery/${file}.png`, animations: 'disabled' });
}
