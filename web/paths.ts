/** Every URL of the application (specification, section 2); no other file writes one. */
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
  aboutUs: '/about-us',
  aboutKasente: '/about-kasente',
  apply: '/invoice-discounting-application',
  startApplication: '/application/start',
  application: (tag: string) => `/invoice-discounting-application/${tag}`,
  myApplications: '/invoices/applications',
  desk: '/desk',
  /** One of the desk's queues; without a view, those that wait for a decision. */
  deskQueue: (view: string) => `/desk?view=${view}`,
  deskCase: (tag: string) => `/desk/${tag}`,
  /** Where a client sees their funding limit. */
  fundingLimit: '/home#funding-limit',
  businesses: '/businesses',
  account: '/account',
  /** The file itself, in a new tab. */
  viewDocument: (tag: string) => `/api/v1/files/view/${tag}`,
} as const;
