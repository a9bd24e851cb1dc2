import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SizeLimitConfig } from 'size-limit';
import { chunkOf } from './chunks.ts';

/**
 * The weight limit of each screen: its scripts and styles in `dist/web`, brotli. `size-limit` reads this in `npm test`. A
 * limit is slightly above the present weight; a change that exceeds it must reduce the weight or raise the limit here, for
 * reviewers to see (docs/decisions/0023-first-screen.md).
 */

interface Screen {
  readonly limit: `${number} kB`;
  /** The chunks that web/routes.tsx loads for the screen, by module or stage. */
  readonly opens: readonly string[];
  /** The previous screen, whose chunks are loaded. */
  readonly after?: string;
}

/**
 * Because chunks follow the order of screens (scripts/build/chunks.ts), a screen contains part of the next one: sign-up
 * 13 kB of a dashboard, the second step 56 kB, the decision desk 18 kB of a case (which then needs 28 kB less). In
 * total, the main job needs 12 kB and 64 requests fewer.
 */
const screens: Readonly<Record<string, Screen>> = {
  '/login': { limit: '103.9 kB', opens: ['index.html'] },
  '/signup': { limit: '96 kB', opens: ['queries', 'signup'], after: '/login' },
  'second step': {
    limit: '90.5 kB',
    opens: ['queries', 'web/accounts/login/second-step-page.tsx'],
    after: '/login',
  },
  "client's dashboard": { limit: '90.2 kB', opens: ['client'], after: '/login' },
  "staff's dashboard": { limit: '132.8 kB', opens: ['client', 'staff'], after: '/login' },
  'application screen': {
    limit: '85.5 kB',
    opens: ['application'],
    after: "client's dashboard",
  },
  'date picker': { limit: '15.5 kB', opens: ['web/ui/dates/calendar-input.tsx'], after: 'application screen' },
  charts: { limit: '102 kB', opens: ['web/figures/period-chart.tsx'], after: "client's dashboard" },
  "one's account": {
    limit: '8.5 kB',
    opens: ['web/accounts/own-account/account-page.tsx'],
    after: "staff's dashboard",
  },
  businesses: { limit: '4.5 kB', opens: ['web/businesses/businesses-page.tsx'], after: "staff's dashboard" },
  business: { limit: '29.5 kB', opens: ['web/businesses/business-page.tsx'], after: "staff's dashboard" },
  'decision desk': { limit: '29.5 kB', opens: ['web/desk/queue/desk-page.tsx'], after: "staff's dashboard" },
  case: { limit: '22 kB', opens: ['web/desk/case/case-page.tsx'], after: 'decision desk' },
};

interface Chunk {
  readonly file: string;
  readonly name?: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const build = join(import.meta.dirname, '../../dist/web');
const chunks: Readonly<Record<string, Chunk>> = JSON.parse(readFileSync(join(build, '.vite/manifest.json'), 'utf8'));

/** A module's chunk and all files that it needs. */
function filesOf(module: string): string[] {
  const chunk = chunkOf(chunks, module);
  return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap(filesOf)];
}

/** All files loaded when a screen is open. */
function filesAt(name: string): Set<string> {
  const screen = screens[name];
  if (screen === undefined) throw new Error(`there is no screen ${name}`);
  const before = screen.after === undefined ? [] : filesAt(screen.after);
  return new Set([...before, ...screen.opens.flatMap(filesOf)]);
}

const checks: SizeLimitConfig = Object.entries(screens).map(([name, { limit, after }]) => {
  const before = after === undefined ? new Set<string>() : filesAt(after);
  const added = [...filesAt(name)].filter((file) => !before.has(file));
  if (added.length === 0) throw new Error(`${name} adds nothing to ${after}: the table of screens is wrong`);
  return {
    name: after === undefined ? name : `${name}, after ${after}`,
    path: added.map((file) => join(build, file)),
    limit,
  };
});

// size-limit reads only the default export.
export default checks;
