import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type MouseEvent,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { currentPlace, type Location, type NavigateOptions, navigate, type Place, subscribe } from './history.ts';

/**
 * The small router that this application needs: plain routes, links, and an address that a screen can change. It
 * replaced a library that was a tenth of the first script (docs/decisions/0023-first-screen.md).
 */

/** A route; one without a path wraps its children. */
export interface PlainRoute<R> {
  readonly path?: string;
  readonly Component?: ComponentType;
  readonly children?: readonly R[];
}

type Params = Readonly<Record<string, string>>;

const PlaceContext = createContext<Place | undefined>(undefined);
const ParamsContext = createContext<Params>({});
const OutletContext = createContext<ReactNode>(null);

/** The outermost component: follows the browser's address. */
export function BrowserRouter({ children }: { readonly children: ReactNode }) {
  return <PlaceContext value={useSyncExternalStore(subscribe, currentPlace, currentPlace)}>{children}</PlaceContext>;
}

/** Like {@link BrowserRouter}, for a page being prerendered. */
export function FixedRouter({ pathname, children }: { readonly pathname: string; readonly children: ReactNode }) {
  const location = { pathname, search: '', hash: '', state: undefined, key: 'default' };
  return <PlaceContext value={{ location, arrivedBy: 'pop' }}>{children}</PlaceContext>;
}

function usePlace(): Place {
  const place = use(PlaceContext);
  if (place === undefined) throw new Error('there is no router around this');
  return place;
}

/** The current location; inside {@link RoutesAt}, the location shown. */
export function useLocation(): Location {
  return usePlace().location;
}

/** Returns a function that reports whether the address is still the one for which this screen was shown. */
export function useIsStillHere(): () => boolean {
  const { pathname } = useLocation();
  return () => currentPlace().location.pathname === pathname;
}

/** How the person arrived at this place. */
export function useArrivedBy(): Place['arrivedBy'] {
  return usePlace().arrivedBy;
}

/** The parameters in the address, as the route names them. */
export function useParams(): Readonly<Record<string, string | undefined>> {
  return use(ParamsContext);
}

/** The address's query, and a function that changes parts of it in place; null or empty values are removed. */
export function useSearchParams() {
  const { pathname, search } = useLocation();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback(
    (changes: Readonly<Record<string, string | null>>) => {
      // Reads the current address, so that two concurrent changes both take effect, and a person who has left the page
      // is not brought back.
      const now = currentPlace().location;
      if (now.pathname !== pathname) return;
      const next = new URLSearchParams(now.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
      }
      const query = next.toString();
      void navigate(query === '' ? pathname : `${pathname}?${query}`, { replace: true });
    },
    [pathname],
  );
  return [params, change] as const;
}

interface LinkProps extends ComponentProps<'a'>, NavigateOptions {
  readonly to: string;
}

/** A link within the application. New tabs and the like are left to the browser. */
export function Link({ to, replace, state, onClick, ...others }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const elsewhere = event.metaKey || event.altKey || event.ctrlKey || event.shiftKey || event.button !== 0;
    if (event.defaultPrevented || elsewhere || (others.target ?? '_self') !== '_self') return;
    event.preventDefault();
    void navigate(to, { replace, state });
  };
  return <a {...others} href={to} onClick={follow} />;
}

/** Navigates as soon as it is rendered. */
export function Navigate({ to, replace, state }: NavigateOptions & { readonly to: string }) {
  const go = useEffectEvent((place: string) => void navigate(place, { replace, state }));
  useEffect(() => go(to), [to]);
  return null;
}

/** The child route, inside a route that wraps others. */
export function Outlet() {
  return use(OutletContext);
}

interface Matched<R> {
  /** From the outermost to the innermost. */
  readonly routes: readonly R[];
  readonly params: Params;
}

/** The routes of a path: the most specific match, or '*' if there is none. */
export function matchRoutes<R extends PlainRoute<R>>(routes: readonly R[], pathname: string): Matched<R> | undefined {
  const found = branchesOf(routes).flatMap((branch) => matchBranch(branch, pathname) ?? []);
  return found.sort((one, other) => other.named - one.named)[0];
}

interface Branch<R> {
  readonly path: string;
  readonly routes: readonly R[];
}

function branchesOf<R extends PlainRoute<R>>(routes: readonly R[], around: readonly R[] = []): Branch<R>[] {
  return routes.flatMap((route) => {
    const chain = [...around, route];
    const own = route.path === undefined ? [] : [{ path: route.path, routes: chain }];
    return [...own, ...branchesOf(route.children ?? [], chain)];
  });
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** `named` is the number of matching literal segments; -1 for '*'. */
function matchBranch<R>({ path, routes }: Branch<R>, pathname: string): (Matched<R> & { named: number }) | undefined {
  if (path === '*') return { routes, params: {}, named: -1 };
  const wanted = segmentsOf(path);
  const given = segmentsOf(pathname);
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  let named = 0;
  for (const [index, segment] of wanted.entries()) {
    const part = given[index] ?? '';
    if (segment.startsWith(':')) params[segment.slice(1)] = decoded(part);
    else if (segment.toLowerCase() === part.toLowerCase()) named += 1;
    else return undefined;
  }
  return { routes, params, named };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

interface RoutesAtProps<R> {
  readonly routes: readonly R[];
  /** The location shown, which may still be the previous one. */
  readonly at: Location;
}

/** The screen of a location, inside the routes around it. */
export function RoutesAt<R extends PlainRoute<R>>({ routes, at }: RoutesAtProps<R>) {
  const { arrivedBy } = usePlace();
  const place = useMemo(() => ({ location: at, arrivedBy }), [at, arrivedBy]);
  const matched = useMemo(() => matchRoutes(routes, at.pathname), [routes, at.pathname]);
  if (matched === undefined) return null;
  return (
    <PlaceContext value={place}>
      <ParamsContext value={matched.params}>{nested(matched.routes)}</ParamsContext>
    </PlaceContext>
  );
}

/** Each route's component with its inner routes. */
function nested<R extends PlainRoute<R>>([outermost, ...within]: readonly R[]): ReactNode {
  if (outermost === undefined) return null;
  const { Component } = outermost;
  if (Component === undefined) return nested(within);
  return (
    <OutletContext value={nested(within)}>
      <Component />
    </OutletContext>
  );
}
