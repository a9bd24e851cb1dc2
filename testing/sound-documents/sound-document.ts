/** A document that somebody could honestly upload. */
export interface SoundDocument {
  /** What it is, in words; unique. */
  readonly name: string;
  readonly fileName: string;
  readonly type: string;
  readonly content: Buffer;
  /** What is taken out of it, as `documents.removed` has it. */
  readonly removed: string | null;
}
