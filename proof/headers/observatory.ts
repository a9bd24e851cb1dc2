/**
 * HTTP Observatory's tests and their points, by its documentation
 * (https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring, version 4 of the algorithm). The full form of
 * proof/headers/headers.test.ts runs the published scanner too, which must agree.
 */

/** An answer over HTTPS, as a browser sees it. The proxy in front of Kasente handles TLS and plain HTTP. */
export interface SeenAnswer {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** The browser's cookies. */
  readonly cookies: readonly SeenCookie[];
}

export interface SeenCookie {
  readonly name: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite: string | undefined;
}

export interface Score {
  readonly score: number;
  /** Each test's points. */
  readonly tests: Readonly<Record<string, number>>;
}

const BASE = 100;
/** A page that lost more than 10 points gets no bonus. */
const LEAST_FOR_EXTRA = 90;
const SIX_MONTHS_SECONDS = 15_552_000;
const BROAD = /^(\*|https?:|ftp:|https?:\/\/\*(\.\*)?)$/;
const PRIVATE_REFERRER = ['no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin'];

/** The score of an answer: 100, minus penalties, plus up to 45 bonus points. */
export function observatoryScore(answer: SeenAnswer): Score {
  const policy = readPolicy(answer.headers['content-security-policy']);
  const tests = {
    'content-security-policy': scorePolicy(policy),
    cookies: scoreCookies(answer),
    'cross-origin-resource-sharing': scoreSharing(answer),
    'cross-origin-resource-policy': scoreResourcePolicy(answer.headers['cross-origin-resource-policy']),
    'referrer-policy': scoreReferrer(answer.headers['referrer-policy']),
    'strict-transport-security': scoreTransport(answer.headers['strict-transport-security']),
    'subresource-integrity': scoreIntegrity(answer),
    'x-content-type-options': answer.headers['x-content-type-options']?.toLowerCase() === 'nosniff' ? 0 : -5,
    'x-frame-options': scoreFraming(policy, answer.headers['x-frame-options']),
  };
  const given = Object.values(tests);
  const lost = given.filter((points) => points < 0).reduce((sum, points) => sum + points, BASE);
  const score = lost >= LEAST_FOR_EXTRA ? given.reduce((sum, points) => sum + points, BASE) : lost;
  return { score: Math.max(0, score), tests };
}

export type Policy = ReadonlyMap<string, readonly string[]>;

/** The directives of a Content-Security-Policy with their sources. */
export function readPolicy(header: string | undefined): Policy {
  const directives = (header ?? '').split(';').map((text) => text.trim().split(/\s+/));
  return new Map(
    directives
      .filter(([name]) => name !== '')
      .map(([name = '', ...sources]) => [name.toLowerCase(), sources.map((source) => source.toLowerCase())]),
  );
}

/** The sources of a directive, or of `default-src`; a nonce or digest disables 'unsafe-inline'. */
function sourcesOf(policy: Policy, directive: string): readonly string[] {
  const sources = policy.get(directive) ?? policy.get('default-src') ?? ['*'];
  const hasNonce = sources.some((source) => /^'(nonce|sha\d+)-/.test(source));
  return hasNonce ? sources.filter((source) => source !== "'unsafe-inline'") : sources;
}

function scorePolicy(policy: Policy): number {
  if (policy.size === 0) return -25;
  const scripts = sourcesOf(policy, 'script-src');
  const styles = sourcesOf(policy, 'style-src');
  const objects = sourcesOf(policy, 'object-src');
  const isLoose = (source: string) => BROAD.test(source) || source === 'data:' || source === "'unsafe-inline'";
  if (scripts.some(isLoose) || objects.some((source) => BROAD.test(source))) return -20;
  const passive = ['img-src', 'media-src'];
  const plain = (source: string) => /^(http|ftp):/.test(source);
  if ([...policy].some(([name, sources]) => !passive.includes(name) && sources.some(plain))) return -20;
  if ([...scripts, ...styles].includes("'unsafe-eval'")) return -10;
  if (passive.some((name) => sourcesOf(policy, name).some(plain))) return -10;
  if (styles.some(isLoose)) return 0;
  const byDefault = policy.get('default-src') ?? [];
  return byDefault.length === 1 && byDefault[0] === "'none'" ? 10 : 5;
}

function scoreCookies({ cookies, headers }: SeenAnswer): number {
  const hsts = scoreTransport(headers['strict-transport-security']) === 0;
  const points = cookies.map(({ name, secure, httpOnly, sameSite }) => {
    const isSession = /login|sess/i.test(name);
    if (isSession && !secure && !hsts) return -40;
    if (isSession && !httpOnly) return -30;
    if (!secure && !hsts) return -20;
    if (!secure) return isSession ? -10 : -5;
    return sameSite === undefined ? 0 : 5;
  });
  return points.length === 0 ? 0 : Math.min(...points);
}

function scoreSharing({ headers }: SeenAnswer): number {
  const isForAnyOrigin = headers['access-control-allow-origin'] !== undefined;
  return isForAnyOrigin && headers['access-control-allow-credentials'] === 'true' ? -50 : 0;
}

function scoreResourcePolicy(value: string | undefined): number {
  if (value === 'same-origin' || value === 'same-site') return 10;
  return value === undefined || value === 'cross-origin' ? 0 : -5;
}

function scoreReferrer(value: string | undefined): number {
  if (value === undefined) return 0;
  return PRIVATE_REFERRER.includes(value.split(',').at(-1)?.trim().toLowerCase() ?? '') ? 5 : -5;
}

function scoreTransport(value: string | undefined): number {
  const seconds = /(?:^|;)\s*max-age=(\d+)/i.exec(value ?? '')?.[1];
  if (seconds === undefined) return -20;
  return Number(seconds) >= SIX_MONTHS_SECONDS ? 0 : -10;
}

/** The opening tag of each script of a page. */
export function scriptTags(html: string): readonly string[] {
  return html.match(/<script\b[^>]*>/gi) ?? [];
}

function scoreIntegrity({ headers, body }: SeenAnswer): number {
  if (headers['content-type']?.startsWith('text/html') !== true) return 0;
  const scripts = scriptTags(body).filter((tag) => /\ssrc=/.test(tag));
  const foreign = scripts.filter((tag) => /\ssrc="(https?:)?\/\//.test(tag));
  const isWhole = (tag: string) => /\sintegrity="sha/.test(tag);
  if (foreign.some((tag) => !isWhole(tag))) return /\ssrc="https:/.test(foreign.join()) ? -5 : -50;
  return scripts.length > 0 && scripts.every(isWhole) ? 5 : 0;
}

function scoreFraming(policy: Policy, header: string | undefined): number {
  if (policy.has('frame-ancestors')) return 5;
  return header !== undefined && /^(deny|sameorigin)$/i.test(header) ? 0 : -20;
}
