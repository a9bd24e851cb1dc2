import { join } from 'node:path';

/**
 * Into which files the web application is cut (docs/decisions/0023-first-screen.md). By itself the bundler makes
 * one of everything that the same screens share: 55 for a client's dashboard, of 2 kB on average, each with headers of its
 * own and six at a time. Here what the main job opens comes in the order in which it is opened, a file for each stage: what an
 * earlier one has, a later one finds.
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
const ownFigures = ['web/dashboard/own-money.tsx'];
const staffFigures = ['web/dashboard/staff-charts.tsx'];
const staff = ['web/dashboard/staff-dashboard.tsx'];
const otherStaff = [
  'web/desk/queue/desk-page.tsx',
  'web/desk/case/case-page.tsx',
  'web/businesses/clients-page.tsx',
  'web/accounts/own-account/account-page.tsx',
];

interface Stage {
  readonly name: string;
  /** The modules that all of these screens need, each with its parts. */
  readonly screens: readonly (readonly string[])[];
}

/** What is both in sign-up and behind the login is apart from the rest of either, and the forms' zod from both. */
const stages: readonly Stage[] = [
  { name: 'toasts', screens: [toasts] },
  { name: 'queries', screens: [queries] },
  { name: 'plain', screens: [texts, [...beforeLogin, ...client]] },
  { name: 'shared', screens: [beforeLogin, client] },
  { name: 'client', screens: [client] },
  { name: 'forms', screens: [beforeLogin, [...application, ...otherStaff]] },
  { name: 'signup', screens: [signup] },
  { name: 'dialogs', screens: [application, staff] },
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

/** The groups of rolldown's `codeSplitting`; what the first screen needs is in two of its own and comes before them. */
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
    // The first screen comes in two files; libraries apart, because releases seldom change them.
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

/**
 * The chunks of a person's first screen. Above others Vite writes a list, and the hint counts only at the very
 * beginning.
 */
const firstScreens: ReadonlySet<string> = new Set(['libraries', 'queries', 'plain', 'shared']);

/**
 * At the top of those files: most of what is in them runs at once. Chromium then compiles it beside the page's own thread while it
 * arrives, instead of function by function while the page is drawn (docs/decisions/0023-first-screen.md); to
 * others it is a comment.
 */
export function compileHint({ name }: { readonly name: string }): string {
  return firstScreens.has(name) ? '//# allFunctionsCalledOnLoad' : '';
}

/** A chunk of the build's manifest, by the module that it was made for or, of a stage, by its name. */
export function chunkOf<C extends { readonly name?: string | undefined }>(
  manifest: Readonly<Record<string, C>>,
  wanted: string,
): C {
  const chunk = manifest[wanted] ?? Object.values(manifest).find(({ name }) => name === wanted);
  if (chunk === undefined) throw new Error(`the build has no chunk for ${wanted}`);
  return chunk;
}

/** The modules, and all that they import before they run. */
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
