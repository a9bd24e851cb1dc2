/** A file that somebody could upload to do harm, and its expected treatment. */
export interface HostileFile {
  /** What it is, in words; unique. */
  readonly name: string;
  readonly fileName: string;
  /** The type that its sender claims. */
  readonly type: string;
  readonly content: Buffer;
  readonly expected: Expected;
}

/** A picture drawn again, a PDF rewritten without anything that acts, or the code of a refusal. */
export type Expected =
  | 'drawn'
  | 'rewritten'
  | 'FILE_TYPE'
  | 'FILE_ACTIVE'
  | 'FILE_BROKEN'
  | 'FILE_CUT_OFF'
  | 'FILE_HEIC'
  | 'FILE_LOCKED'
  | 'FILE_TOO_COMPLEX'
  | 'FILE_TOO_MANY_PIXELS';
