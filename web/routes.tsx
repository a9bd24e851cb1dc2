import { LoginPage } from '#web/accounts/login/login-page.tsx';
import { PublicLayout } from '#web/accounts/public-layout.tsx';
import { invoiceAsksFirst } from '#web/applications/screen/asks-first.ts';
import { dashboardAsksFirst, loadClientDashboard, loadDashboard } from '#web/dashboard/dashboard-page.tsx';
import { page, type Route } from '#web/platform/router/screen-code.ts';
import { PageOrError } from '#web/shell/error-page.tsx';
import { SignedInOnly, StaffOnly } from '#web/shell/guards.tsx';
import { Root } from '#web/shell/root.tsx';
import { paths } from './paths.ts';

// A screen's code is loaded when the screen is opened.
const signup = page(async () => (await import('#web/accounts/signup/signup-page.tsx')).SignupPage);
const forgotPassword = page(
  async () => (await import('#web/accounts/password-reset/forgot-password-page.tsx')).ForgotPasswordPage,
);
const secondStep = page(async () => (await import('#web/accounts/login/second-step-page.tsx')).SecondStepPage);
const resetPassword = page(
  async () => (await import('#web/accounts/password-reset/reset-password-page.tsx')).ResetPasswordPage,
);
const textLayout = page(async () => (await import('#web/public-pages/text-layout.tsx')).TextLayout);
const privacyPolicy = page(async () => (await import('#web/public-pages/privacy-policy-page.tsx')).PrivacyPolicyPage);
const cookiePolicy = page(async () => (await import('#web/public-pages/cookie-policy-page.tsx')).CookiePolicyPage);
const userAgreement = page(async () => (await import('#web/public-pages/user-agreement-page.tsx')).UserAgreementPage);
const help = page(async () => (await import('#web/public-pages/help-page.tsx')).HelpPage);
const about = page(async () => (await import('#web/public-pages/about-page.tsx')).AboutPage);
const earlierText = page(async () => (await import('#web/public-pages/earlier-page.tsx')).EarlierPage);
const queries = page(async () => (await import('#web/shell/queries.tsx')).Queries);
const layout = page(async () => (await import('#web/shell/layout/layout.tsx')).Layout);
const dashboard = { ...page(loadDashboard), asksFirst: dashboardAsksFirst };
const application = {
  ...page(async () => (await import('#web/applications/screen/application-page.tsx')).ApplicationPage),
  asksFirst: invoiceAsksFirst,
};
const myApplications = page(
  async () => (await import('#web/applications/list/my-applications-page.tsx')).MyApplicationsPage,
);
const account = page(async () => (await import('#web/accounts/own-account/account-page.tsx')).AccountPage);
const desk = page(async () => (await import('#web/desk/queue/desk-page.tsx')).DeskPage);
const deskCase = page(async () => (await import('#web/desk/case/case-page.tsx')).CasePage);
const freezeAccount = page(async () => (await import('#web/applications/payout-account/freeze-page.tsx')).FreezePage);
const payoutAccounts = page(
  async () => (await import('#web/applications/payout-account/payout-accounts-page.tsx')).PayoutAccountsPage,
);
const payouts = page(async () => (await import('#web/desk/payouts/payouts-page.tsx')).PayoutsPage);
const received = page(async () => (await import('#web/desk/statements/received-page.tsx')).ReceivedPage);
const reconciliation = page(
  async () => (await import('#web/desk/reconciliation/reconciliation-page.tsx')).ReconciliationPage,
);
const journal = page(async () => (await import('#web/desk/journal/journal-page.tsx')).JournalPage);
const reports = page(async () => (await import('#web/figures/reports-page.tsx')).ReportsPage);
const businesses = page(async () => (await import('#web/businesses/businesses-page.tsx')).BusinessesPage);
const business = page(async () => (await import('#web/businesses/business-page.tsx')).BusinessPage);

/** Every route (docs/specification-coverage.md, 2). */
export const routes: Route[] = [
  {
    Component: Root,
    children: [
      {
        Component: PublicLayout,
        children: [
          {
            ...queries,
            children: [
              { path: paths.signup, ...signup },
              { path: paths.forgotPassword, ...forgotPassword },
              { path: paths.resetPassword, ...resetPassword },
              { path: paths.secondStep, ...secondStep },
              { path: paths.freezeAccount, ...freezeAccount },
            ],
          },
          // Unknown paths show the login screen.
          { path: '*', Component: LoginPage },
        ],
      },
      {
        ...queries,
        children: [
          {
            ...textLayout,
            children: [
              { path: paths.privacyPolicy, ...privacyPolicy },
              { path: paths.cookiePolicy, ...cookiePolicy },
              { path: paths.userAgreement, ...userAgreement },
              { path: paths.earlierPrivacyPolicy, ...earlierText },
              { path: paths.earlierUserAgreement, ...earlierText },
              { path: paths.earlierAboutUs, ...earlierText },
              { path: paths.help, ...help },
              { path: paths.aboutUs, ...about },
              { path: paths.aboutKasente, ...about },
            ],
          },
        ],
      },
      // Root handles the logout there; without children this route needs no other script.
      { path: paths.logout },
      {
        Component: SignedInOnly,
        children: [
          {
            ...queries,
            children: [
              {
                ...layout,
                children: [
                  {
                    // If a screen fails, header and menu stay.
                    Component: PageOrError,
                    children: [
                      { path: '/', ...dashboard },
                      { path: paths.home, ...dashboard },
                      { path: paths.apply, ...application },
                      { path: paths.startApplication, ...application },
                      { path: paths.application(':tag'), ...application },
                      { path: paths.myApplications, ...myApplications },
                      { path: paths.account, ...account },
                      { path: paths.payoutAccounts, ...payoutAccounts },
                      {
                        Component: StaffOnly,
                        children: [
                          { path: paths.desk, ...desk },
                          { path: paths.deskCase(':tag'), ...deskCase },
                          { path: paths.businesses, ...businesses },
                          { path: paths.business(':tag'), ...business },
                          { path: paths.payouts, ...payouts },
                          { path: paths.received, ...received },
                          { path: paths.reconciliation, ...reconciliation },
                          { path: paths.journal, ...journal },
                          { path: paths.reports, ...reports },
                        ],
                      },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
];

/**
 * Prefetches the code needed after a login while the form is filled in. A phone number means a client; staff have an
 * e-mail address.
 */
export function loadWhatFollowsLogin(username: string): void {
  void queries.code.prefetch();
  void layout.code.prefetch();
  if (/^\s*[+\d]/.test(username)) void loadClientDashboard();
}
