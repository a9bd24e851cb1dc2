import { type DeskJob, deskJobNames, deskJobs, jobOf, type QueueView } from '#contract/desk/schema.ts';
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
