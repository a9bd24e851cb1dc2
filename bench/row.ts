/** One line of docs/performance.md: what was measured, what it should be, and whether it is. */
export interface Row {
  /** The work, such as 'save an invoice, 64 connections'. */
  readonly work: string;
  readonly goal: string;
  /** What was measured: a ratio within one run, or a size; never a bare time of one machine where a ratio can be had. */
  readonly figure: string;
  /** 'unmeasured' where something that the measurement needs is not on this machine; `figure` says what. */
  readonly holds: boolean | 'unmeasured';
  /** The command that measures it again. */
  readonly command: string;
  /** The figures behind it, which are this machine's: rates, times, where they went. */
  readonly detail?: string;
}
