import { useEffect, useState } from 'react';
import type { Location } from '#web/platform/router/history.ts';
import { matchRoutes, RoutesAt, useLocation } from '#web/platform/router/router.tsx';
import type { Route, ScreenCode } from '#web/platform/router/screen-code.ts';
import { useScrollPlaces } from '#web/platform/router/scroll-places.ts';
import { LoadingLine } from '#web/ui/loading/loading-line.tsx';
import { ScreenOrError } from './error-page.tsx';

/** The screen of the address. Until its code has loaded, the previous screen stays, with a progress bar. */
export function Screens({ routes }: { readonly routes: Route[] }) {
  const asked = useLocation();
  const shown = useArrived(routes, asked);
  return (
    <>
      {shown !== asked && <LoadingLine along="window" />}
      {shown !== undefined && <Shown routes={routes} at={shown} />}
    </>
  );
}

function Shown({ routes, at }: { readonly routes: Route[]; readonly at: Location }) {
  useScrollPlaces(at);
  return (
    <ScreenOrError at={at}>
      <RoutesAt routes={routes} at={at} />
    </ScreenOrError>
  );
}

/** The last requested location whose code has loaded or failed to load. Layout and screen load concurrently. */
function useArrived(routes: Route[], asked: Location): Location | undefined {
  const [shown, setShown] = useState<Location>();
  if (shown !== asked && awaitedAt(routes, asked).length === 0) setShown(asked);
  useEffect(() => {
    let overtaken = false;
    void Promise.all(awaitedAt(routes, asked).map((code) => code.load())).then(() => {
      if (!overtaken) setShown(asked);
    });
    return () => {
      overtaken = true;
    };
  }, [routes, asked]);
  return shown;
}

/** Loads the code of a prerendered screen, so that it can be hydrated. */
export async function loadScreenAt(routes: Route[], pathname: string): Promise<void> {
  await Promise.all(awaitedAt(routes, { pathname }).map((code) => code.load()));
}

/** The code for a location, not loaded yet. */
function awaitedAt(routes: Route[], place: Pick<Location, 'pathname'>): ScreenCode[] {
  const matched = matchRoutes(routes, place.pathname)?.routes ?? [];
  return matched.flatMap(({ code }) => (code === undefined || code.hasArrived() ? [] : [code]));
}
