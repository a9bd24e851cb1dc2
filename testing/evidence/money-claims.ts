/** Claims about money: the rows of claims.ts about who moves it, and whether it is counted once. */
export const moneyClaims = {
  races: {
    section: 'Faults',
    against: '50 officers or clients decide, approve, take or withdraw at once',
    goal: '1,000 races each: exactly one winner',
    by: 'server/desk/races.test.ts',
    proves: ['contract/applications/', 'server/applications/', 'server/desk/', 'server/steps/'],
  },
  'limit-races': {
    section: 'Faults',
    against: '50 submissions against a limit’s last shilling; 50 submissions, reversals or payments of one application',
    goal: '1,000 races each: as many as fit, never one more; each done once; no shilling lost',
    by: 'server/limits/races.test.ts',
    proves: ['contract/limits/', 'server/applications/', 'server/limits/', 'server/payments/'],
  },
  journal: {
    section: 'Faults',
    against:
      'Random histories of payments, deductions, reversals and write-offs in two currencies, all connections cut again and again',
    goal: '1,000,000 lines: 0 entries that do not balance, each balance follows from what is in force',
    by: 'server/journal/histories.test.ts',
    proves: ['contract/journal/', 'contract/money.ts', 'contract/payments/', 'server/journal/', 'server/payments/'],
  },
  rails: {
    section: 'Faults',
    against:
      'SIGKILL at every point between preparing and the closed day, of payouts (in parts, by file), requests to pay and statements; ' +
      'answers and calls back that are lost, doubled, late, forged; payments that a statement lacks',
    goal:
      '500 kills, MTN and Airtel as processes: nothing paid or counted twice, none lost, every one known; journal and the books of both and ' +
      'of the bank agree to the shilling; the record names nothing; of the day’s differences none is open',
    by: 'proof/rails/rails.test.ts',
    proves: ['server/payouts/', 'server/rails/', 'server/requests-to-pay/', 'server/statements/', 'server/transfers/'],
  },
  'rails-load': {
    section: 'Faults',
    against:
      'Ten thousand payouts and requests to pay at once, two servers, a provider that is slow, then silent, then down, then back',
    goal: 'p99 of other people’s lists, dashboards and saves under 500 ms; back within a minute of the provider; each paid once',
    by: 'proof/rails/rails-load.test.ts',
    proves: ['server/jobs/', 'server/rails/', 'server/requests-to-pay/', 'server/traffic/', 'server/transfers/'],
  },
  'no-single-officer': {
    section: 'Attackers',
    against:
      'One officer who cheats, with a client who helps: a limit raised, cases approved and paid out alone, a payout that left reversed',
    goal:
      '200 officers of 150 calls each in any order, and the attack that was reproduced: no money moves; 300 races each ' +
      'beside a lowered limit, a deactivated officer and a deactivated business: none slips through',
    by: 'server/desk/collusion/alone.test.ts',
    proves: [
      'contract/permissions.ts',
      'server/approvals/',
      'server/desk/',
      'server/limits/',
      'server/payments/',
      'server/payouts/',
    ],
  },
  'cheating-officer': {
    section: 'Attackers',
    against:
      'An officer who activates a number of their own into a client’s business, applies, approves and pays; or who reverses or settles what a client owes',
    goal: '300 attempts of each: none past a first approval, no debt gone, client and officers told; 300 races of each kind: no approval overlooks a flag, a replaced document or who moved the applicant',
    by: 'server/desk/collusion/cheating.test.ts',
    proves: [
      'server/approvals/',
      'server/flags/',
      'server/onboarding/',
      'server/payments/',
      'server/payout-accounts/',
      'server/payouts/',
    ],
  },
} as const;
