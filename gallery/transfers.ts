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
  part: null,
  isHeld: false,
  file: null,
  releasedBy: 'Grace Auma',
};

const inFile = {
  ...{ rail: 'Bank', to: 'Pearl Bank ••• 567, Nakasero Traders Ltd', nextAskAt: null, said: null },
  file: {
    ...{ reference: 'K7PX-42MR', batch: 12, sentAt: new Date(Date.now() - 2 * 60 * 60_000).toISOString() },
    ...{ payoutTag: sent.tag },
  },
};
const forFile = { ...inFile, file: { ...inFile.file, batch: null, sentAt: null } };

const states = {
  taken: { state: 'sent', said: 'PENDING' },
  stopped: { state: 'released', said: null, isHeld: true },
  unknown: { state: 'unknown', said: 'No answer after 20 seconds' },
  inFile: { ...inFile, state: 'sent' },
  forFile: { ...forFile, state: 'released' },
  inParts: {
    ...{ state: 'sent', said: 'PENDING', amount: 4_790_000 },
    part: { number: 2, of: 2, rest: 0, paid: [{ amount: 5_000_000, providerReference: '8841207766' }] },
  },
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

const ending = {
  tag: '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b15',
  outcome: 'paid',
  providerReference: '8841207766',
  reason: 'Their portal shows it at 10:02, and the client has it',
  proposedBy: 'Grace Auma',
  isOwn: false,
};

const stopping = {
  ...ending,
  ...{ outcome: 'notPaid', providerReference: null, reason: 'The client did not add this account' },
};

const openTransfers = answered('/transfers/open*', (route) => {
  const about = { applicationTag: sent.tag, currency: 'UGX', mayEnd: false, ending: null, direction: 'out' };
  const third = '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b14';
  const late = { ...sent, ...states.unknown, ...about, invoiceNumber: 'JAS 121', client: 'Jinja Agro Supplies Ltd' };
  const taken = { ...sent, ...states.taken, ...about, invoiceNumber: 'NT-2026-030', client: 'Nakasero Traders Ltd' };
  const other = '5d0c1a0e-8f0b-4c57-9d35-2f6f0c9f1b13';
  const stopped = { ...late, ...states.stopped, tag: `${third.slice(0, -1)}9`, invoiceNumber: 'JAS 123' };
  return route.fulfill({
    json: {
      rows: [
        { ...late, isLate: true, mayEnd: true },
        { ...late, tag: third, invoiceNumber: 'JAS 122', isLate: true, mayEnd: true, ending },
        { ...stopped, isLate: true, mayEnd: true },
        { ...stopped, tag: `${third.slice(0, -1)}8`, isHeld: false, mayEnd: true, ending: stopping },
        { ...taken, tag: other, isLate: false },
      ],
      ...{ hasMore: true, total: 131 },
    },
  });
});

const asked = answered('/transfers/*/ask', (route) =>
  route.fulfill({ json: { said: 'No answer after 20 seconds', isEnded: false } }),
);

/** A day that the provider and two statements tell otherwise, with a payment on another application, and an earlier day. */
const differing = steps(
  answered('/reconciliation?*', async (route) => {
    const response = await route.fetch();
    const reply: Record<string, unknown> = JSON.parse(await response.text());
    const shared = {
      comparison: 'provider',
      days: [reply.day],
      imports: [],
      applications: [],
      isOwn: false,
      explained: null,
    };
    const said = { date: reply.day, amount: 450_000, payer: 'OKELLO JOHN 0772000111', details: 'pay K7PX-42MR' };
    const differences = [
      { ...shared, difference: 'a', kind: 'missingThere', reference: '8841207766', there: null, here: -801_000 },
      { ...shared, difference: 'b', kind: 'unsaid', reference: sent.tag, there: null, here: null },
      {
        ...{ ...shared, comparison: 'imports', difference: 'c', kind: 'contradicted', isOwn: true },
        ...{ reference: '8841209001', there: 450_000, here: null },
        imports: [
          { account: 'all', fileName: 'mtn-november.csv', importedAt: sent.releasedAt, by: 'Peter Odongo', says: said },
          {
            account: 'collection',
            fileName: 'MTN 1-20 Nov.csv',
            importedAt: sent.nextAskAt,
            by: 'Grace Auma',
            says: null,
          },
          {
            ...{ account: 'all', fileName: 'MTN 20 Nov.csv', importedAt: sent.nextAskAt, by: 'Grace Auma' },
            says: { ...said, details: 'pay 3MWT-9HKA' },
          },
        ],
      },
      {
        ...{ ...shared, comparison: 'statement', difference: 'd', kind: 'elsewhere', reference: '8841209417' },
        ...{ there: 3_000_000, here: 3_000_000 },
        applications: [
          { tag: sent.tag, invoiceNumber: 'NT-2026-031', isNamed: true },
          { tag: sent.tag.replace(/^./, 'a'), invoiceNumber: 'JAS 121', isNamed: false },
        ],
      },
    ];
    const days = [...(Array.isArray(reply.days) ? reply.days : []), { day: '2026-03-02', open: 1, isClosed: true }];
    await route.fulfill({ response, json: { ...reply, days, differences, transfers: { total: 14, unanswered: 1 } } });
  }),
  async (page) => {
    await page.reload();
    await page.getByText('They have not said how it ended').waitFor();
  },
);

const batch = {
  ...{ currency: 'UGX', madeBy: 'Grace Auma', madeAt: inFile.file.sentAt },
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};
const batches = answered('/payout_batches', (route) =>
  route.fulfill({
    json: {
      waiting: [{ rail: 'bank', currency: 'UGX', count: 3, amount: 12_450_000 }],
      batches: [
        { ...batch, tag: sent.tag, number: 12, count: 14, amount: 98_761_000, open: 14 },
        { ...batch, tag: `${sent.tag.slice(0, -1)}3`, number: 11, count: 1, amount: 801_000, open: 0 },
      ],
    },
  }),
);
const withFiles = steps(batches, async (page) => {
  await page.reload();
  await page.getByText('Files for the bank').waitFor();
});

const otherHolder = answered('/payout_accounts/*/holder', async (route) => {
  const response = await route.fetch();
  const account: Record<string, unknown> = JSON.parse(await response.text());
  const says = 'MTN says: RUTH NAKIMULI';
  const difference = `${says}. The client says: MTN ••• 678, Sarah Nabirye (account 12)`;
  const holder = { says, difference, isInactive: false, askedAt: new Date().toISOString() };
  const mtn = { provider: 'mtn', number: '0772345678', holderName: 'Sarah Nabirye', bankName: null };
  await route.fulfill({ response, json: { ...account, ...mtn, holder } });
});

const walletLimit = answered('/applications/*/payout', async (route) => {
  const response = await route.fetch();
  const payout: Record<string, unknown> = JSON.parse(await response.text());
  await route.fulfill({ response, json: { ...payout, walletTakes: 2_000_000 } });
});

const walletParts = answered('/applications/*/payout', async (route) => {
  const response = await route.fetch();
  const payout: Record<string, unknown> = JSON.parse(await response.text());
  await route.fulfill({ response, json: { ...payout, parts: [1_500_000, 814_000] } });
});

const restComes = steps(
  withTransfer('inParts'),
  answered('/applications/*/payments', async (route) => {
    const response = await route.fetch();
    const payments: Record<string, unknown> = JSON.parse(await response.text());
    await route.fulfill({ response, json: { ...payments, restOwed: 4_790_000 } });
  }),
);

const late = steps(openTransfers, async (page) => {
  await page.reload();
  await page.getByText('This is late').first().waitFor();
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
  ...(['taken', 'unknown', 'stopped', 'inParts', 'refused', 'inFile', 'forFile'] as const).map(ofCase),
  ...(['taken', 'stopped', 'inParts', 'refused'] as const).map(ofRecord),
  { name: 'desk-case-wallet-limit', ...officers, reach: steps(walletLimit, openCase) },
  { name: 'desk-case-parts', ...officers, reach: steps(walletParts, openCase) },
  { name: 'approved-parts', ...clients, reach: steps(walletParts, link('NT-2026-030')) },
  {
    ...{ name: 'paid-out-rest', as: 'client', fullPage: true },
    path: '/invoices/applications?applications-search=NT-2026-035',
    reach: steps(restComes, link('NT-2026-035')),
  },
  { name: 'approved-wallet-limit', ...clients, reach: steps(walletLimit, link('NT-2026-030')) },
  { name: 'desk-payouts', as: 'staff', path: '/payouts', fullPage: true },
  { name: 'desk-payouts-check', as: 'staff', path: '/payouts', reach: button('Check') },
  { name: 'desk-payouts-check-differs', as: 'staff', path: '/payouts', reach: steps(otherHolder, button('Check')) },
  { name: 'desk-arrived', as: 'staff', path: '/arrived-money', reach: importStatement, fullPage: true },
  { name: 'desk-arrived-assign', as: 'staff', path: '/arrived-money', reach: steps(importStatement, button('Assign')) },
  { name: 'desk-reconciliation', as: 'staff', path: '/reconciliation', fullPage: true },
  { name: 'desk-reconciliation-provider', as: 'staff', path: '/reconciliation', reach: differing, fullPage: true },
  { name: 'desk-payouts-end', as: 'staff', path: '/payouts', reach: steps(late, asked, button('Say how it ended')) },
  { name: 'desk-payouts-end-confirm', as: 'staff', path: '/payouts', reach: steps(late, asked, button('Confirm')) },
  { name: 'desk-payouts-stop', as: 'staff', path: '/payouts', reach: steps(late, asked, button('Stop this payout')) },
  { name: 'desk-payouts-on-their-way', as: 'staff', path: '/payouts', reach: late, fullPage: true },
  { name: 'desk-payouts-files', as: 'staff', path: '/payouts', reach: withFiles, fullPage: true },
];

const askedNow = {
  ...{ tag: sent.tag, provider: 'mtn', amount: 500_000, currency: 'UGX', from: '••• 678', knownAt: null },
  ...{ until: new Date(Date.now() + 4 * 60_000).toISOString() },
  ...{ providerReference: null, refusal: null, said: null, askedBy: null },
};
const over = new Date(Date.now() - 60_000).toISOString();
const requestStates = {
  asked: { state: 'sent' },
  late: { state: 'unknown', until: over },
  paid: { state: 'succeeded', knownAt: over, providerReference: '8841' },
  refused: { state: 'failed', knownAt: over, refusal: 'insufficientFloat' },
} as const;
type ShownRequest = keyof typeof requestStates;

/** No provider is played here: its answer stands in the place of the server's. */
function withPayNow(shown?: ShownRequest) {
  const requests = shown === undefined ? [] : [{ ...askedNow, ...requestStates[shown] }];
  return answered('/applications/*/pay_now', (route) =>
    route.fulfill({
      json: {
        ...{ currency: 'UGX', most: 2_800_000, requests },
        providers: [{ provider: 'mtn', least: 1, usualMost: 5_000_000 }],
        wallets: [{ id: sent.tag, provider: 'mtn', label: 'MTN ••• 678, Sarah Nabirye' }],
      },
    }),
  );
}

const phonesCanBeAsked = steps(
  answered('/applications/attention', async (route: Route) => {
    const response = await route.fetch();
    const attention: { matters: object[] } = JSON.parse(await response.text());
    const matters = attention.matters.map((matter) =>
      'mayPayNow' in matter ? { ...matter, mayPayNow: true } : matter,
    );
    await route.fulfill({ response, json: { ...attention, matters } });
  }),
  async (page) => {
    await page.reload();
    await page.getByRole('button', { name: 'Pay now' }).first().waitFor();
  },
);

const paying = {
  as: 'client',
  path: '/invoices/applications?applications-search=NT-2026-037',
  fullPage: true,
} as const;

export const payNowShots: readonly Shot[] = [
  ...(['asked', 'late', 'paid', 'refused'] as const).map(
    (shown): Shot => ({
      ...{ name: `pay-now-${shown}`, ...paying },
      reach: steps(withPayNow(shown), link('NT-2026-037')),
    }),
  ),
  {
    ...{ name: 'pay-now-dialog', ...paying, fullPage: false },
    reach: steps(withPayNow(), link('NT-2026-037'), button('Pay now')),
  },
  { name: 'pay-now-dashboard', as: 'client', path: '/home', reach: phonesCanBeAsked },
  {
    ...{ name: 'desk-case-requests', as: 'staff', path: '/desk?job=collect', fullPage: true },
    reach: steps(withPayNow('refused'), openCase),
  },
];
