/**
 * The benches and their goals. A bench's file exports `run(): Promise<Row[]>` and runs by itself; `npm run bench` runs it, keeps its
 * rows in docs/performance.json, and writes docs/performance.md.
 */

/** The goals, in the order of the page. */
export const goals = {
  save: { section: 'The API against the limit', work: 'Save an invoice or application' },
  steps: { section: 'The API against the limit', work: 'Changing calls of the main job and the desk' },
  list: { section: 'The API against the limit', work: 'List page of 10 with its exact total' },
  people: { section: 'The API against the limit', work: 'Users search at 1,000,000 people against 10,000' },
  logins: { section: 'The API against the limit', work: 'Login flood' },
  memory: { section: 'The API against the limit', work: 'Memory' },
  start: { section: 'The API against the limit', work: 'Start' },
  machines: { section: 'The API against the limit', work: 'Beyond one machine' },
  paint: { section: 'The first screen on a bad line', work: '/login and /signup: largest paint' },
  form: { section: 'The first screen on a bad line', work: '/login and /signup: a person can type and send' },
  dashboard: { section: 'The first screen on a bad line', work: 'After login: dashboard with data, cold and again' },
  tap: { section: 'The first screen on a bad line', work: 'Invoice screen from the dashboard' },
  interaction: { section: 'The first screen on a bad line', work: 'Interaction to next paint, every screen' },
  shift: { section: 'The first screen on a bad line', work: 'Layout shift' },
  entry: { section: 'The first screen on a bad line', work: 'The application’s entry' },
  data: { section: 'The first screen on a bad line', work: 'Data for the whole main job' },
  photo: { section: 'The first screen on a bad line', work: 'A 3 MB photo as a document' },
  lighthouse: { section: 'The first screen on a bad line', work: 'Lighthouse mobile' },
} as const;

export type Goal = keyof typeof goals;

/** One measurement, or several that share a setup. */
export interface Bench {
  readonly goals: readonly Goal[];
  /** Its file. */
  readonly file: string;
  /** The argument of its `run`. */
  readonly argument?: string;
}

export const benches = {
  'api-save': { goals: ['save'], file: 'bench/api/api-save.ts' },
  'api-steps': { goals: ['steps'], file: 'bench/api/api-steps.ts' },
  'api-list-own': { goals: ['list'], file: 'bench/api/api-list.ts', argument: 'own' },
  'api-list-all': { goals: ['list'], file: 'bench/api/api-list.ts', argument: 'all' },
  people: { goals: ['people'], file: 'bench/api/people-search.ts' },
  'login-flood': { goals: ['logins'], file: 'bench/server/login-flood.ts' },
  memory: { goals: ['memory'], file: 'bench/server/memory.ts' },
  uploads: { goals: ['memory'], file: 'bench/server/uploads.ts' },
  start: { goals: ['start'], file: 'bench/server/start.ts' },
  machines: { goals: ['machines'], file: 'bench/server/machines.ts' },
  'first-screen': { goals: ['paint', 'form', 'shift', 'dashboard', 'tap'], file: 'bench/pages/first-screen.ts' },
  screens: { goals: ['interaction', 'shift'], file: 'bench/pages/screens.ts' },
  weight: { goals: ['entry'], file: 'bench/pages/weight.ts' },
  'data-of-main-job': { goals: ['data'], file: 'bench/pages/data-of-main-job.ts' },
  photo: { goals: ['photo'], file: 'bench/pages/photo.ts' },
  lighthouse: { goals: ['lighthouse'], file: 'bench/pages/lighthouse.ts' },
} as const satisfies Record<string, Bench>;

export type BenchName = keyof typeof benches;
