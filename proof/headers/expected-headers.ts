import { inlineSource } from '#server/responses/html.ts';

/**
 * The headers of Kasente's replies over https (docs/decisions/0022-browser-walls.md): every change of a header must be
 * made here too.
 */

const PERMISSIONS =
  'accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), geolocation=(), gyroscope=(), hid=(), ' +
  'idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-create=(), ' +
  'publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), window-management=(), xr-spatial-tracking=()';

const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none';script-src 'self' 'sha256-…';style-src 'self' 'sha256-…';style-src-attr 'unsafe-inline';" +
    "img-src 'self' data: blob:;connect-src 'self';font-src 'self';manifest-src 'self';frame-src 'self';" +
    "frame-ancestors 'none';form-action 'self';base-uri 'none';report-uri /api/v1/csp_reports",
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': PERMISSIONS,
  'referrer-policy': 'same-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  vary: 'accept-encoding',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

export const REPLY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  'content-type': 'application/json; charset=utf-8',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export const PDF_HEADERS = {
  'cache-control': 'no-store',
  'content-disposition': `inline; filename="document.pdf"; filename*=UTF-8''document.pdf`,
  'content-security-policy':
    "default-src 'none'; object-src 'self'; style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'self'",
  'content-type': 'application/pdf',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': PERMISSIONS,
  'referrer-policy': 'same-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

/** Headers that differ between connections and replies. */
const VARYING = ['connection', 'content-encoding', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

/**
 * A reply's headers for comparison with this file: without the varying ones, and with each list of hashes replaced by one
 * ellipsis.
 */
export function comparable(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !VARYING.includes(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, String(value).replaceAll(/'sha256-[^;]+'/g, "'sha256-…'")]),
  );
}

/** The headers of a page, whose policy names a script's hash only if a script is written into it. */
export function pageHeaders(html: string): Record<string, string> {
  const policy = PAGE_HEADERS['content-security-policy'];
  return {
    ...PAGE_HEADERS,
    'content-security-policy': html.includes('<script>')
      ? policy
      : policy.replace("script-src 'self' 'sha256-…'", "script-src 'self'"),
  };
}

/** The inline scripts or styles of a page that its policy does not name. */
export function unnamed(element: 'script' | 'style', html: string, policy: unknown): string[] {
  const named = new RegExp(`;${element}-src ([^;]*);`).exec(String(policy))?.[1]?.split(' ');
  const texts = [...html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(([, text = '']) => text);
  return texts.filter((text) => named?.includes(inlineSource(text)) !== true);
}

/** The opening tags of a page's scripts that have no digest. */
export function scriptsWithoutDigest(html: string): string[] {
  return (html.match(/<script\b[^>]*>/gi) ?? []).filter((tag) => !/ src="\/assets\/[^>]* integrity="sha384-/.test(tag));
}
