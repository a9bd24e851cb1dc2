import { type ComponentType, type ReactNode, StrictMode } from 'react';
import { routes } from '#web/routes.tsx';
import { ThemedRoot } from '#web/ui/theme/theme.tsx';
import { Screens } from './screens.tsx';

/** The whole application, inside a router for the browser's address or for that of a page being prerendered. */
export function Application({ Router }: { readonly Router: ComponentType<{ readonly children: ReactNode }> }) {
  return (
    <StrictMode>
      <ThemedRoot>
        <Router>
          <Screens routes={routes} />
        </Router>
      </ThemedRoot>
    </StrictMode>
  );
}
