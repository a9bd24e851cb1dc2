/** A fault for each alert of deploy/prometheus-rules.yml, in the format of promtool's rule tests. */

interface AlertCase {
  readonly alert: string;
  /** A server's metrics during the fault, every 15 s. */
  readonly series: readonly { readonly series: string; readonly values: string }[];
  /** When the alert must fire. */
  readonly after: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** An alert that must fire after this time with these labels, while the series have these values. */
function alert(
  name: string,
  after: string,
  labels: AlertCase['labels'],
  ...series: readonly (readonly [series: string, values: string])[]
): AlertCase {
  return { alert: name, after, labels, series: series.map(([one, values]) => ({ series: one, values })) };
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
  alert('KasenteDown', '3m', { ...page, ...server }, [of('up'), always('0+0')]),
  alert('KasenteNotReady', '5m', { ...page, instance: server.instance, what: 'storage' }, [
    of('kasente_lacks', { what: 'storage' }),
    always('1+0'),
  ]),
  alert(
    'KasenteFailing',
    '15m',
    page,
    [answers('/api/v1/invoices', '500'), always('0+5')],
    [answers('/api/v1/invoices', '200'), always('0+95')],
  ),
  alert('KasenteShedding', '15m', page, [of('kasente_requests_shed_total'), always('0+5')]),
  alert('KasenteLoginFlood', '15m', ticket, [answers('/api/v1/users/login', '503'), always('0+5')]),
  alert('KasenteSignUpTexts', '40m', ticket, [answers('/api/v1/users/register', '429'), always('0+5')]),
  alert(
    'KasenteSlow',
    '30m',
    ticket,
    [of('http_request_duration_seconds_bucket', { le: '1' }), always('0+0')],
    [of('http_request_duration_seconds_bucket', { le: '5' }), always('0+9')],
    [of('http_request_duration_seconds_bucket', { le: '+Inf' }), always('0+9')],
  ),
  alert('KasenteMemory', '15m', { ...ticket, ...server }, [
    of('process_resident_memory_bytes'),
    always('2000000000+0'),
  ]),
  alert('KasenteEventLoop', '10m', { ...ticket, ...server }, [of('nodejs_eventloop_lag_p99_seconds'), always('1+0')]),
  alert('KasenteDocumentsLost', '1m', { ...page, finding: 'missing' }, [
    of('kasente_store_findings', { finding: 'missing' }),
    always('2+0'),
  ]),
  alert('KasenteWitness', '20m', { ...page, state: 'contradicts' }, [
    of('kasente_audit_witness', { state: 'contradicts' }),
    always('1+0'),
  ]),
  alert('KasenteMessagesWait', '10m', { ...page, channel: 'sms' }, [
    of('kasente_message_oldest_waiting_seconds', { channel: 'sms' }),
    always('400+15'),
  ]),
  alert('KasenteMessagesDead', '12m', { ...ticket, channel: 'email' }, [
    of('kasente_messages', { channel: 'email', state: 'dead' }),
    '0x40 3x200',
  ]),
  alert('KasenteRailAway', '15m', { ...ticket, rail: 'mtn' }, [
    of('kasente_rail_away', { rail: 'mtn' }),
    always('1+0'),
  ]),
  alert('KasenteJobsStand', '125m', { ...ticket, queue: 'sweep-files' }, [
    of('kasente_job_last_success_timestamp_seconds', { queue: 'sweep-files' }),
    '0x600',
  ]),
  alert('KasenteConnectionsShort', '10m', { ...ticket, instance: server.instance }, [
    of('kasente_database_pool', { state: 'waiting' }),
    always('30+0'),
  ]),
  alert('KasenteStoreFails', '15m', { ...page, operation: 'keep' }, [
    of('kasente_storage_errors_total', { operation: 'keep' }),
    always('0+1'),
  ]),
  alert('KasentePagesRefused', '30m', ticket, [
    of('kasente_csp_reports_total', { directive: 'script-src' }),
    always('0+5'),
  ]),
  alert('KasenteBackupOld', '28h10m', ticket, [of('kasente_backup_last_timestamp_seconds'), '3600x7000']),
];
