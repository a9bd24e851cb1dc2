import fastifyHelmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { browserReportEndpoints } from '#contract/browser-reports/endpoints.ts';
import { API_ROOT } from '#contract/endpoint.ts';
import type { Pages } from '#server/platform/pages.ts';
import type { Platform } from '#server/platform/platform.ts';

const REPORTS_URL = `${API_ROOT}${browserReportEndpoints.reportCsp.path}`;

/** What no page of ours uses, and so no script that got into one may: among it all that a browser asks a person for. */
const NOT_USED = [
  'accelerometer',
  'autoplay',
  'bluetooth',
  'camera',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'web-share',
  'window-management',
  'xr-spatial-tracking',
];
const PERMISSIONS = NOT_USED.map((feature) => `${feature}=()`).join(', ');

/** What a page loads or asks for, and never shows as it is: nothing that a browser does with it depends on these headers. */
const LOADED = /^(?:application\/json|application\/javascript|text\/javascript|text\/css)\b/;
const FOR_PAGES = [
  'permissions-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];
/** Stricter than a page's, should somebody open such an answer in a tab after all; and 400 bytes shorter. */
const LOADED_POLICY = "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'";

/**
 * The headers of every answer (docs/decisions/0022-browser-walls.md). Scripts and styles come from here alone, but for
 * the one script within a prerendered page, which is named by its hash; Mantine writes `<style>` elements, which carry the answer's nonce, and style attributes, which need 'unsafe-inline'.
 */
export async function securityHeaders(server: FastifyInstance, platform: Platform, { scripts }: Pages): Promise<void> {
  const https = platform.config.publicUrl?.startsWith('https:') === true;
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', PERMISSIONS);
  });
  // Of the main job's data they were a fifth (docs/decisions/0029-screens-on-a-bad-line.md).
  server.addHook('onSend', async (_request, reply) => {
    if (!LOADED.test(String(reply.getHeader('content-type') ?? ''))) return;
    for (const name of FOR_PAGES) reply.removeHeader(name);
    reply.header('content-security-policy', LOADED_POLICY);
  });
  await server.register(fastifyHelmet, {
    enableCSPNonces: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...scripts],
        styleSrc: ["'self'"],
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        manifestSrc: ["'self'"],
        frameSrc: ["'self'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        // Not report-to besides: browsers that know it then pass over this, and report late or, over http, never.
        reportUri: [REPORTS_URL],
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    // Chrome long blocked its PDF viewer in a page with one, and nothing here comes from another origin anyway.
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: https ? { maxAge: 63_072_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
}

/**
 * The policy of a file that is shown in a tab or framed by a page of ours: it runs nothing, loads nothing and sends
 * nothing. Browsers refuse to show a sandboxed PDF, and some show one by an element of their own (`object-src`); all lay a
 * file out by style attributes.
 */
export function filePolicy(mediaType: string): string {
  const isPdf = mediaType === 'application/pdf';
  return [
    "default-src 'none'",
    ...(isPdf ? ["object-src 'self'"] : ['sandbox']),
    "style-src-attr 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}
