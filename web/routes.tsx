import { LoginPage } from '#web/accounts/login-page.tsx';
import { PublicLayout } from '#web/accounts/public-layout.tsx';
import { askForInvoice } from '#web/application-screen/ahead.ts';
import { loadClientDashboard, loadDashboard } from '#web/dashboard/dashboard-page.tsx';
import { paths } from '#web/paths.ts';
import { PageOrError } from '#web/shell/error-page.tsx';
import { SignedInOnly, StaffOnly } from '#web/shell/guards.tsx';
import { page, type Route } from '#web/shell/load-page.ts';
import { Root } from '#web/shell/root.tsx';

// A screen's code travels when somebody opens it.
const signup = page(async () => (await import('#web/accounts/signup-page.tsx')).SignupPage);
const forgotPassword = page(async () => (await import('#web/accounts/forgot-password-page.tsx')).ForgotPasswordPage);
const secondStep = page(async () => (await import('#web/accounts/second-step-page.tsx')).SecondStepPage);
const resetPassword = page(async () => (await import('#web/accounts/reset-password-page.tsx')).ResetPasswordPage);
const textLayout = page(async () => (await import('#web/public-pages/text-layout.tsx')).TextLayout);
const privacyPolicy = page(async () => (await import('#web/public-pages/privacy-policy-page.tsx')).PrivacyPolicyPage);
const cookiePolicy = page(async () => (await import('#web/public-pages/cookie-policy-page.tsx')).CookiePolicyPage);
const userAgreement = page(async () => (await import('#web/public-pages/user-agreement-page.tsx')).UserAgreementPage);
const about = page(async () => (await import('#web/public-pages/about-page.tsx')).AboutPage);
const queries = page(async () => (await import('#web/shell/queries.tsx')).Queries);
const layout = page(async () => (await import('#web/shell/layout.tsx')).Layout);
const dashboard = page(loadDashboard);
const application = {
  ...page(async () => (await import('#web/application-screen/application-page.tsx')).ApplicationPage),
  ahead: askForInvoice,
};
const myApplications = page(
  async () => (await import('#web/applications/my-applications-page.tsx')).MyApplicationsPage,
);
const account = page(async () => (await import('#web/accounts/account-page.tsx')).AccountPage);
const desk = page(async () => (await import('#web/desk-screen/desk-page.tsx')).DeskPage);
const deskCase = page(async () => (await import('#web/desk-screen/case-page.tsx')).CasePage);
const businesses = page(async () => (await import('#web/desk-screen/clients-page.tsx')).ClientsPage);

/** Every route (specification, section 2). */
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
            ],
          },
          // The login screen stands behind every path that is not known.
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
              { path: paths.aboutUs, ...about },
              { path: paths.aboutKasente, ...about },
            ],
          },
        ],
      },
      // Root logs out there; without children of its own it needs no other script for it.
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
                    // A screen that fails leaves header and menu standing.
                    Component: PageOrError,
                    children: [
                      { path: '/', ...dashboard },
                      { path: paths.home, ...dashboard },
                      { path: paths.apply, ...application },
                      { path: paths.startApplication, ...application },
                      { path: paths.application(':tag'), ...application },
                      { path: paths.myApplications, ...myApplications },
                      { path: paths.account, ...account },
                      {
                        Component: StaffOnly,
                        children: [
                          { path: paths.desk, ...desk },
                          { path: paths.deskCase(':tag'), ...deskCase },
                          { path: paths.businesses, ...businesses },
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

/** What follows a login, while the form is filled in. Who types a phone number is a client; staff have an e-mail address. */
export function loadWhatFollowsLogin(username: string): void {
  void queries.code.loadAhead();
  void layout.code.loadAhead();
  if (/^\s*[+\d]/.test(username)) void loadClientDashboard();
}
