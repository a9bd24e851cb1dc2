/**
 * Characters that are invisible or change the direction of the text around them: zero-width and bidirectional marks,
 * line breaks, fillers, and the Braille blank. Two texts that differ only in these look the same.
 */
export const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;
