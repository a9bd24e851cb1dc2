import { type DeskJob, deskJobNames, deskJobs, jobOf, type QueueView, queueViewNames } from '#contract/desk/schema.ts';
import { paths } from '#web/paths.ts';

/** Where on the desk an officer is. The address says it: `?job=` and, where it is not the job's first, `&filter=`. */
export interface QueuePlace {
  readonly job: DeskJob;
  readonly view: QueueView;
}

/** The place that an address names; what it does not name, or names wrongly, is the first there is. */
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

/** Views that have another name today. */
const renamed: Readonly<Record<string, QueueView>> = { free: 'unassigned', secondApproval: 'secondOfficer' };

/** Where an old address such as `?view=overdue` leads, with its search and page; undefined for any other. */
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
