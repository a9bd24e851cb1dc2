import { createBrowserRouter } from 'react-router';
import { LoginPage } from '#web/accounts/login-page.tsx';
import { PublicLayout } from '#web/accounts/public-layout.tsx';
import { loadDashboard } from '#web/dashboard/dashboard-page.tsx';
import { paths } from '#web/paths.ts';
import { ErrorPage, ErrorScreen } from '#web/shell/error-page.tsx';
import { SignedInOnly, StaffOnly } from '#web/shell/guards.tsx';
import { page } from '#web/shell/load-page.ts';
import { FirstLoad } from '#web/shell/loading-bar.tsx';
import { Root } from '#web/shell/root.tsx';

// A screen's code travels when somebody opens it.
const signup = page(async () => (await import('#web/accounts/signup-page.tsx')).SignupPage);
const forgotPassword = page(async () => (await import('#web/accounts/forgot-password-page.tsx')).ForgotPasswordPage);
const resetPassword = page(async () => (await import('#web/accounts/reset-password-page.tsx')).ResetPasswordPage);
const textLayout = page(async () => (await import('#web/public-pages/text-layout.tsx')).TextLayout);
const privacyPolicy = page(async () => (await import('#web/public-pages/privacy-policy-page.tsx')).PrivacyPolicyPage);
const cookiePolicy = page(async () => (await import('#web/public-pages/cookie-policy-page.tsx')).CookiePolicyPage);
const userAgreement = page(async () => (await import('#web/public-pages/user-agreement-page.tsx')).UserAgreementPage);
const about = page(async () => (await import('#web/public-pages/about-page.tsx')).AboutPage);
const layout = page(async () => (await import('#web/shell/layout.tsx')).Layout);
const dashboard = page(loadDashboard);
const application = page(async () => (await import('#web/application-screen/application-page.tsx')).ApplicationPage);
const myApplications = page(
  async () => (await import('#web/applications/my-applications-page.tsx')).MyApplicationsPage,
);
const desk = page(async () => (await import('#web/desk-screen/desk-page.tsx')).DeskPage);
const deskCase = page(async () => (await import('#web/desk-screen/case-page.tsx')).CasePage);
const businesses = page(async () => (await import('#web/desk-screen/clients-page.tsx')).ClientsPage);

/** Every route (specification, section 2). */
export const router = createBrowserRouter([
  {
    Component: Root,
    ErrorBoundary: ErrorScreen,
    HydrateFallback: FirstLoad,
    children: [
      {
        Component: PublicLayout,
        children: [
          { path: paths.signup, lazy: signup },
          { path: paths.forgotPassword, lazy: forgotPassword },
          { path: paths.resetPassword, lazy: resetPassword },
          // The login screen stands behind every path that is not known.
          { path: '*', Component: LoginPage },
        ],
      },
      {
        lazy: textLayout,
        children: [
          { path: paths.privacyPolicy, lazy: privacyPolicy },
          { path: paths.cookiePolicy, lazy: cookiePolicy },
          { path: paths.userAgreement, lazy: userAgreement },
          { path: paths.aboutUs, lazy: about },
          { path: paths.aboutKasente, lazy: about },
        ],
      },
      // Root logs out there; without children of its own it needs no other script for it.
      { path: paths.logout },
      {
        Component: SignedInOnly,
        children: [
          {
            lazy: layout,
            children: [
              {
                // A screen that fails leaves header and menu standing.
                ErrorBoundary: ErrorPage,
                children: [
                  { path: '/', lazy: dashboard },
                  { path: paths.home, lazy: dashboard },
                  { path: paths.apply, lazy: application },
                  { path: paths.startApplication, lazy: application },
                  { path: paths.application(':tag'), lazy: application },
                  { path: paths.myApplications, lazy: myApplications },
                  {
                    Component: StaffOnly,
                    children: [
                      { path: paths.desk, lazy: desk },
                      { path: paths.deskCase(':tag'), lazy: deskCase },
                      { path: paths.businesses, lazy: businesses },
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
]);
