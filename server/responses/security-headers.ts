import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';
import { browserReportEndpoints } from '#contract/browser-reports/endpoints.ts';
import { API_ROOT } from '#contract/endpoint.ts';
import type { Config } from '#server/config/config.ts';
import { inlineDisposition } from './inline-disposition.ts';
import { PLAIN_STYLE } from './plain-page.ts';

const REPORTS_URL = `${API_ROOT}${browserReportEndpoints.reportCsp.path}`;

/**
 * Features that our pages do not use, so that injected scripts cannot use them either; includes everything with a
 * permission prompt. `bluetooth` and `web-share` are left out, because desktop Chrome does not know them and warns in
 * every page's console.
 */
const NOT_USED = [
  'accelerometer',
  'autoplay',
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
  'window-management',
  'xr-spatial-tracking',
];
const PERMISSIONS = NOT_USED.map((feature) => `${feature}=()`).join(', ');

/** Subresources, which browsers never show as pages, so that a page's headers have no effect on them. */
const LOADED = /^(?:application\/json|application\/javascript|text\/javascript|text\/css)\b/;

/**
 * The headers of every answer (docs/decisions/0022-browser-walls.md). They are written when the answer is sent, because
 * only then do we know whether it is a page. A route's own headers stay.
 */
export function securityHeaders(server: FastifyInstance, { publicUrl }: Config): void {
  const everywhere = {
    strictTransportSecurity:
      publicUrl?.startsWith('https:') === true ? { maxAge: 63_072_000, includeSubDomains: true } : false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  } satisfies HelmetOptions;
  const page = helmet({
    ...everywhere,
    contentSecurityPolicy: onlyOurs({ scripts: [], styles: [PLAIN_STYLE] }),
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    // Chrome long blocked its PDF viewer in a page with this header, and we load nothing from other origins.
    crossOriginEmbedderPolicy: false,
  });
  const loaded = headersOf({ ...everywhere, ...FOR_LOADED });
  server.addHook('onSend', async (request, reply) => {
    if (LOADED.test(String(reply.getHeader('content-type') ?? ''))) {
      reply.headers(loaded);
      return;
    }
    page(request.raw, reply.raw, fail);
    // Not for a document in its own tab, where Chrome warns that the page cannot be isolated.
    if (request.routeOptions.config.endpoint?.file !== undefined) reply.raw.removeHeader('origin-agent-cluster');
    reply.header('permissions-policy', PERMISSIONS);
  });
}

/**
 * The headers of subresources. A page's full headers would be a fifth of the bytes of a typical session
 * (docs/decisions/0023-first-screen.md). This policy is stricter, in case a person opens such a reply in a tab.
 */
const FOR_LOADED = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} satisfies HelmetOptions;

/** The sources of the scripts and styles that are written into a page. */
interface InlineSources {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** The content security policy of a page of the web application. */
export function pagePolicy(inline: InlineSources): string {
  return String(headersOf({ contentSecurityPolicy: onlyOurs(inline) })['content-security-policy']);
}

/**
 * Scripts and styles come only from this server, except inline ones that are allowed by their hash. Mantine uses style
 * attributes, which need 'unsafe-inline'.
 */
function onlyOurs({ scripts, styles }: InlineSources) {
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", ...scripts],
      styleSrc: ["'self'", ...styles],
      styleSrcAttr: ["'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      connectSrc: ["'self'"],
      fontSrc: ["'self'"],
      manifestSrc: ["'self'"],
      frameSrc: ["'self'"],
      frameAncestors: ["'none'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      // Without report-to: browsers that support it ignore report-uri, and report late or, over http, never.
      reportUri: [REPORTS_URL],
    },
  } satisfies HelmetOptions['contentSecurityPolicy'];
}

/** The headers that never change, built once: most replies of the API have only these. */
function headersOf(options: HelmetOptions) {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(options)(response.req, response, fail);
  return response.getHeaders();
}

function fail(error?: unknown): void {
  if (error !== undefined) throw error;
}

/** The headers of a file that is shown in the browser: it runs no script and only our own pages may frame it. */
export function shownFileHeaders({ fileName, mediaType }: { readonly fileName: string; readonly mediaType: string }) {
  return {
    'content-type': mediaType,
    'content-disposition': inlineDisposition(fileName),
    'content-security-policy': filePolicy(mediaType),
    'x-frame-options': 'SAMEORIGIN',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}

/**
 * The policy of a file in a tab, or in a frame on our pages: it runs, loads and sends nothing. Browsers refuse to show
 * a sandboxed PDF, and some use their own element for it (`object-src`); all of them use style attributes.
 */
function filePolicy(mediaType: string): string {
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
