import { createBrowserRouter } from 'react-router';
import { paths } from '#web/paths.ts';
import { ErrorPage } from '#web/shell/error-page.tsx';
import { SignedInOnly, StaffOnly } from '#web/shell/guards.tsx';

/** Every route (specification, section 2). A screen's code travels when somebody opens it. */
export const router = createBrowserRouter([
  {
    errorElement: <ErrorPage />,
    children: [
      {
        lazy: async () => ({ Component: (await import('#web/accounts/public-layout.tsx')).PublicLayout }),
        children: [
          {
            path: paths.signup,
            lazy: async () => ({ Component: (await import('#web/accounts/signup-page.tsx')).SignupPage }),
          },
          {
            path: paths.forgotPassword,
            lazy: async () => ({
              Component: (await import('#web/accounts/forgot-password-page.tsx')).ForgotPasswordPage,
            }),
          },
          {
            path: paths.resetPassword,
            lazy: async () => ({
              Component: (await import('#web/accounts/reset-password-page.tsx')).ResetPasswordPage,
            }),
          },
          // The login screen stands behind every path that is not known.
          { path: '*', lazy: async () => ({ Component: (await import('#web/accounts/login-page.tsx')).LoginPage }) },
        ],
      },
      {
        Component: SignedInOnly,
        children: [
          {
            lazy: async () => ({ Component: (await import('#web/shell/layout.tsx')).Layout }),
            children: [
              ...['/', paths.home].map((path) => ({
                path,
                lazy: async () => ({ Component: (await import('#web/dashboard/dashboard-page.tsx')).DashboardPage }),
              })),
              ...[paths.apply, paths.startApplication, paths.application(':tag')].map((path) => ({
                path,
                lazy: async () => ({
                  Component: (await import('#web/application-screen/application-page.tsx')).ApplicationPage,
                }),
              })),
              {
                path: paths.myApplications,
                lazy: async () => ({
                  Component: (await import('#web/applications/my-applications-page.tsx')).MyApplicationsPage,
                }),
              },
              {
                Component: StaffOnly,
                children: [
                  {
                    path: paths.businesses,
                    lazy: async () => ({
                      Component: (await import('#web/businesses/businesses-page.tsx')).BusinessesPage,
                    }),
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
