import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { routes } from '#web/routes.tsx';
import { Screens } from '#web/shell/screens.tsx';
import { shareStyleNonce } from '#web/shell/style-nonce.ts';
import { ThemedRoot } from '#web/shell/theme.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
shareStyleNonce();
createRoot(root).render(
  <StrictMode>
    <ThemedRoot>
      <BrowserRouter>
        <Screens routes={routes} />
      </BrowserRouter>
    </ThemedRoot>
  </StrictMode>,
);
