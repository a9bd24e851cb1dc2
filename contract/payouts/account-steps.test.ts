import { expect, it } from 'vitest';
import {
  decideChoice,
  expectsNoWait,
  isBarredFromVerifying,
  refusalsToAddAccount,
  refusalsToVerify,
  skipsWait,
} from './account-steps.ts';

const told = ({ code, fields }: { readonly code: string; readonly fields?: object }) =>
  fields === undefined ? code : `${code} at ${Object.keys(fields).join()}`;

const adding = { isBusinessActive: true, isKnown: false, addedInADay: 4, replacesUnknown: false };

it.each<[string, Partial<typeof adding>, string[]]>([
  ['as the fifth of a day', {}, []],
  ['by an inactive business', { isBusinessActive: false }, ['BUSINESS_INACTIVE']],
  ['twice', { isKnown: true }, ['PAYOUT_ACCOUNT_KNOWN at number']],
  ['as the sixth of a day', { addedInADay: 5 }, ['PAYOUT_ACCOUNTS_MANY']],
  ['in place of an unknown one', { replacesUnknown: true }, ['UNKNOWN_REFERENCE at replaces']],
  [
    'against everything, in order',
    { isBusinessActive: false, isKnown: true, addedInADay: 5, replacesUnknown: true },
    ['BUSINESS_INACTIVE', 'PAYOUT_ACCOUNT_KNOWN at number', 'PAYOUT_ACCOUNTS_MANY', 'UNKNOWN_REFERENCE at replaces'],
  ],
])('an account is added %s', (_, more, expected) => {
  expect(refusalsToAddAccount({ ...adding, ...more }).map(told)).toEqual(expected);
});

const now = new Date('2026-11-20T08:00:00Z');
type Verifying = Parameters<typeof refusalsToVerify>[0];
const account: Verifying['account'] = {
  id: 7,
  provider: 'mtn',
  number: '0772000001',
  holderName: 'Sarah Nabirye',
  bankName: null,
  verifiedAt: null,
  skipsWait: false,
  frozenAt: null,
  replacedAt: null,
  holderState: 'active',
  holderSaid: 'NABIRYE SARAH',
  holderAskedAt: now,
};
const verifying: Verifying = {
  now,
  newUntil: undefined,
  isOwnBusiness: false,
  hasAdded: false,
  account,
  waitMs: 1000,
  isShared: false,
  reason: undefined,
  readDifference: undefined,
};
const newUntil = new Date('2026-11-21T08:00:00Z');
const reason = 'Seen on paper';
const differs = { ...account, holderSaid: 'MOSES WAISWA' };
const readDifference = 'MTN says: MOSES WAISWA. The client says: MTN ••• 001, Sarah Nabirye (account 7)';

it.each<[string, Partial<Verifying>, string[]]>([
  ['that nobody has verified', {}, []],
  ['whose provider was not asked', { account: { ...account, holderState: null, holderAskedAt: null } }, []],
  ['that is frozen', { account: { ...account, verifiedAt: now, frozenAt: now } }, []],
  ['of one’s own business', { isOwnBusiness: true }, ['OWN_BUSINESS']],
  ['that the officer added', { hasAdded: true }, ['OWN_ACCOUNT']],
  ['that was replaced', { account: { ...account, replacedAt: now } }, ['PAYOUT_ACCOUNT_REPLACED']],
  [
    'that was frozen and replaced',
    { account: { ...account, frozenAt: now, replacedAt: now } },
    ['PAYOUT_ACCOUNT_REPLACED'],
  ],
  ['that waits', { account: { ...account, verifiedAt: now } }, ['PAYOUT_ACCOUNT_VERIFIED']],
  ['that is usable', { account: { ...account, verifiedAt: now }, waitMs: 0 }, ['PAYOUT_ACCOUNT_VERIFIED']],
  ['as a new officer', { newUntil }, ['NEW_OFFICER']],
  ['that another business has', { isShared: true }, ['PAYOUT_ACCOUNT_SHARED at reason']],
  ['that another business has, for a reason', { isShared: true, reason }, []],
  [
    'that nobody holds, for a reason',
    { account: { ...account, holderState: 'none' }, reason },
    ['PAYOUT_NUMBER_INACTIVE'],
  ],
  ['whose number is closed', { account: { ...account, holderState: 'closed' } }, ['PAYOUT_NUMBER_INACTIVE']],
  ['of another holder', { account: differs }, ['HOLDER_DIFFERS at reason']],
  ['of another holder, without a reason', { account: differs, readDifference }, ['HOLDER_DIFFERS at reason']],
  ['of another holder, unread', { account: differs, reason }, ['HOLDER_DIFFERS at reason']],
  [
    'of another holder than was read',
    { account: differs, reason, readDifference: 'MTN says: JOHN' },
    ['HOLDER_DIFFERS at reason'],
  ],
  ['of another holder, acknowledged', { account: differs, reason, readDifference }, []],
  [
    'against everything, in order',
    { isOwnBusiness: true, hasAdded: true, account: { ...differs, verifiedAt: now }, newUntil, isShared: true },
    [
      'OWN_BUSINESS',
      'OWN_ACCOUNT',
      'PAYOUT_ACCOUNT_VERIFIED',
      'NEW_OFFICER',
      'PAYOUT_ACCOUNT_SHARED at reason',
      'HOLDER_DIFFERS at reason',
    ],
  ],
])('an officer verifies an account %s', (_, more, expected) => {
  expect(refusalsToVerify({ ...verifying, ...more }).map(told)).toEqual(expected);
});

