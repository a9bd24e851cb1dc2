import { join } from 'node:path';

/**
 * The chunks of the web application (docs/decisions/0023-first-screen.md). By default, the bundler creates a chunk for
 * every combination of screens: 55 for a client's dashboard, of 2 kB on average, each with its own headers and loaded
 * six at a time. Here, the main job has one chunk per stage, in the order of its screens, without the modules of
 * earlier stages.
 */

const queries = ['web/shell/queries.tsx'];
const toasts = ['web/ui/toasts/toast-place.tsx'];
const signup = ['web/accounts/signup/signup-page.tsx'];
const beforeLogin = [
  ...signup,
  'web/accounts/login/second-step-page.tsx',
  'web/accounts/password-reset/forgot-password-page.tsx',
  'web/accounts/password-reset/reset-password-page.tsx',
];
const texts = [
  'web/public-pages/text-layout.tsx',
  'web/public-pages/privacy-policy-page.tsx',
  'web/public-pages/user-agreement-page.tsx',
];
const client = ['web/shell/layout/layout.tsx', 'web/dashboard/client-dashboard.tsx'];
const application = ['web/applications/screen/application-page.tsx'];
const ownFigures = ['web/figures/client-figures.tsx'];
const staffFigures = ['web/figures/reports-page.tsx'];
const staff = ['web/dashboard/staff-dashboard.tsx'];
const businesses = ['web/businesses/businesses-page.tsx'];
const otherStaff = [
  'web/desk/queue/desk-page.tsx',
  'web/desk/case/case-page.tsx',
  ...businesses,
  'web/businesses/business-page.tsx',
  'web/accounts/own-account/account-page.tsx',
];

interface Stage {
  readonly name: string;
  /** The modules that all of these screens need, with their imports. */
  readonly screens: readonly (readonly string[])[];
}

/** Modules shared by sign-up and the screens after login have their own chunk, and so does the forms' zod. */
const stages: readonly Stage[] = [
  { name: 'toasts', screens: [toasts] },
  { name: 'queries', screens: [queries] },
  { name: 'plain', screens: [texts, [...beforeLogin, ...client]] },
  { name: 'shared', screens: [beforeLogin, client] },
  { name: 'client', screens: [client] },
  { name: 'forms', screens: [beforeLogin, [...application, ...otherStaff]] },
  { name: 'signup', screens: [signup] },
  { name: 'dialogs', screens: [application, [...staff, ...businesses]] },
  { name: 'record', screens: [application, otherStaff] },
  { name: 'application', screens: [application] },
  { name: 'tables', screens: [ownFigures, staff] },
  { name: 'figures', screens: [ownFigures, staffFigures] },
  { name: 'staff', screens: [staff] },
];

/** The bundler's data about modules, as it passes them to a group's name. */
interface Modules {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null;
}

/** The groups of rolldown's `codeSplitting`; the two of the first screen come first. */
export function chunkGroups(root: string) {
  const reached = new Map<string, ReadonlySet<string>>();
  const reachedFrom = (screen: readonly string[], modules: Modules): ReadonlySet<string> => {
    const key = screen.join();
    const found =
      reached.get(key) ??
      closureOf(
        screen.map((path) => join(root, path)),
        modules,
      );
    reached.set(key, found);
    return found;
  };
  return [
    // The first screen's libraries have their own file, because releases seldom change them.
    { name: 'libraries', tags: ['$initial' as const], test: /node_modules/, priority: 101 },
    { name: 'first', tags: ['$initial' as const], priority: 100 },
    ...stages.map(({ name, screens }, index) => ({
      debugName: name,
      priority: stages.length - index,
      name: (id: string, modules: Modules) =>
        screens.every((screen) => reachedFrom(screen, modules).has(id)) ? name : null,
    })),
  ];
}

/** The chunks of a first screen. Vite prepends a list to other chunks, but the hint must be at the very beginning. */
const firstScreens: ReadonlySet<string> = new Set(['libraries', 'queries', 'plain', 'shared']);

/**
 * The first line of those files, most of whose code runs at once. It makes Chromium compile them in the background while they
 * load, instead of function by function (docs/decisions/0023-first-screen.md); other browsers ignore it.
 */
export function compileHint({ name }: { readonly name: string }): string {
  return firstScreens.has(name) ? '//# allFunctionsCalledOnLoad' : '';
}

/** A chunk in the build's manifest, by its module or stage name. */
export function chunkOf<C extends { readonly name?: string | undefined }>(
  manifest: Readonly<Record<string, C>>,
  wanted: string,
): C {
  const chunk = manifest[wanted] ?? Object.values(manifest).find(({ name }) => name === wanted);
  if (chunk === undefined) throw new Error(`the build has no chunk for ${wanted}`);
  return chunk;
}

/** The modules and all their static imports. */
function closureOf(from: readonly string[], modules: Modules): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    const module = modules.getModuleInfo(id);
    if (module === null) throw new Error(`nothing imports ${id}: the stages are wrong`);
    waiting.push(...module.importedIds);
  }
  return found;
}
