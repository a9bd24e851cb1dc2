/**
 * Characters that cannot be seen, and those that change the direction of the text around them: zero-width and
 * bidirectional marks, line breaks, fillers, and the Braille blank. A text with one looks like another text.
 */
export const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;
