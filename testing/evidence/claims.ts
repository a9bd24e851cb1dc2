import { attackerClaims } from './attacker-claims.ts';
import { moneyClaims } from './money-claims.ts';

/**
 * Kasente's promises to lose nothing and to let nobody in, each with the figure that proves it.
 *
 * Tests prove each claim: they run in CI in a short form where there is one, and with the full counts in `npm run prove`,
 * which writes the figures to docs/proof.md (proof/prove.ts). A test reports its figure and its canary with
 * testing/evidence/record.ts.
 */
export interface Claim {
  readonly section: 'Faults' | 'Attackers' | 'Measured against';
  /** The fault or the attack. */
  readonly against: string;
  /** The goal, with the full counts. */
  readonly goal: string;
  /** The file that proves it: a Vitest file, a journey of e2e/, or a script. */
  readonly by: string;
  /** The common part of its tests' names; absent if all tests of the file belong to it. */
  readonly tests?: string;
  /**
   * The code that it proves, as folders, files or globs; a later change there makes the row older than its code
   * (proof/older.ts).
   */
  readonly proves: readonly string[];
  /** This many runs, one after the other without a failure, make up the goal's counts; each is saved when it ends. */
  readonly runs?: number;
}

/** Each run is saved when it ends, so that an interruption costs one run; together they make the 500 kills. */
export const KILL_RUNS = 10;

