/** The useful part of a report, without anything that could be a secret (docs/decisions/0022). */
export interface CspReport {
  /** The directive, such as `script-src-elem`. */
  readonly directive: string;
  /** What was blocked: an origin, or a keyword such as `inline`; never a path or a query. */
  readonly blocked: string;
  /** The page's path without query and fragment, tags removed. */
  readonly page: string;
}

const DIRECTIVE = /^[a-z][a-z-]{0,39}$/;
const WORD = /^[a-z][a-z-]{0,39}$/;
const TAGS = /[\da-f]{8}-[\da-f-]{27}|[\w-]{32,}/gi;
const LONGEST_PAGE = 100;

/** Reads the reports in a body of either format, ignoring reports that aren't about the policy. */
export function readCspReports(body: unknown): readonly CspReport[] {
  if (Array.isArray(body)) {
    return body
      .filter((report) => read(report, 'type') === 'csp-violation')
      .map((report) => {
        const violation = read(report, 'body');
        return cspReport(
          read(violation, 'effectiveDirective'),
          read(violation, 'blockedURL'),
          read(violation, 'documentURL'),
        );
      });
  }
  const violation = read(body, 'csp-report');
  const directive = read(violation, 'effective-directive') ?? read(violation, 'violated-directive');
  return [cspReport(directive, read(violation, 'blocked-uri'), read(violation, 'document-uri'))];
}

function cspReport(directive: unknown, blocked: unknown, page: unknown): CspReport {
  return { directive: directiveOf(directive), blocked: originOf(blocked), page: pathOf(page) };
}

function read(from: unknown, key: string): unknown {
  if (typeof from !== 'object' || from === null) return undefined;
  return Object.entries(from).find(([name]) => name === key)?.[1];
}

/** Old browsers send the whole directive, whose first word is the name. */
function directiveOf(value: unknown): string {
  const [name = ''] = typeof value === 'string' ? value.trim().split(/\s/, 1) : [];
  return DIRECTIVE.test(name) ? name : 'unknown';
}

function originOf(value: unknown): string {
  if (typeof value !== 'string') return 'unknown';
  if (WORD.test(value)) return value;
  if (!URL.canParse(value)) return 'unknown';
  const { origin, protocol } = new URL(value);
  return origin === 'null' ? protocol : origin;
}

function pathOf(value: unknown): string {
  if (typeof value !== 'string' || !URL.canParse(value)) return 'unknown';
  return new URL(value).pathname.replaceAll(TAGS, '…').slice(0, LONGEST_PAGE);
}
