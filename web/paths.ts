/** Every URL of the application (docs/specification-coverage.md, 2); no other file writes one. */
export const paths = {
  home: '/home',
  login: '/login',
  /** The second step of a login; without a first one it leads to the login screen. */
  secondStep: '/second-step',
  logout: '/logout',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  privacyPolicy: '/privacy-policy',
  cookiePolicy: '/cookie-policy',
  userAgreement: '/user-agreement',
  help: '/help',
  aboutUs: '/about-us',
  aboutKasente: '/about-kasente',
  apply: '/invoice-discounting-application',
  startApplication: '/application/start',
  application: (tag: string) => `/invoice-discounting-application/${tag}`,
  /** The client's answer to a request. */
  answer: (tag: string) => `/invoice-discounting-application/${tag}#answer`,
  myApplications: '/invoices/applications',
  /** The list of applications, those of one status. */
  applicationsWith: (status: string) => `/invoices/applications?applications-filter=${encodeURIComponent(status)}`,
  desk: '/desk',
  /** A job of the desk under one of its filters; without one, what the job has to do now. */
  deskJob: (job: string, filter?: string) => `/desk?job=${job}${filter === undefined ? '' : `&filter=${filter}`}`,
  /** Payouts and accounts that wait for a second officer. */
  payouts: '/payouts',
  /** Statements, and money that waits to be assigned. */
  arrived: '/arrived-money',
  /** Statement against journal, day by day. */
  reconciliation: '/reconciliation',
  reconciliationOf: (account: string, currency: string, day?: string) =>
    `/reconciliation?account=${account}&currency=${currency}${day === undefined ? '' : `&day=${day}`}`,
  /** The double-entry journal: the trial balance, or what its query names. */
  journal: '/journal',
  journalOf: (application: string) => `/journal?application=${application}`,
  journalOfAccount: (account: string, currency: string) => `/journal?account=${account}&currency=${currency}`,
  /** A business's payout accounts. */
  payoutAccounts: '/payout-accounts',
  /** The link of a message that freezes a payout account. */
  freezeAccount: '/freeze-account',
  deskCase: (tag: string) => `/desk/${tag}`,
  /** The client's funding limit. */
  fundingLimit: '/home#funding-limit',
  businesses: '/businesses',
  /** The businesses of that name. */
  businessesNamed: (name: string) => `/businesses?search=${encodeURIComponent(name)}`,
  /** The buyers that clients ask for. */
  buyersToAdd: '/businesses#buyers-to-add',
  /** The users who wait for activation. */
  waitingUsers: '/home?people-filter=Verified#users-heading',
  account: '/account',
  /** The file itself, in a new tab. */
  viewDocument: (tag: string) => `/api/v1/files/view/${tag}`,
} as const;
