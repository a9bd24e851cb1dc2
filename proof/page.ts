import { type Claim, type ClaimId, claims } from '#testing/evidence/claims.ts';

/** The result of a claim's newest full run. */
export interface Shown {
  readonly holds: boolean;
  readonly figures: readonly string[];
  readonly canaries: readonly string[];
  /** The reasons why it does not hold. */
  readonly gaps: readonly string[];
  /** The code that the claim covered (Claim.proves). */
  readonly proves: readonly string[];
  /** The commit that ran, or the first one if several runs make up the result; undefined if it ran outside a clone. */
  readonly commit?: string | undefined;
  readonly date: string;
  readonly machine: string;
  readonly seconds: number;
  /** The number of runs so far, if the claim needs several. */
  readonly runs?: number;
}

export type ShownClaims = Partial<Record<ClaimId, Shown>>;

const HEAD = `# Proof

Written by \`npm run prove\`; do not edit. Each row: what could happen, what must hold, what was measured, and the planted
fault that the same detector found first. CI runs a short form (\`npm test -- --proofs\`); of scanners, mutants, timing of answers, floods of ten times
the load, memory that hostile files take, and advisories, which need hours, tools, a network or a quiet machine, only their
detectors' own tests, if any.

A row was shown at its commit (\`-changed\`: with changes on top). \`npm run check\` names the rows whose code has changed since; this page
doesn't, because a commit cannot know which later ones will change that code.
`;

/** The text of docs/proof.md: every claim with its newest figures, including failed and unproved ones. */
export function proofPage(shown: ShownClaims): string {
  const sections = new Set(Object.values(claims).map(({ section }) => section));
  return [HEAD, ...[...sections].map((section) => table(section, shown))].join('\n');
}

function table(section: Claim['section'], shown: ShownClaims): string {
  const rows = Object.entries<Claim>(claims)
    .filter(([, claim]) => claim.section === section)
    .map(([id, claim]) => row(id, claim, Object.entries(shown).find(([one]) => one === id)?.[1]));
  return [
    `## ${section}`,
    '',
    '| Against | Must hold | Holds | Measured | Planted and found | Command | Code | Commit | Date, machine, duration |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function row(id: string, claim: Claim, found: Shown | undefined): string {
  const cells = [
    claim.against,
    claim.goal,
    found?.holds ? 'yes' : '**no**',
    found === undefined ? 'not run yet' : [...addedUp(found), ...found.gaps].join('; '),
    found?.canaries.join('; ') ?? '',
    `\`npm run prove -- ${id}\``,
    (found ?? claim).proves.map((path) => `\`${path}\``).join(', '),
    found?.commit ?? '',
    found === undefined ? '' : `${found.date}, ${found.machine}, ${found.seconds} s`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/**
 * The figures. If several runs differ only in their numbers, one sentence with the sums, and the maximum of the 'at
 * worst' values.
 */
function addedUp({ figures, runs = 1 }: Shown): readonly string[] {
  const [first = '', ...others] = figures;
  const wording = (figure: string) => figure.replaceAll(/\d+/g, '#');
  if (runs === 1 || others.some((figure) => wording(figure) !== wording(first))) return figures;
  const numbers = figures.map((figure) => figure.match(/\d+/g)?.map(Number) ?? []);
  let position = 0;
  const total = first.replaceAll(/(at worst )?\d+/g, (_, worst = '') => {
    const each = numbers.map((ofRun) => ofRun[position] ?? 0);
    position += 1;
    return `${worst}${worst === '' ? each.reduce((sum, one) => sum + one) : Math.max(...each)}`;
  });
  return [`in ${runs} runs: ${total}`];
}

/**
 * A claim's result after another run. If the claim needs several runs, the run is added to the earlier ones; after a
 * failure, counting starts over.
 */
export function withRun({ runs: wanted = 1 }: Claim, before: Shown | undefined, run: Shown): Shown {
  if (!run.holds || wanted === 1) return run;
  const earlier = before?.runs !== undefined && before.runs < wanted ? before : undefined;
  const runs = (earlier?.runs ?? 0) + 1;
  return {
    ...run,
    holds: runs === wanted,
    figures: [...(earlier?.figures ?? []), ...run.figures],
    canaries: [...new Set([...(earlier?.canaries ?? []), ...run.canaries])],
    commit: earlier?.commit ?? run.commit,
    gaps: runs < wanted ? [`${runs} of ${wanted} runs so far`] : [],
    seconds: (earlier?.seconds ?? 0) + run.seconds,
    runs,
  };
}

/** Whether a claim needs more runs, with none failed so far. */
export function isUnderWay({ runs: wanted = 1 }: Claim, { runs = wanted }: Shown): boolean {
  return runs < wanted;
}
