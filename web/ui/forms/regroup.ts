interface Edit {
  readonly before: string;
  readonly after: string;
  /** The caret's position in `after`. */
  readonly caret: number;
  /** One digit was typed or something was deleted; false for a paste. */
  readonly byKey: boolean;
  readonly forward: boolean;
  /** `before` was formatted by us, and so ends in two decimals. */
  readonly formatted: boolean;
}

const GROUPED = /^-?[1-9]\d{0,2}(?:,\d{3})*(?:\.\d{0,2})?$/;

/**
 * Puts commas between thousands during typing. It moves commas only where we have put them: in plain digits, and after
 * one key in grouped digits. Anything else stays as typed, because '12,50' is not 1,250.
 */
export function regroup(edit: Edit): { readonly text: string; readonly caret: number } {
  const { before, after, caret, byKey, forward, formatted } = edit;
  const isOurs = /^-?\d+$/.test(after) || (byKey && GROUPED.test(before));
  const [, sign = '', whole = '', decimals = ''] = /^(-?)([1-9]\d*)(\.\d*)?$/.exec(after.replaceAll(',', '')) ?? [];
  if (!isOurs || whole === '') return { text: after, caret };
  // A third decimal after decimals that nobody typed: '850.00' and a 0 must not become '850.000', which is 850,000.
  if (decimals.length > 3) return formatted ? { text: before, caret: caret - 1 } : { text: after, caret };
  const text = `${sign}${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')}${decimals}`;
  const kept = after.slice(0, caret).replaceAll(',', '').length;
  const moved = indexAfter(text, kept);
  return { text, caret: forward && text[moved] === ',' ? moved + 1 : moved };
}

/** The index after `count` characters, not counting commas. */
function indexAfter(text: string, count: number): number {
  let left = count;
  let index = 0;
  for (; left > 0 && index < text.length; index += 1) if (text[index] !== ',') left -= 1;
  return index;
}
