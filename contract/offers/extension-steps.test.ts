import { expect, it } from 'vitest';
import {
  decideAgreement,
  decideExtension,
  decideWithdrawal,
  type ExtendableDebt,
  isKnownToClient,
  refusalsToAskExtension,
  refusalsToOfferExtension,
  shownToClient,
  shownToOfficer,
} from './extension-steps.ts';

const [CLIENT, OFFICER, SECOND] = [1, 2, 3];
const now = new Date('2026-12-04T08:00:00Z');
const agreedAt = new Date('2026-11-20T08:00:00Z');
const later = new Date('2026-12-05T08:00:00Z');

const requested = { askedBy: CLIENT, offeredBy: null, agreedAt: null };
const offered = { askedBy: null, offeredBy: OFFICER, agreedAt: null };
const answered = { ...offered, askedBy: CLIENT };
const agreed = { ...offered, agreedAt };

const debt: ExtendableDebt = {
  now,
  me: SECOND,
  status: 'Disbursed',
  outstanding: 1,
  accepted: 0,
  maximum: 1,
  open: undefined,
  validDays: 14,
};
const facts = {
  ...debt,
  newUntil: undefined,
  offered: { tenorDays: 15 },
  keyFacts: { seen: 'v1', today: 'v1' },
};
type Facts = Omit<typeof facts, 'newUntil'> & { readonly newUntil: Date | undefined };

const actions = {
  ask: (all: Facts) => refusalsToAskExtension(all),
  offer: (all: Facts) => refusalsToOfferExtension(all),
  agree: (all: Facts) => decideAgreement(all).refusals,
  withdraw: (all: Facts) => decideWithdrawal(all).refusals,
  accept: (all: Facts) => decideExtension(all).refusals,
} as const;
type Action = keyof typeof actions;

const paidBack = { status: 'Settled', outstanding: 0 } as const;
const isNew = { newUntil: later };
const none = {};

it.each<[Action, string, Partial<Facts>, string[]]>([
  ['ask', 'about a debt', none, []],
  ['ask', 'before the payout', { status: 'Approved', outstanding: null }, ['STEP_NOT_ALLOWED']],
  ['ask', 'once it is paid back', paidBack, ['STEP_NOT_ALLOWED']],
  ['ask', 'once it is written off', { outstanding: 0 }, ['STEP_NOT_ALLOWED']],
  ['ask', 'after the last extension', { accepted: 1 }, ['EXTENSION_USED']],
  ['ask', 'while one is requested', { open: requested }, ['EXTENSION_OPEN']],
  ['ask', 'while one is offered', { open: offered }, ['EXTENSION_OPEN']],
  ['ask', 'for a tenor that nobody offers', { offered: { tenorDays: 16 } }, ['TENOR_NOT_OFFERED']],
  [
    'ask',
    'against everything, in order',
    { ...paidBack, accepted: 1, open: offered, offered: { tenorDays: 0 } },
    ['STEP_NOT_ALLOWED', 'EXTENSION_USED', 'EXTENSION_OPEN', 'TENOR_NOT_OFFERED'],
  ],
  ['offer', 'without a request', none, []],
  ['offer', 'in answer to a request', { open: requested }, []],
  ['offer', 'while one is offered', { open: answered }, ['EXTENSION_OPEN']],
  [
    'offer',
    'against everything, in order',
    { ...paidBack, ...isNew, accepted: 1, open: offered, offered: { tenorDays: 0 } },
    ['STEP_NOT_ALLOWED', 'NEW_OFFICER', 'EXTENSION_USED', 'EXTENSION_OPEN', 'TENOR_NOT_OFFERED'],
  ],
  ['agree', 'to another officer’s offer', { open: offered }, []],
  ['agree', 'to the last extension', { open: offered, accepted: 1 }, []],
  ['agree', 'to one’s own offer', { open: offered, me: OFFICER }, ['OWN_EXTENSION']],
  ['agree', 'to nothing', none, ['EXTENSION_CLOSED']],
  ['agree', 'to a request', { open: requested }, ['EXTENSION_CLOSED']],
  ['agree', 'twice', { open: agreed }, ['EXTENSION_CLOSED']],
  ['agree', 'to other key facts', { open: offered, keyFacts: { seen: 'v0', today: 'v1' } }, ['OFFER_CHANGED']],
  [
    'agree',
    'against everything, in order',
    { ...paidBack, ...isNew, open: agreed, me: OFFICER, keyFacts: { seen: 'v0', today: 'v1' } },
    ['STEP_NOT_ALLOWED', 'NEW_OFFICER', 'EXTENSION_CLOSED', 'OWN_EXTENSION', 'OFFER_CHANGED'],
  ],
  ['withdraw', 'a request', { open: requested }, []],
  ['withdraw', 'one’s own lapsed offer', { open: agreed, me: OFFICER, now: later }, []],
  ['withdraw', 'what is written off', { open: offered, outstanding: 0 }, []],
  ['withdraw', 'nothing, once paid back', paidBack, ['STEP_NOT_ALLOWED', 'EXTENSION_CLOSED']],
  ['accept', 'on its last day', { open: agreed }, []],
  ['accept', 'a day later', { open: agreed, now: later }, ['EXTENSION_CLOSED']],
  ['accept', 'nothing', none, ['EXTENSION_CLOSED']],
  ['accept', 'what one officer offers', { open: answered }, ['EXTENSION_CLOSED']],
  [
    'accept',
    'against everything, in order',
    { ...paidBack, open: offered, keyFacts: { seen: 'v0', today: 'v1' } },
    ['STEP_NOT_ALLOWED', 'EXTENSION_CLOSED', 'OFFER_CHANGED'],
  ],
])('%s %s', (action, _, more, codes) => {
  expect(actions[action]({ ...facts, ...more }).map(({ code }) => code)).toEqual(codes);
});

