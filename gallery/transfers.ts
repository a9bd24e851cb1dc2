import type { Page } from '@playwright/test';
import { failures } from '#contract/errors.ts';
import { at, type Shot, whole } from './shot.ts';
import { answered, button, changed, importStatement, json, link, openCase, steps } from './steps.ts';

/**
 * Pictures of money in transit: payouts, arrived money, and a day's reconciliation. The server's replies are changed,
 * because a picture cannot wait for a provider.
 */

/** A reply of the server, with fields to be replaced. */
type Reply = Readonly<Record<string, unknown>>;

/** Reopens the page, and waits for a text of the changed reply. */
const reloaded = (text: string) => async (page: Page) => {
  await page.reload();
  await page.getByText(text).first().waitFor();
};

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
  rail: 'Bank',
  to: 'Pearl Bank ••• 567, Nakasero Traders Ltd',
  nextAskAt: null,
  said: null,
  file: {
    reference: 'K7PX-42MR',
    batch: 12,
    sentAt: new Date(Date.now() - 2 * 60 * 60_000).toISOString(),
    payoutTag: sent.tag,
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
    state: 'sent',
    said: 'PENDING',
    amount: 4_790_000,
    part: { number: 2, of: 2, rest: 0, paid: [{ amount: 5_000_000, providerReference: '8841207766' }] },
  },
  refused: { state: 'failed', said: 'PAYEE_NOT_FOUND', refusal: 'numberUnknown', nextAskAt: null },
} as const;
type Shown = keyof typeof states;

/** Changes the payout of every case. */
function withPayout(change: (payout: Reply) => Reply) {
  return answered(
    '/applications/*/payout',
    changed<Reply>((payout) => ({ ...payout, ...change(payout) })),
  );
}

function withTransfer(shown: Shown) {
  const transfer = { ...sent, ...states[shown] };
  return withPayout((payout) => ({ prepared: null, next: shown === 'refused' ? payout.next : null, transfer }));
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
  outcome: 'notPaid',
  providerReference: null,
  reason: 'The client did not add this account',
};

function openTransfers() {
  const tagOf = (last: number) => sent.tag.replace(/.$/, String(last));
  const about = { applicationTag: sent.tag, currency: 'UGX', mayEnd: false, ending: null, direction: 'out' };
  const late = { ...sent, ...states.unknown, ...about, invoiceNumber: 'JAS 121', client: 'Jinja Agro Supplies Ltd' };
  const taken = { ...sent, ...states.taken, ...about, invoiceNumber: 'NT-2026-030', client: 'Nakasero Traders Ltd' };
  const stopped = { ...late, ...states.stopped, invoiceNumber: 'JAS 123', mayEnd: true };
  const rows = [
    { ...late, isLate: true, mayEnd: true },
    { ...late, tag: tagOf(4), invoiceNumber: 'JAS 122', isLate: true, mayEnd: true, ending },
    { ...stopped, tag: tagOf(9), isLate: true },
    { ...stopped, tag: tagOf(8), isHeld: false, ending: stopping },
    { ...taken, tag: tagOf(3), isLate: false },
  ];
  return answered('/transfers/open*', json({ rows, hasMore: true, total: 131 }));
}

const asked = answered('/transfers/*/ask', json({ said: 'No answer after 20 seconds', isEnded: false }));

/** A day on which the provider and two statements differ from the journal, and an earlier day. */
const differing = steps(
  answered(
    '/reconciliation?*',
    changed<Reply>((reply) => {
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
          ...shared,
          comparison: 'imports',
          difference: 'c',
          kind: 'contradicted',
          isOwn: true,
          reference: '8841209001',
          there: 450_000,
          here: null,
          imports: [
            {
              account: 'all',
              fileName: 'mtn-november.csv',
              importedAt: sent.releasedAt,
              by: 'Peter Odongo',
              says: said,
            },
            {
              account: 'collection',
              fileName: 'MTN 1-20 Nov.csv',
              importedAt: sent.nextAskAt,
              by: 'Grace Auma',
              says: null,
            },
            {
              account: 'all',
              fileName: 'MTN 20 Nov.csv',
              importedAt: sent.nextAskAt,
              by: 'Grace Auma',
              says: { ...said, details: 'pay 3MWT-9HKA' },
            },
          ],
        },
        {
          ...shared,
          comparison: 'statement',
          difference: 'd',
          kind: 'elsewhere',
          reference: '8841209417',
          there: 3_000_000,
          here: 3_000_000,
          applications: [
            { tag: sent.tag, invoiceNumber: 'NT-2026-031', isNamed: true },
            { tag: sent.tag.replace(/^./, 'a'), invoiceNumber: 'JAS 121', isNamed: false },
          ],
        },
      ];
      const days = [...(Array.isArray(reply.days) ? reply.days : []), { day: '2026-03-02', open: 1, isClosed: true }];
      return { ...reply, days, differences, transfers: { total: 14, unanswered: 1 } };
    }),
  ),
  reloaded('They have not said how it ended'),
);

const batch = {
  currency: 'UGX',
  madeBy: 'Grace Auma',
  madeAt: inFile.file.sentAt,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};
const batches = answered(
  '/payout_batches',
  json({
    waiting: [{ rail: 'bank', currency: 'UGX', count: 3, amount: 12_450_000 }],
    batches: [
      { ...batch, tag: sent.tag, number: 12, count: 14, amount: 98_761_000, open: 14 },
      { ...batch, tag: `${sent.tag.slice(0, -1)}3`, number: 11, count: 1, amount: 801_000, open: 0 },
    ],
  }),
);
const withFiles = steps(batches, reloaded('Files for the bank'));

