/** A line of docs/performance.md: a measurement, its goal, and whether it holds. */
export interface Row {
  /** The work, such as 'save an invoice, 64 connections'. */
  readonly work: string;
  readonly goal: string;
  /** The measurement: a ratio within one run, or a size; a plain time only if no ratio is possible. */
  readonly figure: string;
  /** 'unmeasured' if this machine lacks something; `figure` names it. */
  readonly holds: boolean | 'unmeasured';
  /** The command that measures it again. */
  readonly command: string;
  /** This machine's own figures behind it: rates, times, processor use. */
  readonly detail?: string;
}
