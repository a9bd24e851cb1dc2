import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from '#web/platform/query-client.ts';
import { router } from '#web/routes.tsx';
import { shareStyleNonce } from '#web/shell/style-nonce.ts';
import { ThemedRoot } from '#web/shell/theme.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
shareStyleNonce();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ThemedRoot>
        <RouterProvider router={router} />
      </ThemedRoot>
    </QueryClientProvider>
  </StrictMode>,
);
