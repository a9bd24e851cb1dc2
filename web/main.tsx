import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { lookAhead } from '#web/platform/prefetch/screens.ts';
import { BrowserRouter } from '#web/platform/router/router.tsx';
import { forgetEndedSession } from '#web/platform/session/session.ts';
import { Application } from '#web/shell/application.tsx';
import { loadScreenAt } from '#web/shell/screens.tsx';
import { shareStyleNonce } from '#web/ui/theme/style-nonce.ts';
import { loadWhatFollowsLogin, routes } from './routes.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
shareStyleNonce();
// zod, which comes with the first form, else tries whether it may make functions of text, and every browser reports that.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
void begin(root);

/** Takes over the page as it was prerendered, with what was typed into it; or draws it where there is nothing to keep. */
async function begin(place: HTMLElement): Promise<void> {
  forgetEndedSession();
  lookAhead(routes, loadWhatFollowsLogin);
  const application = <Application Router={BrowserRouter} />;
  const early = window.kasenteEarly;
  // Drawn once, with its screen: without it there would be nothing to see but what the page shows until then.
  await loadScreenAt(routes, location.pathname);
  if (early === undefined || early.unfit) {
    place.replaceChildren();
    delete document.documentElement.dataset.unfit;
    createRoot(place).render(application);
    return;
  }
  hydrateRoot(place, application);
}
