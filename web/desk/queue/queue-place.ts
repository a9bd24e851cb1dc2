import { type DeskJob, deskJobNames, deskJobs, jobOf, type QueueView, queueViewNames } from '#contract/desk/schema.ts';
import { paths } from '#web/paths.ts';

/**
 * Where an officer is on the desk, kept in the address: `?job=` and, unless it is the job's first filter, `&filter=`.
 */
export interface QueuePlace {
  readonly job: DeskJob;
  readonly view: QueueView;
}

/** The place named in the address; for missing or wrong parts, the first job or filter. */
export function placeOf(params: URLSearchParams): QueuePlace {
  const job = deskJobNames.find((name) => name === params.get('job')) ?? 'decide';
  const { views } = deskJobs[job];
  return { job, view: views.find((name) => name === params.get('filter')) ?? views[0] };
}

/** The address of a view. */
export function queuePath(view: QueueView): string {
  const job = jobOf(view);
  if (view === 'undecided') return paths.desk;
  return view === deskJobs[job].views[0] ? paths.deskJob(job) : paths.deskJob(job, view);
}

/** Views that have been renamed. */
const renamed: Readonly<Record<string, QueueView>> = { free: 'unassigned', secondApproval: 'secondOfficer' };

/** The new address for an old one such as `?view=overdue`, with its search and page; undefined for any other. */
export function movedAddress(params: URLSearchParams): string | undefined {
  const old = params.get('view');
  if (old === null) return undefined;
  const [path = '', place] = queuePath(
    renamed[old] ?? queueViewNames.find((name) => name === old) ?? 'undecided',
  ).split('?');
  const moved = new URLSearchParams(place);
  for (const kept of ['search', 'page']) {
    const value = params.get(kept);
    if (value !== null) moved.set(kept, value);
  }
  return moved.size === 0 ? path : `${path}?${moved}`;
}
