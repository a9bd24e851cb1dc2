/** A document that somebody could honestly upload. */
export interface SoundDocument {
  /** A unique description in words. */
  readonly name: string;
  readonly fileName: string;
  readonly type: string;
  readonly content: Buffer;
  /** The parts removed from it, as `documents.removed` lists them. */
  readonly removed: string | null;
}
