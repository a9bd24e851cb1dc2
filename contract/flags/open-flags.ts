import type { FlagKind } from '#contract/desk/schema.ts';
import type { Refusal, Rule } from '#contract/refusals/refusal.ts';

/** An unacknowledged flag that stops the next step. */
export interface OpenFlag {
  readonly kind: FlagKind;
  /** The flag's text, or the number of the other invoice. */
  readonly name: string;
}

/** A refusal names at most this many flags. */
const NAMED = 3;

/** An officer has acknowledged every flag. */
export const flagsAreAcknowledged: Rule<
  { readonly openFlags: readonly OpenFlag[] },
  Refusal & { readonly code: 'FLAG_OPEN' }
> = ({ openFlags }) => {
  if (openFlags.length === 0) return undefined;
  const named = openFlags.slice(0, NAMED).map(({ name }) => name);
  const others = openFlags.length > NAMED ? ` and ${openFlags.length - NAMED} more` : '';
  return { code: 'FLAG_OPEN', more: `Open: ${named.join('; ')}${others}` };
};
