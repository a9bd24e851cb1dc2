import type { FlagKind } from '#contract/desk/schema.ts';
import type { Refusal, Rule } from '#contract/refusals/refusal.ts';

/** An unacknowledged flag that stops what comes next. */
export interface OpenFlag {
  readonly kind: FlagKind;
  /** What it says, or the other invoice. */
  readonly name: string;
}

/** At most this many are named in a refusal. */
const NAMED = 3;

/** Every flag was acknowledged. */
export const flagsAreAcknowledged: Rule<
  { readonly openFlags: readonly OpenFlag[] },
  Refusal & { readonly code: 'FLAG_OPEN' }
> = ({ openFlags }) => {
  if (openFlags.length === 0) return undefined;
  const named = openFlags.slice(0, NAMED).map(({ name }) => name);
  const others = openFlags.length > NAMED ? ` and ${openFlags.length - NAMED} more` : '';
  return { code: 'FLAG_OPEN', more: `Open: ${named.join('; ')}${others}` };
};
