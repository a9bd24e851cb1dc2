import type { Page } from '@playwright/test';
import { DESK, expect, logIn, PHONE, test, visit } from '#e2e/support/fixtures.ts';
import { otherwiseLaid, readLooks } from '#e2e/support/looks.ts';
import { answerInstead } from '#e2e/support/network.ts';

/**
 * Style sheets arrive in an order that depends on how a person enters the application, and every order must look the
 * same (docs/decisions/0030-style-layers.md). The test lays them in the opposite order. In a single layer the look does
 * change, which shows that the test can detect it.
 */

type Find = (page: Page) => ReturnType<Page['locator']>;

interface Screen {
  readonly path: string;
  /** Visible once the screen's data has arrived. */
  readonly ready: Find;
  /** Opens a dialog or menu over the screen. */
  readonly open?: readonly ((page: Page) => Promise<void>)[];
}

interface Group {
  readonly name: string;
  readonly as: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly screens: readonly Screen[];
  /** Components that the order would change if the sheets shared one layer. */
  readonly endangered: readonly string[];
}

const button =
  (name: string | RegExp): Find =>
  (page) =>
    page.getByRole('button', { name }).first();
const combobox =
  (name: string): Find =>
  (page) =>
    page.getByRole('combobox', { name });
const any =
  (role: 'menuitem' | 'option' | 'dialog' | 'link' | 'heading', name?: string): Find =>
  (page) =>
    page.getByRole(role, name === undefined ? {} : { name }).first();
const menu: Find = (page) => page.getByRole('button', { name: 'Menu', exact: true });
const logOut: Find = (page) => page.getByRole('banner').getByRole('link', { name: 'Log Out' });

/** Presses something, and waits for what it opens, which may load late. */
const press = (opener: Find, opened: Find) => async (page: Page) => {
  await opener(page).click();
  await expect(opened(page)).toBeVisible();
};
async function openCalendar(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Invoice date' }).click();
  await expect(page.locator('.mantine-Calendar-day:not([data-hidden])').first()).toBeVisible();
}
const closeByKey = (page: Page) => page.keyboard.press('Escape');
const row = (name: string) => (page: Page) => page.getByRole('link', { name }).first();

/** A refused save, whose toast stays. */
async function failToSave(page: Page): Promise<void> {
  await answerInstead(page, 'invoices', 422, { success: false, code: 'BUYER_IS_SELLER', msg: 'Not this buyer' });
  await page.getByLabel('Amount', { exact: true }).fill('31000000');
  await expect(page.getByRole('alert').first()).toBeVisible();
}

const draft: Screen = {
  // Searched for, because other journeys may have put newer ones before it.
  path: '/invoices/applications?applications-search=NT-2026-039',
  ready: row('NT-2026-039'),
  open: [
    (page) => row('NT-2026-039')(page).click(),
    (page) => expect(page.getByRole('button', { name: /Options for Invoice copy/ })).toBeVisible(),
    press(button(/Options for Invoice copy/), any('menuitem')),
    closeByKey,
    openCalendar,
    closeByKey,
    press(combobox('Buyer'), any('option')),
    closeByKey,
    failToSave,
  ],
};

const groups: readonly Group[] = [
  {
    name: 'a client at a desk',
    as: '0700000001',
    viewport: DESK,
    screens: [
      {
        path: '/home',
        ready: row('NT-2026-042'),
        open: [press(button('Sarah Nabirye'), logOut), press(combobox('Status of applications'), any('option'))],
      },
      draft,
    ],
    endangered: ['NavLink-root', 'Pagination-control', 'Menu-item', 'Calendar-day'],
  },
  {
    name: 'a client with a phone',
    as: '0700000001',
    viewport: PHONE,
    screens: [
      {
        path: '/home',
        ready: row('NT-2026-042'),
        open: [press(menu, (page) => page.getByRole('dialog').getByRole('link').first())],
      },
    ],
    endangered: ['Burger-root', 'NavLink-root'],
  },
  {
    name: 'an administrator',
    as: 'admin@kasente.test',
    viewport: DESK,
    screens: [
      {
        path: '/home',
        ready: (page) => page.getByText('newcomer@kasente.test').first(),
        open: [press(button(/^Activate newcomer/), any('dialog')), closeByKey],
      },
      { path: '/desk', ready: (page) => page.locator('[data-case]').first() },
      {
        path: '/businesses',
        ready: (page) => page.getByText('Pearl Hotels Group').first(),
        open: [press(any('link', 'Nakasero Traders Ltd'), any('heading', 'Limits'))],
      },
      { path: '/account', ready: (page) => page.getByRole('button', { name: 'Change Password' }) },
    ],
    endangered: ['Pagination-control', 'NavLink-root'],
  },
];

for (const { name, as, viewport, screens, endangered } of groups) {
  test(`for ${name} every order of the style sheets looks the same`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await readLooks(page);
    await logIn(page, as);
    const notFound = new Set(endangered);
    for (const { path, ready, open = [] } of screens) {
      await visit(page, path);
      await expect(ready(page)).toBeVisible();
      for (const step of [() => Promise.resolve(), ...open]) {
        await step(page);
        const { otherOrder, oneLayer } = await otherwiseLaid(page, notFound.size > 0);
        expect(otherOrder, page.url()).toEqual([]);
        for (const component of notFound)
          if (oneLayer.some((each) => each.includes(component))) notFound.delete(component);
      }
    }
    expect([...notFound], 'look the same in one layer').toEqual([]);
  });
}
