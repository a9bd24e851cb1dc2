/**
 * Whether a spreadsheet has replaced a number by its own short form: `3.63441E+11`, `3,63441E+11`, `3.6 x 10^11`,
 * `363441000000.0`, `#######`, `#NUM!`, or a text that ends in dots. The last digits are lost, so two payments may look
 * like one. A number that was rounded without a trace (`363441000000`) can't be told from a real one.
 */
export function isShortened(reference: string): boolean {
  const plain = reference
    .normalize('NFKC')
    .replaceAll(QUOTES_AND_SPACES, '')
    .replaceAll(/[\p{Pd}−]/gu, '-');
  return FORMS.some((form) => form.test(plain));
}

const QUOTES_AND_SPACES = /[\s\p{Z}\p{Cf}'’‘"“”=]/gu;

const FORMS = [
  /^[+-]?\d+(?:[.,]\d*)?E[+-]\d+$/i,
  /^[+-]?\d+[.,]\d*E\d+$/i,
  /^[+-]?\d+(?:[.,]\d*)?[x×*·⋅]10\^?[+-]?\d+$/i,
  /^[+-]?\d+[.,]0+$/,
  /^#+$/,
  /^#(?:NUM|VALUE|REF|NAME|NULL|SPILL|CALC|ERROR|DIV\/0|N\/A)[!?]?$/i,
  /\.{2,}$/,
];
