import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '#web/platform/api/query-client.ts';
import { Outlet } from '#web/platform/router/router.tsx';

/** Around every screen that asks the server for something: all of them but the login screen, which travels without it. */
export function Queries() {
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
    </QueryClientProvider>
  );
}
