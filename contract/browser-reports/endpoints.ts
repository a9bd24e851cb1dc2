import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { success } from '#contract/fields.ts';

/**
 * What a browser sends when a page violates its Content-Security-Policy: one report for `report-uri`, or several for
 * `report-to` (docs/decisions/0022-browser-walls.md). Browsers add keys as they please, so these schemas are not
 * strict; the server reads a few keys and keeps nothing else.
 */

const MOST_REPORTS = 50;

const oldReport = z.looseObject({ 'csp-report': z.looseObject({}) });
const newReports = z
  .array(z.looseObject({ type: z.string().max(100), body: z.unknown().optional() }))
  .max(MOST_REPORTS);

export const browserReportEndpoints = {
  reportCsp: endpoint({
    method: 'POST',
    path: '/csp_reports',
    summary: 'For browsers: what the Content-Security-Policy of a page made them refuse',
    body: z.union([oldReport, newReports]),
    bodyTypes: ['application/csp-report', 'application/reports+json'],
    maximumBytes: 16 * 1024,
    reply: success,
    needs: 'public',
    // The browser sends it by itself, with headers unlike those of our calls; it changes nothing.
    changes: false,
  }),
} as const;
