/** One line of docs/performance.md: what was measured, what it should be, and whether it is. */
export interface Row {
  /** The work, such as 'save an invoice, 64 connections'. */
  readonly work: string;
  readonly goal: string;
  /** What was measured: a ratio within one run, or a size; never a bare time of one machine where a ratio can be had. */
  readonly figure: string;
  readonly holds: boolean;
  /** The command that measures it again. */
  readonly command: string;
}