export const claims = {
  'kills-embedded': {
    section: 'Faults',
    against: 'SIGKILL of the server under load, embedded PostgreSQL',
    goal: '500 kills, 50,000 acknowledgements: none lost, doubled or torn by the clients’ own ledger',
    by: 'proof/outages/kills.test.ts',
    tests: 'with the embedded PostgreSQL',
    proves: ['server/changes/', 'server/db/', 'server/embedded-postgres/', 'server/files/', 'server/http/'],
    runs: KILL_RUNS,
  },
  'kills-database-url': {
    section: 'Faults',
    against: 'SIGKILL of the server under load, DATABASE_URL',
    goal: '500 kills, 50,000 acknowledgements: none lost, doubled or torn by the clients’ own ledger',
    by: 'proof/outages/kills.test.ts',
    tests: 'with DATABASE_URL',
    proves: ['server/changes/', 'server/db/', 'server/files/', 'server/http/'],
    runs: KILL_RUNS,
  },
  'postgresql-restarts': {
    section: 'Faults',
    against: 'PostgreSQL restarted under load',
    goal: '200 restarts, 0 acknowledged writes lost, back within 5 s by itself; 503 with Retry-After in between',
    by: 'proof/outages/restarts.test.ts',
    proves: ['server/changes/', 'server/db/', 'server/jobs/', 'server/messages/'],
  },
  failovers: {
    section: 'Faults',
    against: 'Primary of three machines with Patroni, etcd and HAProxy switched over, killed or silent under load',
    goal: '20 switchovers and 20 losses, 0 acknowledged writes lost or doubled, back within 60 s by itself',
    by: 'proof/outages/failovers.test.ts',
    proves: ['deploy/database/', 'server/changes/', 'server/db/'],
  },
  'rolling-restarts': {
    section: 'Faults',
    against: 'Two servers, one database, behind a proxy; rolling restarts',
    goal: '100 rolling restarts, 0 requests refused or cut',
    by: 'proof/upgrades/rolling-restarts.test.ts',
    proves: ['server/http/', 'server/serve.ts', 'server/start.ts', 'server/traffic/'],
  },
  'rolling-upgrade': {
    section: 'Faults',
    against: 'Two servers behind a proxy brought from the last release to this one, and back, under load',
    goal: '5 upgrades of a database of the last release and 5 rollbacks: 0 requests refused or cut, 0 writes lost',
    by: 'proof/upgrades/rolling-upgrade.test.ts',
    proves: ['server/installation/', 'server/migrations/', 'server/serve.ts', 'server/start.ts', 'server/traffic/'],
  },
  'earlier-databases': {
    section: 'Faults',
    against: 'A database that an earlier release made, and a backup of it',
    goal: 'one of 1.1.0: both reach the schema of a fresh database by the catalogs, with equal rows; one of 1.0.0 is refused unchanged until 1.1.0 has served it',
    by: 'scripts/operator/release-1-1-0.test.ts',
    proves: ['server/backup/', 'server/migrations/'],
  },
  'rolling-restart-proxies': {
    section: 'Faults',
    against: 'Rolling restarts behind nginx and HAProxy with the files of deploy/, as fast as they answer',
    goal: '12 restarts behind each: behind HAProxy 0 requests refused, cut or lost, behind nginx at most 1 of 100,000',
    by: 'proof/upgrades/rolling-restart-proxies.test.ts',
    proves: ['deploy/haproxy.cfg', 'deploy/nginx.conf', 'server/http/', 'server/serve.ts', 'server/traffic/'],
  },
  'deploy-samples': {
    section: 'Faults',
    against: 'Files of deploy/ that do not work as they are',
    goal: 'nginx, HAProxy, promtool and systemd-analyze take them; the proxies serve; each alert comes for its fault; units exposed 3 at most',
    by: 'proof/deploy/deploy-samples.test.ts',
    proves: ['deploy/', 'server/**/*metrics.ts'],
  },
  'install-debian': {
    section: 'Faults',
    against: 'The first day: from a clean Debian to a service, as README says',
    goal: 'deploy/install-debian.sh, with systemd as process 1: it runs, is enabled, watched and backed up, has its administrator, and comes back by itself',
    by: 'proof/deploy/install-debian.test.ts',
    proves: [
      'deploy/install-debian.sh',
      'deploy/kasente.env',
      'deploy/systemd/',
      'scripts/ensure-install.mjs',
      'server/preflight.ts',
      'server/start.ts',
    ],
  },
  'first-day': {
    section: 'Faults',
    against: 'The first day with a new release: the commands of docs/upgrading.md, from 1.1.0',
    goal: 'each block of commands word for word, by hand, with tarball and tag, and back: data, login, backup and doctor right, and the new web application served',
    by: 'proof/upgrades/first-day.test.ts',
    proves: ['docs/upgrading.md', 'deploy/', 'scripts/release.ts', 'server/migrations/', 'server/config/web-build.mjs'],
  },
  'full-disk': {
    section: 'Faults',
    against: 'Disk full on upload',
    goal: '507 with a clear message, other calls answered, 0 orphans, 0 crashes',
    by: 'server/documents/uploads/upload-faults.test.ts',
    proves: ['server/documents/', 'server/files/', 'server/http/'],
  },
  'full-data-folder': {
    section: 'Faults',
    against: 'Disk full under PostgreSQL and the documents together',
    goal: '507 with a clear message, other calls answered, 0 orphans, 0 crashes',
    by: 'proof/outages/full-data-folder.test.ts',
    proves: ['server/documents/', 'server/embedded-postgres/', 'server/files/', 'server/http/'],
  },
  'lost-files': {
    section: 'Faults',
    against: 'Stored document missing, altered, or without a row',
    goal: '502 with a clear message; a sweep finds 100 of 100 losses and 100 of 100 orphans',
    by: 'server/documents/store/store-audit.test.ts',
    proves: ['server/documents/store/', 'server/files/'],
  },
  'message-providers': {
    section: 'Faults',
    against: 'SMTP or SMS provider down, slow, or answering nonsense',
    goal: '10,000 messages, two workers: 0 doubled, 0 lost, no dead code late; requests’ p99 under 500 ms',
    by: 'proof/messages/message-providers.test.ts',
    proves: ['server/jobs/', 'server/messages/'],
  },
  'aborted-uploads': {
    section: 'Faults',
    against: 'Client vanishes in the middle of an upload',
    goal: '1,000 aborted uploads, 0 leftovers',
    by: 'server/documents/uploads/upload-faults.test.ts',
    proves: ['server/documents/uploads/', 'server/files/', 'server/http/'],
  },
  'damaged-data': {
    section: 'Faults',
    against: 'Damaged embedded data',
    goal: '100 damages, 0 silent fresh starts; says how to restore',
    by: 'server/embedded-postgres/damage.test.ts',
    proves: ['server/embedded-postgres/'],
  },
  starts: {
    section: 'Faults',
    against: 'A start over a secret that is empty, cut off or missing, or over a missing database',
    goal: 'each refused in one sentence, nothing made; a secret is written whole or not at all',
    by: 'server/start-over-damage.test.ts',
    proves: [
      'server/embedded-postgres/',
      'server/installation/',
      'server/preflight.ts',
      'server/secrets/',
      'server/start.ts',
    ],
  },
  'one-holder': {
    section: 'Faults',
    against: 'Two servers started on one data folder at once',
    goal: '100 races, 1 holder each',
    by: 'server/embedded-postgres/embedded-postgres.test.ts',
    proves: ['server/embedded-postgres/'],
  },
  fairness: {
    section: 'Faults',
    against:
      'One account or one address floods: letters, evidence, lists, large pictures, large documents, parts of uploads, wrong logins, made-up cookies, slow connections',
    goal: 'the p99 of other people’s calls below 500 ms, none of theirs refused, health within 200 ms; honest logins of the flood’s own address answered within 60 s',
    by: 'proof/load/fairness.test.ts',
    proves: ['server/files/sanitizing/', 'server/http/', 'server/letters/', 'server/pdf/', 'server/traffic/'],
  },
  overload: {
    section: 'Faults',
    against: 'Ten times the load that the machine carries',
    goal: 'sheds with 503, 0 hangs, answers normally within 10 s after',
    by: 'proof/load/overload.test.ts',
    proves: ['server/http/', 'server/traffic/'],
  },
  clock: {
    section: 'Faults',
    against: 'The server’s clock an hour off, either way',
    goal: '0 codes, sessions or promises wrongly accepted or expired',
    by: 'proof/clock/clock.test.ts',
    proves: ['server/accounts/', 'server/machine/clock.ts', 'server/sessions/'],
  },
  'backup-restore': {
    section: 'Faults',
    against: 'Everything lost but the backup',
    goal: 'restored rows and documents equal by hash, embedded and DATABASE_URL',
    by: 'scripts/operator/backup.test.ts',
    proves: [
      'scripts/backup.ts',
      'scripts/restore.ts',
      'server/backup/',
      'server/documents/store/',
      'server/migrations/schema.json',
    ],
  },
  ...moneyClaims,
  ...attackerClaims,
  asvs: {
    section: 'Measured against',
    against: 'OWASP ASVS 5.0, level 2',
    goal: '253 rows, none missing, each test named there exists; at most 3 deviations',
    by: 'scripts/checks/asvs.test.ts',
    proves: ['docs/asvs.md'],
  },
  'mutation-rules': {
    section: 'Measured against',
    against: 'Mutants of permissions, money, lifecycle and the other rules (Stryker)',
    goal: '90 % or more killed',
    by: 'proof/mutation/mutation.test.ts',
    tests: 'of the rules',
    proves: [
      'contract/accounts/',
      'contract/applications/',
      'contract/limits/',
      'contract/money.ts',
      'contract/payments/',
      'contract/permissions.ts',
      'contract/time/',
    ],
  },
  'mutation-accounts': {
    section: 'Measured against',
    against: 'Mutants of accounts and sessions on the server (Stryker)',
    goal: '90 % or more killed',
    by: 'proof/mutation/mutation.test.ts',
    tests: 'of accounts',
    proves: ['server/accounts/', 'server/sessions/sessions.ts'],
  },
} as const satisfies Record<string, Claim>;

export type ClaimId = keyof typeof claims;
