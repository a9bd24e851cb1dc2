/** A fault for each alert of deploy/prometheus-rules.yml, as promtool's tests of rules take them. */

interface AlertCase {
  readonly alert: string;
  /** What a server's metrics say meanwhile, each 15 s. */
  readonly series: readonly { readonly series: string; readonly values: string }[];
  /** When the alert must have come. */
  readonly after: string;
  readonly labels: Readonly<Record<string, string>>;
}

const page = { severity: 'page' };
const ticket = { severity: 'ticket' };
const server = { job: 'kasente', instance: '127.0.0.1:3000' };
const of = (name: string, labels: Readonly<Record<string, string>> = {}): string =>
  `${name}{${Object.entries({ ...server, ...labels })
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`;
const answers = (route: string, status: string): string =>
  of('http_request_duration_seconds_count', { method: 'POST', route, status });
const always = (value: string): string => `${value}x200`;

export const alertCases: readonly AlertCase[] = [
  {
    alert: 'KasenteDown',
    series: [{ series: of('up'), values: always('0+0') }],
    after: '3m',
    labels: { ...page, ...server },
  },
  {
    alert: 'KasenteNotReady',
    series: [{ series: of('kasente_lacks', { what: 'storage' }), values: always('1+0') }],
    after: '5m',
    labels: { ...page, instance: server.instance, what: 'storage' },
  },
  {
    alert: 'KasenteFailing',
    series: [
      { series: answers('/api/v1/invoices', '500'), values: always('0+5') },
      { series: answers('/api/v1/invoices', '200'), values: always('0+95') },
    ],
    after: '15m',
    labels: page,
  },
  {
    alert: 'KasenteShedding',
    series: [{ series: of('kasente_requests_shed_total'), values: always('0+5') }],
    after: '15m',
    labels: page,
  },
  {
    alert: 'KasenteLoginFlood',
    series: [{ series: answers('/api/v1/users/login', '503'), values: always('0+5') }],
    after: '15m',
    labels: ticket,
  },
  {
    alert: 'KasenteSignUpTexts',
    series: [{ series: answers('/api/v1/users/register', '429'), values: always('0+5') }],
    after: '40m',
    labels: ticket,
  },
  {
    alert: 'KasenteSlow',
    series: [
      { series: of('http_request_duration_seconds_bucket', { le: '1' }), values: always('0+0') },
      { series: of('http_request_duration_seconds_bucket', { le: '5' }), values: always('0+9') },
      { series: of('http_request_duration_seconds_bucket', { le: '+Inf' }), values: always('0+9') },
    ],
    after: '30m',
    labels: ticket,
  },
  {
    alert: 'KasenteMemory',
    series: [{ series: of('process_resident_memory_bytes'), values: always('2000000000+0') }],
    after: '15m',
    labels: { ...ticket, ...server },
  },
  {
    alert: 'KasenteEventLoop',
    series: [{ series: of('nodejs_eventloop_lag_p99_seconds'), values: always('1+0') }],
    after: '10m',
    labels: { ...ticket, ...server },
  },
  {
    alert: 'KasenteDocumentsLost',
    series: [{ series: of('kasente_store_findings', { finding: 'missing' }), values: always('2+0') }],
    after: '1m',
    labels: { ...page, finding: 'missing' },
  },
  {
    alert: 'KasenteWitness',
    series: [{ series: of('kasente_audit_witness', { state: 'contradicts' }), values: always('1+0') }],
    after: '20m',
    labels: { ...page, state: 'contradicts' },
  },
  {
    alert: 'KasenteMessagesWait',
    series: [{ series: of('kasente_message_oldest_waiting_seconds', { channel: 'sms' }), values: always('400+15') }],
    after: '10m',
    labels: { ...page, channel: 'sms' },
  },
  {
    alert: 'KasenteMessagesDead',
    series: [{ series: of('kasente_messages', { channel: 'email', state: 'dead' }), values: '0x40 3x200' }],
    after: '12m',
    labels: { ...ticket, channel: 'email' },
  },
  {
    alert: 'KasenteRailAway',
    series: [{ series: of('kasente_rail_away', { rail: 'mtn' }), values: always('1+0') }],
    after: '15m',
    labels: { ...ticket, rail: 'mtn' },
  },
  {
    alert: 'KasenteJobsStand',
    series: [{ series: of('kasente_job_last_success_timestamp_seconds', { queue: 'sweep-files' }), values: '0x600' }],
    after: '125m',
    labels: { ...ticket, queue: 'sweep-files' },
  },
  {
    alert: 'KasenteConnectionsShort',
    series: [{ series: of('kasente_database_pool', { state: 'waiting' }), values: always('30+0') }],
    after: '10m',
    labels: { ...ticket, instance: server.instance },
  },
  {
    alert: 'KasenteStoreFails',
    series: [{ series: of('kasente_storage_errors_total', { operation: 'keep' }), values: always('0+1') }],
    after: '15m',
    labels: { ...page, operation: 'keep' },
  },
  {
    alert: 'KasentePagesRefused',
    series: [{ series: of('kasente_csp_reports_total', { directive: 'script-src' }), values: always('0+5') }],
    after: '30m',
    labels: ticket,
  },
  {
    alert: 'KasenteBackupOld',
    series: [{ series: of('kasente_backup_last_timestamp_seconds'), values: '3600x7000' }],
    after: '28h10m',
    labels: ticket,
  },
];