it('decides on the open extension', () => {
  const open = { ...agreed };
  expect(decideAgreement({ ...facts, open: offered }).decision).toBe(offered);
  expect(decideWithdrawal({ ...facts, open }).decision).toBe(open);
  expect(decideExtension({ ...facts, open }).decision).toBe(open);
});

it.each<[string, Partial<ExtendableDebt>, object, object]>([
  ['nothing', {}, { state: 'none', actions: ['ask'] }, { state: 'none', actions: ['offer'] }],
  ['nothing more', { accepted: 1 }, { state: 'none', actions: [] }, { state: 'none', actions: [] }],
  [
    'a request',
    { open: requested },
    { state: 'asked', actions: [] },
    { state: 'asked', actions: ['offer', 'withdraw'] },
  ],
  [
    'a request of a client who has none left',
    { open: requested, accepted: 1 },
    { state: 'asked', actions: [] },
    { state: 'asked', actions: ['withdraw'] },
  ],
  [
    'an offer that nobody asked for',
    { open: offered },
    { state: 'none', actions: [] },
    { state: 'offered', actions: ['agree', 'withdraw'] },
  ],
  [
    'an offer in answer to a request',
    { open: answered },
    { state: 'asked', actions: [] },
    { state: 'offered', actions: ['agree', 'withdraw'] },
  ],
  [
    'one’s own offer',
    { open: offered, me: OFFICER },
    { state: 'none', actions: [] },
    { state: 'offered', actions: ['withdraw'] },
  ],
  [
    'an agreed offer',
    { open: agreed },
    { state: 'agreed', actions: ['accept'] },
    { state: 'agreed', actions: ['withdraw'] },
  ],
  [
    'a lapsed offer',
    { open: agreed, now: later },
    { state: 'none', actions: [] },
    { state: 'agreed', actions: ['withdraw'] },
  ],
  ['a debt written off', { open: agreed, outstanding: 0 }, { state: 'none' }, { state: 'none' }],
])('the client and an officer are shown %s', (_, more, client, officer) => {
  expect(shownToClient({ ...debt, ...more })).toMatchObject(client);
  expect(shownToOfficer({ ...debt, ...more })).toMatchObject(officer);
});

it('a client knows of their request and of an agreed offer', () => {
  expect([requested, offered, answered, agreed].map(isKnownToClient)).toEqual([true, false, true, true]);
});
