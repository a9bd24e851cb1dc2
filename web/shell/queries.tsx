import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '#web/platform/api/query-client.ts';
import { Outlet } from '#web/platform/router/router.tsx';

/** Wraps every screen that makes requests: all except the login screen, which loads without this code. */
export function Queries() {
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
    </QueryClientProvider>
  );
}
