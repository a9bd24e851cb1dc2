import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { beginPrefetching } from '#web/platform/prefetch/screens.ts';
import { BrowserRouter } from '#web/platform/router/router.tsx';
import { forgetEndedSession } from '#web/platform/session/session.ts';
import { Application } from '#web/shell/application.tsx';
import { loadScreenAt } from '#web/shell/screens.tsx';
import { loadWhatFollowsLogin, routes } from './routes.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
// Without this, zod tries to compile functions from text, which the content security policy reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
void begin(root);

/** Hydrates the prerendered page, keeping the values typed into it, or renders it if there is none. */
async function begin(place: HTMLElement): Promise<void> {
  forgetEndedSession();
  beginPrefetching(routes, loadWhatFollowsLogin);
  const application = <Application Router={BrowserRouter} />;
  const before = window.kasenteBeforeHydration;
  // Waits for the screen's code, so that the page is drawn once: before that there is nothing to show beyond the page
  // as it is.
  await loadScreenAt(routes, location.pathname);
  if (before === undefined || before.unfit) {
    place.replaceChildren();
    delete document.documentElement.dataset.unfit;
    createRoot(place).render(application);
    return;
  }
  hydrateRoot(place, application);
}
