import { Counter } from 'prom-client';
import { browserReportEndpoints } from '#contract/browser-reports/endpoints.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Routes } from '#server/http/http.ts';
import { readCspReports } from './csp-report.ts';
import { MinuteBudget } from './minute-budget.ts';

/**
 * Anybody can send reports, so we only log and count them, up to a limit per minute for each address and in total. The
 * counts are per process: they protect this process's log, and a flood should not reach the database.
 */
const A_MINUTE = { forEach: 60, inAll: 600 } as const;

/** The policy's directives, and the names that browsers use for them: the metric's labels. */
const TOLD_APART: ReadonlySet<string> = new Set([
  'default-src',
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'img-src',
  'connect-src',
  'font-src',
  'frame-src',
  'frame-ancestors',
  'form-action',
  'base-uri',
  'object-src',
]);

/** Reports by directive: for /metrics. */
export function cspReportCounter(): Counter<'directive'> {
  return new Counter({
    name: 'kasente_csp_reports_total',
    help: 'What browsers refused because of the Content-Security-Policy, by directive',
    labelNames: ['directive'],
    registers: [],
  });
}

/** Receives browsers' reports of violations of a page's policy (docs/decisions/0022-browser-walls.md). */
export function browserReportRoutes(routes: Routes, counter: Counter<'directive'>): void {
  const budget = new MinuteBudget(A_MINUTE);

  routes.open(browserReportEndpoints.reportCsp, async ({ body, caller, request }) => {
    const retryAfterSeconds = budget.spend(caller.ip, caller.now);
    if (retryAfterSeconds !== undefined) throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds });
    for (const report of readCspReports(body)) {
      counter.inc({ directive: TOLD_APART.has(report.directive) ? report.directive : 'other' });
      request.log.warn(report, 'a browser refused something on a page');
    }
  });
}
