/**
 * Letters and digits of other scripts, with the ones that they look like; the same as in PostgreSQL's
 * `certificate_key`.
 */
const lookAlikes: readonly (readonly [string, string])[] = [
  ['авеѕзкмнорстухіјԁԛԝӏьб', 'abes3kmhopctyxijdqwlb6'],
  ['αβεζηικμνορτυχϲϳ', 'abezhikmnoptyxcj'],
  ['٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'],
];
const looksLike = new Map(
  lookAlikes.flatMap(([letters, latin]) => Array.from(letters, (letter, place) => [letter, latin.charAt(place)])),
);

/** A text in capitals, without accents, with letters and digits of other scripts as the Latin ones they look like. */
export function readLookAlikes(text: string): string {
  const withoutAccents = text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return Array.from(withoutAccents.toLowerCase(), (letter) => looksLike.get(letter) ?? letter)
    .join('')
    .toUpperCase();
}
