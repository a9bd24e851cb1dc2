import { appCommit } from '#server/config/build.ts';
import type { Turns } from '#server/machine/fair-semaphore.ts';
import { appVersion } from '#server/machine/version.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { FairTurns } from '#server/traffic/fair-turns.ts';
import { lacksMetric } from './health.ts';
import { type Measured, type Sample, samplesBy } from './metrics.ts';

/** The platform's own metrics; docs/operations.md lists every name. */
export function platformMetrics(calls: FairTurns): readonly Measured[] {
  const shed: Measured = {
    name: 'kasente_requests_shed_total',
    help: 'Calls refused with 503 because too many wait',
    kind: 'counter',
    labels: [],
    measure: () => [{ labels: {}, value: calls.turns.refused }],
  };
  // The pool is measured before the last one, which uses the database.
  return [build, pool, storageErrors, jobSuccesses, jobFailures, shed, ...turnMetrics(calls), lacksMetric];
}

const build: Measured = {
  name: 'kasente_build_info',
  help: 'Always 1; the version and commit that run',
  kind: 'gauge',
  labels: ['version', 'commit'],
  measure: () => [{ labels: { version: appVersion, commit: appCommit }, value: 1 }],
};

const pool: Measured = {
  name: 'kasente_database_pool',
  help: 'Connections to PostgreSQL: how many may be open, are open, and are open and idle; and work that waits for one',
  kind: 'gauge',
  labels: ['state'],
  measure: ({ pool: { options, totalCount: open, idleCount: idle, waitingCount: waiting } }) =>
    samplesBy('state', { limit: options.max, open, idle, waiting }),
};

const storageErrors: Measured = {
  name: 'kasente_storage_errors_total',
  help: 'What the store of documents failed at, by operation',
  kind: 'counter',
  labels: ['operation'],
  measure: ({ files }) => samplesBy('operation', files.errors()),
};

const jobSuccesses: Measured = {
  name: 'kasente_job_last_success_timestamp_seconds',
  help: 'When this process last finished a job of the queue; its start where it has not yet',
  kind: 'gauge',
  labels: ['queue'],
  measure: ({ jobs }) => [...jobs.lastSuccesses].map(([queue, at]) => sampleOf(queue, at.getTime() / 1000)),
};

const jobFailures: Measured = {
  name: 'kasente_job_failures_total',
  help: 'Attempts at a job that failed, by queue',
  kind: 'counter',
  labels: ['queue'],
  measure: ({ jobs }) => [...jobs.failures].map(([queue, failures]) => sampleOf(queue, failures)),
};

/** Not labelled `job`, which is Prometheus's label for its target. */
function sampleOf(queue: string, value: number): Sample {
  return { labels: { queue }, value };
}

/** By kind of work with turns: `calls` are requests, others are parts of requests. */
function turnMetrics(calls: FairTurns): readonly Measured[] {
  const now = ({ passwords, readers, letters }: Platform): Readonly<Record<string, Turns>> => {
    const { known, strangers } = passwords.turns();
    return {
      calls: calls.turns,
      transfers: calls.transfers,
      'passwords-known': known,
      'passwords-strangers': strangers,
      files: readers.turns(),
      letters: letters.turns(),
    };
  };
  const each = (what: keyof Turns) => (platform: Platform) =>
    samplesBy('kind', Object.fromEntries(Object.entries(now(platform)).map(([kind, turns]) => [kind, turns[what]])));
  const labels = ['kind'];
  return [
    { name: 'kasente_turns_running', help: 'Work in hand', kind: 'gauge', labels, measure: each('running') },
    { name: 'kasente_turns_waiting', help: 'Work that waits', kind: 'gauge', labels, measure: each('waiting') },
    {
      name: 'kasente_turns_refused_total',
      help: 'Work that was refused because too much waited',
      kind: 'counter',
      labels,
      measure: each('refused'),
    },
  ];
}