const otherHolder = answered(
  '/payout_accounts/*/holder',
  changed<Reply>((account) => {
    const says = 'MTN says: RUTH NAKIMULI';
    const difference = `${says}. The client says: MTN ••• 678, Sarah Nabirye (account 12)`;
    const holder = { says, difference, isInactive: false, askedAt: new Date().toISOString() };
    const mtn = { provider: 'mtn', number: '0772345678', holderName: 'Sarah Nabirye', bankName: null };
    return { ...account, ...mtn, holder };
  }),
);

const walletLimit = withPayout(() => ({
  walletTakes: 2_000_000,
  refusals: [{ code: 'ABOVE_WALLET', text: failures.ABOVE_WALLET.msg }],
}));
const walletParts = withPayout(() => ({ parts: [1_500_000, 814_000] }));

const restComes = steps(
  withTransfer('inParts'),
  answered(
    '/applications/*/payments',
    changed<Reply>((payments) => ({ ...payments, restOwed: 4_790_000 })),
  ),
);

const late = steps(openTransfers(), reloaded('This is late'));

const officers = { as: 'staff', path: '/desk?job=payOut&search=NT-2026-030', fullPage: true } as const;
const clients = {
  as: 'client',
  path: '/invoices/applications?applications-search=NT-2026-030',
  fullPage: true,
} as const;

const ofCase = (shown: Shown): Shot => ({
  name: `desk-case-transfer-${shown}`,
  ...officers,
  reach: steps(withTransfer(shown), openCase),
});
const ofRecord = (shown: Shown): Shot => ({
  name: `approved-transfer-${shown}`,
  ...clients,
  reach: steps(withTransfer(shown), link('NT-2026-030')),
});

export const transferShots: readonly Shot[] = [
  ...(['taken', 'unknown', 'stopped', 'inParts', 'refused', 'inFile', 'forFile'] as const).map(ofCase),
  ...(['taken', 'stopped', 'inParts', 'refused'] as const).map(ofRecord),
  { name: 'desk-case-wallet-limit', ...officers, reach: steps(walletLimit, openCase) },
  { name: 'desk-case-parts', ...officers, reach: steps(walletParts, openCase) },
  { name: 'approved-parts', ...clients, reach: steps(walletParts, link('NT-2026-030')) },
  {
    name: 'paid-out-rest',
    as: 'client',
    fullPage: true,
    path: '/invoices/applications?applications-search=NT-2026-035',
    reach: steps(restComes, link('NT-2026-035')),
  },
  { name: 'approved-wallet-limit', ...clients, reach: steps(walletLimit, link('NT-2026-030')) },
  ...at('staff', '/payouts', {
    'desk-payouts': whole(),
    'desk-payouts-check': button('Check'),
    'desk-payouts-check-differs': steps(otherHolder, button('Check')),
  }),
  ...at('staff', '/arrived-money', {
    'desk-arrived': whole(importStatement),
    'desk-arrived-assign': steps(importStatement, button('Assign')),
    'desk-arrived-withdraw': steps(importStatement, button(/^Withdraw /)),
  }),
  ...at('staff', '/reconciliation', {
    'desk-reconciliation': whole(),
    'desk-reconciliation-provider': whole(differing),
  }),
  ...at('staff', '/payouts', {
    'desk-payouts-end': steps(late, asked, button('Say how it ended')),
    'desk-payouts-end-confirm': steps(late, asked, button('Confirm')),
    'desk-payouts-stop': steps(late, asked, button('Stop this payout')),
    'desk-payouts-on-their-way': whole(late),
    'desk-payouts-files': whole(withFiles),
  }),
];

const askedNow = {
  tag: sent.tag,
  provider: 'mtn',
  amount: 500_000,
  currency: 'UGX',
  from: '••• 678',
  knownAt: null,
  until: new Date(Date.now() + 4 * 60_000).toISOString(),
  providerReference: null,
  refusal: null,
  said: null,
  askedBy: null,
};
const over = new Date(Date.now() - 60_000).toISOString();
const requestStates = {
  asked: { state: 'sent' },
  late: { state: 'unknown', until: over },
  paid: { state: 'succeeded', knownAt: over, providerReference: '8841' },
  refused: { state: 'failed', knownAt: over, refusal: 'insufficientFloat' },
} as const;
type ShownRequest = keyof typeof requestStates;

function withPayNow(shown?: ShownRequest) {
  const requests = shown === undefined ? [] : [{ ...askedNow, ...requestStates[shown] }];
  const providers = [{ provider: 'mtn', least: 1, usualMost: 5_000_000 }];
  const wallets = [{ id: sent.tag, provider: 'mtn', label: 'MTN ••• 678, Sarah Nabirye' }];
  const offer = { currency: 'UGX', most: 2_800_000, requests, providers, wallets };
  return answered('/applications/*/pay_now', json(offer));
}

const phonesCanBeAsked = steps(
  answered(
    '/applications/attention',
    changed<{ matters: object[] }>((attention) => ({
      ...attention,
      matters: attention.matters.map((matter) => ('mayPayNow' in matter ? { ...matter, mayPayNow: true } : matter)),
    })),
  ),
  async (page: Page) => {
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
      name: `pay-now-${shown}`,
      ...paying,
      reach: steps(withPayNow(shown), link('NT-2026-037')),
    }),
  ),
  {
    name: 'pay-now-dialog',
    ...paying,
    fullPage: false,
    reach: steps(withPayNow(), link('NT-2026-037'), button('Pay now')),
  },
  { name: 'pay-now-dashboard', as: 'client', path: '/home', reach: phonesCanBeAsked },
  {
    name: 'desk-case-requests',
    as: 'staff',
    path: '/desk?job=collect',
    fullPage: true,
    reach: steps(withPayNow('refused'), openCase),
  },
];
