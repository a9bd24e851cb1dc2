/** Every URL of the application (docs/specification-coverage.md, 2). No other file spells one out. */
export const paths = {
  home: '/home',
  login: '/login',
  /** The second step of a login; without a first step it leads to the login screen. */
  secondStep: '/second-step',
  logout: '/logout',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  privacyPolicy: '/privacy-policy',
  cookiePolicy: '/cookie-policy',
  userAgreement: '/user-agreement',
  /** The texts before, by their day. */
  earlierPrivacyPolicy: '/privacy-policy/2025-06-25',
  earlierUserAgreement: '/user-agreement/2025-06-25',
  earlierAboutUs: '/about-us/2025-08-18',
  help: '/help',
  aboutUs: '/about-us',
  aboutKasente: '/about-kasente',
  apply: '/invoice-discounting-application',
  startApplication: '/application/start',
  application: (tag: string) => `/invoice-discounting-application/${tag}`,
  /** The form for the client's answer to a request. */
  answer: (tag: string) => `/invoice-discounting-application/${tag}#answer`,
  myApplications: '/invoices/applications',
  /** The list of applications with one status. */
  applicationsWith: (status: string) => `/invoices/applications?applications-filter=${encodeURIComponent(status)}`,
  desk: '/desk',
  /** A job of the desk under one of its filters; without a filter, the job's open work. */
  deskJob: (job: string, filter?: string) => `/desk?job=${job}${filter === undefined ? '' : `&filter=${filter}`}`,
  /** Payouts and accounts that wait for a second officer. */
  payouts: '/payouts',
  /** Statements, and money that waits to be assigned. */
  received: '/received-money',
  /** The daily comparison of statement and journal. */
  reconciliation: '/reconciliation',
  reconciliationOf: (account: string, currency: string, day?: string) =>
    `/reconciliation?account=${account}&currency=${currency}${day === undefined ? '' : `&day=${day}`}`,
  /** The double-entry journal: the trial balance, or the account or application that its query names. */
  journal: '/journal',
  journalOf: (application: string) => `/journal?application=${application}`,
  journalOfAccount: (account: string, currency: string) => `/journal?account=${account}&currency=${currency}`,
  /** The staff's figures over time. */
  reports: '/reports',
  /** A business's payout accounts. */
  payoutAccounts: '/payout-accounts',
  /** The page of the link in a message with which a payout account can be frozen. */
  freezeAccount: '/freeze-account',
  deskCase: (tag: string) => `/desk/${tag}`,
  /** The client's funding limit. */
  fundingLimit: '/home#funding-limit',
  businesses: '/businesses',
  business: (tag: string) => `/businesses/${tag}`,
  /** The buyers that clients requested. */
  buyersToAdd: '/businesses#buyers-to-add',
  /** The users who wait for activation. */
  waitingUsers: '/home?people-filter=Verified#users-heading',
  account: '/account',
  /** The document's file, for a new tab. */
  viewDocument: (tag: string) => `/api/v1/files/view/${tag}`,
} as const;
