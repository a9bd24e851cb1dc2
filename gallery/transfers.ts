import type { Route } from '@playwright/test';
import type { Shot } from './shots.ts';
import { answered, button, importStatement, link, openCase, steps } from './steps.ts';

/**
 * Money on its way: payouts, what arrived, and how a day reconciles. A provider's answers are put in the place of what the
 * server says of them, because a picture cannot wait for one.
 */

const sent = {
  tag: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b12',
  rail: 'MTN mobile money',
  amount: 9_790_000,
  to: 'MTN ••• 678, Sarah Nabirye',
  releasedAt: new Date(Date.now() - 4 * 60_000).toISOString(),
  nextAskAt: new Date(Date.now() + 60_000).toISOString(),
  knownAt: null,
  providerReference: null,
  refusal: null,
  releasedBy: 'Grace Auma',
};

const states = {
  taken: { state: 'sent', said: 'PENDING' },
  unknown: { state: 'unknown', said: 'No answer after 20 seconds' },
  refused: { state: 'failed', said: 'PAYEE_NOT_FOUND', refusal: 'numberUnknown', nextAskAt: null },
} as const;
type Shown = keyof typeof states;

function withTransfer(shown: Shown) {
  const transfer = { ...sent, ...states[shown] };
  return answered('/applications/*/payout', async (route: Route) => {
    const response = await route.fetch();
    const payout: Record<string, unknown> = JSON.parse(await response.text());
    const next = shown === 'refused' ? payout.next : null;
    await route.fulfill({ response, json: { ...payout, prepared: null, next, transfer } });
  });
}

const openTransfers = answered('/transfers/open', (route) => {
  const about = { applicationTag: sent.tag, currency: 'UGX' };
  const late = { ...sent, ...states.unknown, ...about, invoiceNumber: 'JAS 121', client: 'Jinja Agro Supplies Ltd' };
  const taken = { ...sent, ...states.taken, ...about, invoiceNumber: 'NT-2026-030', client: 'Nakasero Traders Ltd' };
  const other = '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b13';
  return route.fulfill({
    json: [
      { ...late, isLate: true },
      { ...taken, tag: other, isLate: false },
    ],
  });
});

const late = steps(openTransfers, async (page) => {
  await page.reload();
  await page.getByText('This takes long').waitFor();
});

const officers = { as: 'staff', path: '/desk?job=payOut&search=NT-2026-030', fullPage: true } as const;
const clients = {
  as: 'client',
  path: '/invoices/applications?applications-search=NT-2026-030',
  fullPage: true,
} as const;

const ofCase = (shown: Shown): Shot => ({
  ...{ name: `desk-case-transfer-${shown}`, ...officers },
  reach: steps(withTransfer(shown), openCase),
});
const ofRecord = (shown: Shown): Shot => ({
  ...{ name: `approved-transfer-${shown}`, ...clients },
  reach: steps(withTransfer(shown), link('NT-2026-030')),
});

export const transferShots: readonly Shot[] = [
  ...(['taken', 'unknown', 'refused'] as const).map(ofCase),
  ...(['taken', 'refused'] as const).map(ofRecord),
  { name: 'desk-payouts', as: 'staff', path: '/payouts', fullPage: true },
  { name: 'desk-payouts-check', as: 'staff', path: '/payouts', reach: button('Check') },
  { name: 'desk-arrived', as: 'staff', path: '/arrived-money', reach: importStatement, fullPage: true },
  { name: 'desk-arrived-assign', as: 'staff', path: '/arrived-money', reach: steps(importStatement, button('Assign')) },
  { name: 'desk-reconciliation', as: 'staff', path: '/reconciliation', fullPage: true },
  { name: 'desk-payouts-on-their-way', as: 'staff', path: '/payouts', reach: late, fullPage: true },
];