const first: Parameters<typeof skipsWait>[0] = {
  account,
  isFirstOwn: true,
  isProved: true,
  hasColleagues: false,
  isShared: false,
  hasChanged: false,
};

it('the first account of one person, with the number they signed up with, is paid to at once', () => {
  expect(skipsWait(first)).toBe(true);
});

it.each<[string, Partial<typeof first>]>([
  ['a later account, or another number', { isFirstOwn: false }],
  ['a number that no PIN proved', { isProved: false }],
  ['an account to which a colleague may object', { hasColleagues: true }],
  ['an account that another business has', { isShared: true }],
  ['an account checked by an officer who let the person in', { hasChanged: true }],
  ['an account of another holder, for a reason', { account: differs }],
  ['an account whose holder the provider does not name', { account: { ...account, holderSaid: null } }],
  ['an account whose provider did not answer', { account: { ...account, holderState: 'unknown' } }],
  ['an account whose provider was not asked', { account: { ...account, holderState: null, holderAskedAt: null } }],
  ['an account that was checked before', { account: { ...account, verifiedAt: now } }],
  ['an account that was frozen', { account: { ...account, frozenAt: now } }],
])('%s waits', (_, more) => {
  expect(skipsWait({ ...first, ...more })).toBe(false);
});

it('an account is expected to skip the wait until something speaks against it', () => {
  const expected = (given: object) => expectsNoWait({ ...account, isFirstOwn: true, ...given });
  expect(expected({ holderState: null, holderSaid: null })).toBe(true);
  expect(expected({})).toBe(true);
  expect(expected({ isFirstOwn: false })).toBe(false);
  expect(expected({ holderSaid: 'OKELLO PETER' })).toBe(false);
  expect(expected({ verifiedAt: now })).toBe(false);
  expect(expected({ verifiedAt: now, skipsWait: true })).toBe(true);
});

it('the screen bars an officer of the business, and the officer who added the account', () => {
  const barred = (isOwnBusiness: boolean, hasAdded: boolean) => isBarredFromVerifying({ isOwnBusiness, hasAdded });
  expect([barred(false, false), barred(true, false), barred(false, true)]).toEqual([false, true, true]);
});

const accounts = [
  { tag: 'a', state: 'unverified' },
  { tag: 'b', state: 'frozen' },
  { tag: 'c', state: 'replaced' },
] as const;
const choosing = { isOver: false, isUnderWay: false, accounts, accountTag: 'A' };

it.each<[string, Partial<typeof choosing>, string[]]>([
  ['that is not verified yet', {}, ['a']],
  ['for an application that is over', { isOver: true }, ['STEP_NOT_ALLOWED']],
  ['while a payout is under way', { isUnderWay: true }, ['PAYOUT_UNDER_WAY']],
  ['that the business does not have', { accountTag: 'x' }, ['UNKNOWN_REFERENCE at accountTag']],
  ['that is frozen', { accountTag: 'b' }, ['PAYOUT_ACCOUNT_FROZEN at accountTag']],
  ['that is replaced', { accountTag: 'c' }, ['PAYOUT_ACCOUNT_REPLACED at accountTag']],
  [
    'against everything, in order',
    { isOver: true, isUnderWay: true, accountTag: 'b' },
    ['STEP_NOT_ALLOWED', 'PAYOUT_UNDER_WAY', 'PAYOUT_ACCOUNT_FROZEN at accountTag'],
  ],
])('a client chooses an account %s', (_, more, expected) => {
  const { refusals, decision } = decideChoice({ ...choosing, ...more });
  expect(decision === undefined ? refusals.map(told) : [decision.tag]).toEqual(expected);
});
