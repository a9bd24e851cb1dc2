import { moneyClaims } from './money-claims.ts';

/**
 * What Kasente promises about losing nothing and letting nobody in, each with the figure that shows it.
 *
 * A claim is shown by tests: they run in `npm test` in a short form where there is one, and with the full counts by `npm run prove`, which
 * writes the figures to docs/proof.md (proof/prove.ts). A test reports its figure and its canary with testing/evidence/record.ts.
 */
export interface Claim {
  readonly section: 'Faults' | 'Attackers' | 'Measured against';
  /** The fault or the attack. */
  readonly against: string;
  /** The goal, with the full counts. */
  readonly goal: string;
  /** The file that shows it: a Vitest file, a journey of e2e/, or a script. */
  readonly by: string;
  /** The common part of the names of its tests; all tests of the file if absent. */
  readonly tests?: string;
  /** This many runs of them, one after the other without a fault, make up the goal's counts; each is kept when it ends. */
  readonly runs?: number;
}

/** Each is kept when it ends, so that what breaks one off costs one; all of them together make the 500 kills. */
export const KILL_RUNS = 10;

export const claims = {
  'kills-embedded': {
    section: 'Faults',
    against: 'SIGKILL of the server under load, embedded PostgreSQL',
    goal: '500 kills, 50,000 acknowledgements: none lost, doubled or torn by the clients’ own ledger',
    by: 'proof/outages/kills.test.ts',
    tests: 'with the embedded PostgreSQL',
    runs: KILL_RUNS,
  },
  'kills-database-url': {
    section: 'Faults',
    against: 'SIGKILL of the server under load, DATABASE_URL',
    goal: '500 kills, 50,000 acknowledgements: none lost, doubled or torn by the clients’ own ledger',
    by: 'proof/outages/kills.test.ts',
    tests: 'with DATABASE_URL',
    runs: KILL_RUNS,
  },
  'postgresql-restarts': {
    section: 'Faults',
    against: 'PostgreSQL restarted under load',
    goal: '200 restarts, 0 acknowledged writes lost, back within 5 s by itself; 503 with Retry-After in between',
    by: 'proof/outages/restarts.test.ts',
  },
  failovers: {
    section: 'Faults',
    against: 'Primary lost, synchronous standby promoted',
    goal: '20 failovers, 0 acknowledged writes lost, back within 5 s by itself',
    by: 'proof/outages/failovers.test.ts',
  },
  'rolling-restarts': {
    section: 'Faults',
    against: 'Two servers, one database, behind a proxy; rolling restarts',
    goal: '100 rolling restarts, 0 requests refused or cut',
    by: 'proof/upgrades/rolling-restarts.test.ts',
  },
  'rolling-upgrade': {
    section: 'Faults',
    against: 'Two servers behind a proxy brought from the last release to this one, and back, under load',
    goal: '5 upgrades of a database of the last release and 5 rollbacks: 0 requests refused or cut, 0 writes lost',
    by: 'proof/upgrades/rolling-upgrade.test.ts',
  },
  'earlier-databases': {
    section: 'Faults',
    against: 'A database that was made by a migration which was edited later',
    goal: 'databases of every set of migrations in the history: each brought to the schema of a fresh one, by the catalogs',
    by: 'server/migrations/earlier-databases.test.ts',
  },
  'rolling-restart-proxies': {
    section: 'Faults',
    against: 'Rolling restarts behind nginx and HAProxy with the files of deploy/, as fast as they answer',
    goal: '12 restarts behind each: behind HAProxy 0 requests refused, cut or lost, behind nginx at most 1 of 100,000',
    by: 'proof/upgrades/rolling-restart-proxies.test.ts',
  },
  'deploy-samples': {
    section: 'Faults',
    against: 'Files of deploy/ that do not work as they are',
    goal: 'nginx, HAProxy, promtool and systemd-analyze take them; the proxies serve; each alert comes for its fault; units exposed 3 at most',
    by: 'proof/deploy/deploy-samples.test.ts',
  },
  'install-debian': {
    section: 'Faults',
    against: 'The first day: from a clean Debian to a service, as README says',
    goal: 'deploy/install-debian.sh, with systemd as process 1: it runs, is enabled, watched and backed up, has its administrator, and comes back by itself',
    by: 'proof/deploy/install-debian.test.ts',
  },
  'full-disk': {
    section: 'Faults',
    against: 'Disk full on upload',
    goal: '507 with a clear message, other calls answered, 0 orphans, 0 crashes',
    by: 'server/documents/uploads/upload-faults.test.ts',
  },
  'full-data-folder': {
    section: 'Faults',
    against: 'Disk full under PostgreSQL and the documents together',
    goal: '507 with a clear message, other calls answered, 0 orphans, 0 crashes',
    by: 'proof/outages/full-data-folder.test.ts',
  },
  'lost-files': {
    section: 'Faults',
    against: 'Stored document missing, altered, or without a row',
    goal: '502 with a clear message; a sweep finds 100 of 100 losses and 100 of 100 orphans',
    by: 'server/documents/store/store-audit.test.ts',
  },
  'message-providers': {
    section: 'Faults',
    against: 'SMTP or SMS provider down, slow, or answering nonsense',
    goal: '10,000 messages, two workers: 0 doubled, 0 lost, no dead code late; requests’ p99 under 500 ms',
    by: 'proof/messages/message-providers.test.ts',
  },
  'aborted-uploads': {
    section: 'Faults',
    against: 'Client vanishes in the middle of an upload',
    goal: '1,000 aborted uploads, 0 leftovers',
    by: 'server/documents/uploads/upload-faults.test.ts',
  },
  'damaged-data': {
    section: 'Faults',
    against: 'Damaged embedded data',
    goal: '100 damages, 0 silent fresh starts; says how to restore',
    by: 'server/embedded-postgres/damage.test.ts',
  },
  starts: {
    section: 'Faults',
    against: 'A start over a secret that is empty, cut off or missing, or over a missing database',
    goal: 'each refused in one sentence, nothing made; a secret is written whole or not at all',
    by: 'server/start-over-damage.test.ts',
  },
  'one-holder': {
    section: 'Faults',
    against: 'Two servers started on one data folder at once',
    goal: '100 races, 1 holder each',
    by: 'server/embedded-postgres/embedded-postgres.test.ts',
  },
  fairness: {
    section: 'Faults',
    against:
      'One account or one address floods: letters, evidence, lists, large pictures, large documents, parts of uploads, wrong logins, slow connections',
    goal: 'the p99 of other people’s calls below 500 ms, none of theirs refused, health within 200 ms',
    by: 'proof/load/fairness.test.ts',
  },
  overload: {
    section: 'Faults',
    against: 'Ten times the load that the machine carries',
    goal: 'sheds with 503, 0 hangs, answers normally within 10 s after',
    by: 'proof/load/overload.test.ts',
  },
  clock: {
    section: 'Faults',
    against: 'The server’s clock an hour off, either way',
    goal: '0 codes, sessions or promises wrongly accepted or expired',
    by: 'proof/clock/clock.test.ts',
  },
  'backup-restore': {
    section: 'Faults',
    against: 'Everything lost but the backup',
    goal: 'restored rows and documents equal by hash, embedded and DATABASE_URL',
    by: 'scripts/operator/backup.test.ts',
  },
  ...moneyClaims,
  'guessing-codes': {
    section: 'Attackers',
    against: 'Guessing PINs and reset codes',
    goal: '10,000 guesses over any number of codes, requests and addresses: at most 10 evaluated for a recipient a day',
    by: 'proof/outsiders/guessing.test.ts',
  },
  'guessing-passwords': {
    section: 'Attackers',
    against: 'Guessing a password',
    goal: '10,000 guesses: at most 100 evaluated; the owner still gets in',
    by: 'proof/outsiders/guessing.test.ts',
  },
  'login-flood': {
    section: 'Attackers',
    against: 'A flood of logins',
    goal: 'other calls’ p99 under 500 ms',
    by: 'proof/load/login-flood.test.ts',
  },
  'who-exists-register': {
    section: 'Attackers',
    against: 'Asking who has an account by signing up',
    goal: '2,000 pairs: equal bodies and headers, times indistinguishable (Welch |t| < 4.5)',
    by: 'proof/outsiders/who-exists.test.ts',
    tests: 'by register',
  },
  'who-exists-login': {
    section: 'Attackers',
    against: 'Asking who has an account by logging in',
    goal: '2,000 pairs: equal bodies and headers, times indistinguishable (Welch |t| < 4.5)',
    by: 'proof/outsiders/who-exists.test.ts',
    tests: 'by login',
  },
  'who-exists-reset': {
    section: 'Attackers',
    against: 'Asking who has an account by a reset',
    goal: '2,000 pairs: equal bodies and headers, times indistinguishable (Welch |t| < 4.5)',
    by: 'proof/outsiders/who-exists.test.ts',
    tests: 'by reset',
  },
  'sms-bombing': {
    section: 'Attackers',
    against: 'SMS bombing',
    goal: '10,000 requests send no more than the caps by number, address and day',
    by: 'proof/outsiders/sms-bombing.test.ts',
  },
  'demonstration-abroad': {
    section: 'Attackers',
    against:
      'A demonstration reached from elsewhere: another machine, a tunnel, a proxy without headers, a name that leads here',
    goal: 'no message, no published login and no figure of the server is answered',
    by: 'server/machine/this-machine.test.ts',
  },
  matrix: {
    section: 'Attackers',
    against: 'Somebody else’s rows: every route, caller and ownership',
    goal: '0 unexpected successes',
    by: 'server/permission-matrix.test.ts',
  },
  'row-security': {
    section: 'Attackers',
    against: 'A query that forgot its scope',
    goal: 'row-level security: unscoped selects, updates, deletes and inserts of a client reach 0 foreign rows of any table',
    by: 'server/db/roles/row-security.test.ts',
  },
  'row-security-outside': {
    section: 'Attackers',
    against: 'What stands outside row-level security',
    goal: 'all of it listed, each with a test across clients: 0 rows of another client changed or shown',
    by: 'server/db/row-scope.test.ts',
  },
  'audit-witness': {
    section: 'Attackers',
    against: 'Somebody who takes the newest of the record away, or all of it, with every right on the database',
    goal: 'an outside witness names what is missing: file, bucket and mail; 0 taken away unseen',
    by: 'server/audit/witness.test.ts',
  },
  'audit-record': {
    section: 'Attackers',
    against:
      'Somebody who changes an invoice, its payments, steps, documents or key facts in SQL, past the product, or adds to the record what Kasente never writes',
    goal: 'computed again from the chained events: each difference named by invoice, column and value, and each event that no rule allows; nothing that people do is taken for one',
    by: 'server/audit/record.test.ts',
  },
  'server-role': {
    section: 'Attackers',
    against: 'Somebody with the server’s own connection to the database',
    goal: 'its role owns nothing: 0 statements get through that switch a trigger off, truncate, alter, or change what is only added to',
    by: 'server/db/roles/server-role.test.ts',
  },
  'cross-site': {
    section: 'Attackers',
    against: 'CSRF from another site: image, form, iframe, prefetch, navigation, fetch, against every changing route',
    goal: '0 changes, in a real browser',
    by: 'e2e/security/cross-site.spec.ts',
  },
  sessions: {
    section: 'Attackers',
    against: 'Session fixation, theft after logout, idle and absolute expiry',
    goal: '0 accepted; expiry right to the second',
    by: 'proof/outsiders/sessions.test.ts',
  },
  fuzz: {
    section: 'Attackers',
    against: 'Mass assignment, prototype keys, naughty strings, requests made from the OpenAPI document',
    goal: '100,000 requests: 0 answers of 500 or more, 0 that differ from the schema',
    by: 'proof/fuzz/fuzz.test.ts',
  },
  'ended-session': {
    section: 'Attackers',
    against: 'The next person on a shared phone, after a session that ended while no page was open',
    goal: 'nothing of the person is left or shown but drafts, which open for their owner alone',
    by: 'e2e/resilience/shared-phone.spec.ts',
    tests: 'a session that ended',
  },
  'invisible-names': {
    section: 'Attackers',
    against: 'A name or number that reads as another: bidirectional and invisible characters',
    goal: 'each refused at its field, in every name and number that people type; 0 stored',
    by: 'server/invoices/invisible-names.test.ts',
  },
  'hostile-files': {
    section: 'Attackers',
    against: 'Hostile files',
    goal: '200 or more: each refused or made harmless',
    by: 'server/documents/uploads/hostile-files.test.ts',
  },
  'sound-documents': {
    section: 'Faults',
    against: 'Sound PDFs and photos in the structures of many programs, taken for something else',
    goal: '400 or more: every one taken, with its text; what was taken out of it is named',
    by: 'server/documents/uploads/sound-documents.test.ts',
  },
  'hostile-files-memory': {
    section: 'Attackers',
    against: 'Memory that hostile files take',
    goal: 'it grows by less than 150 MB over all of them, the server and its readers together, at any moment',
    by: 'server/documents/uploads/hostile-memory.test.ts',
  },
  'hostile-files-in-browser': {
    section: 'Attackers',
    against: 'Stored files opened in a browser',
    goal: '0 scripts run',
    by: 'e2e/security/hostile-files.spec.ts',
  },
  'second-factor': {
    section: 'Attackers',
    against: 'Staff’s password stolen',
    goal: 'no call of staff’s without the second factor; a code works once',
    by: 'server/accounts/second-factor/second-factor-required.test.ts',
  },
  headers: {
    section: 'Attackers',
    against: 'What a browser may do with our pages',
    goal: 'exactly the headers written out, on pages, replies and documents; strict CSP without inline script, reports kept',
    by: 'proof/headers/headers.test.ts',
  },
  scanners: {
    section: 'Attackers',
    against: 'sqlmap and wapiti against a running server',
    goal: 'the planted faults found, and nothing else',
    by: 'proof/fuzz/scanners.test.ts',
  },
  secrets: {
    section: 'Attackers',
    against: 'Secrets in logs and audit rows',
    goal: '0 PINs, passwords, tokens or cookies in any line or row of the main job and of every refusal',
    by: 'proof/secrets/secrets.test.ts',
  },
  packages: {
    section: 'Attackers',
    against: 'Packages that are not what the lock says',
    goal: 'every package with an exact version, a SHA-512 digest, and no source but the registry',
    by: 'scripts/checks/packages.test.ts',
  },
  advisories: {
    section: 'Attackers',
    against: 'Packages with known holes',
    goal: '0 advisories of level high or critical in production, by npm audit',
    by: 'scripts/checks/packages.test.ts',
  },
  asvs: {
    section: 'Measured against',
    against: 'OWASP ASVS 5.0, level 2',
    goal: '253 rows, none missing, each test named there exists; at most 3 deviations',
    by: 'scripts/checks/asvs.test.ts',
  },
  'mutation-rules': {
    section: 'Measured against',
    against: 'Mutants of permissions, money, lifecycle and the other rules (Stryker)',
    goal: '90 % or more killed',
    by: 'proof/mutation/mutation.test.ts',
    tests: 'of the rules',
  },
  'mutation-accounts': {
    section: 'Measured against',
    against: 'Mutants of accounts and sessions on the server (Stryker)',
    goal: '90 % or more killed',
    by: 'proof/mutation/mutation.test.ts',
    tests: 'of accounts',
  },
} as const satisfies Record<string, Claim>;

export type ClaimId = keyof typeof claims;
