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

/** A picture drawn again, a PDF kept as it is, a PDF whose links are made plain, or the code of a refusal. */
export type Expected =
  | 'drawn'
  | 'kept'
  | 'plain'
  | 'FILE_TYPE'
  | 'FILE_ACTIVE'
  | 'FILE_LINKED'
  | 'FILE_LOCKED'
  | 'FILE_TOO_MANY_PIXELS';
