/** A file that somebody could upload to do harm, and how it should be treated. */
export interface HostileFile {
  /** A unique description in words. */
  readonly name: string;
  readonly fileName: string;
  /** The type that the sender claims. */
  readonly type: string;
  readonly content: Buffer;
  readonly expected: Expected;
}

/** A redrawn picture, a PDF rewritten without active content, or the code of a refusal. */
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
