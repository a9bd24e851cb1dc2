import type { Route } from '@playwright/test';
import { expect, logIn, signIn, test } from '#e2e/support/fixtures.ts';
import { alterAnswers } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';

/** States for the gallery that no journey passes: screens that load, find nothing or fail, and payouts that fail. */

const answers = {
  loading: () => undefined,
  empty: (route: Route) => route.fulfill({ json: [] }),
  failed: (route: Route) => route.fulfill({ status: 503, json: { success: false, code: 'UNAVAILABLE', msg: 'Busy' } }),
} as const;
type State = keyof typeof answers;

const CLIENT = '0700000001';
const OFFICER = 'admin@kasente.test';
const list: readonly State[] = ['loading', 'empty', 'failed'];

for (const [screen, as, path, call, states] of [
  ['client-dashboard', CLIENT, '/home', 'invoices/paged', list],
  ['my-applications', CLIENT, '/invoices/applications', 'invoices/paged', list],
  ['new-application', CLIENT, '/application/start', 'profiles/buyers', ['failed']],
  ['payout-accounts', CLIENT, '/payout-accounts', 'payout_accounts/own', ['loading', 'failed']],
  ['account', CLIENT, '/account', 'users/sessions', ['loading', 'failed']],
  ['account-second-factor', OFFICER, '/account', 'users/second_factor', ['loading', 'failed']],
  ['staff-dashboard', OFFICER, '/home', '{persons,invoices/paged}', list],
  ['desk', OFFICER, '/desk', 'desk/queue', ['loading', 'failed']],
  ['payouts', OFFICER, '/payouts', '{payouts/board,payout_batches}', ['loading', 'failed']],
  ['businesses', OFFICER, '/businesses', 'businesses/paged', list],
] as const)
  for (const state of states)
    test(`${screen}, ${state}`, async ({ page }) => {
      await signIn(page, as);
      await page.route(`**/api/v1/${call}`, answers[state]);
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      // A failed call is tried again before it says so.
      if (state === 'failed') await page.getByRole('button', { name: 'Try again' }).first().waitFor();
      await picture(page, `${screen} ${state}`);
    });

test('an invoice that nobody has', async ({ page }) => {
  await signIn(page, CLIENT, '/invoice-discounting-application/00000000-0000-4000-8000-000000000000');
  await expect(page.getByRole('heading', { level: 1, name: 'This invoice does not exist' })).toBeVisible();
  await picture(page, 'invoice-unknown');
});

for (const [state, ended] of Object.entries({
  stopped: { state: 'released', said: null, refusal: null, isHeld: true },
  refused: { state: 'failed', said: 'PAYEE_NOT_FOUND', refusal: 'numberUnknown', isHeld: false },
}))
  test(`a payout that is ${state}`, async ({ page }) => {
    const sent = { tag: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b12', rail: 'MTN mobile money', amount: 2_418_000 };
    const when = { releasedAt: new Date().toISOString(), nextAskAt: null, knownAt: null, providerReference: null };
    const whose = { to: 'MTN ••• 678, Sarah Nabirye', releasedBy: 'Grace Auma', part: null, file: null };
    await alterAnswers<object>(page, 'applications/*/payout', (payout) => ({
      ...payout,
      ...{ prepared: null, transfer: { ...sent, ...when, ...whose, ...ended } },
    }));
    await logIn(page, OFFICER, { to: '/desk?job=payOut&search=NT-2026-030' });
    await page.getByRole('link', { name: 'NT-2026-030' }).click();
    await expect(page.getByRole('link', { name: 'Evidence' })).toBeVisible();
    await picture(page, `desk-case-payout-${state}`);
  });
