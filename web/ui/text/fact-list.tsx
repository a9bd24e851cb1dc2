import type { ComponentProps, ReactNode } from 'react';

export interface ListedFact {
  readonly label: string;
  /** null is left out. */
  readonly value: ReactNode;
  /** It is red. */
  readonly isAlarm?: boolean;
}

interface FactListProps extends ComponentProps<'dl'> {
  readonly facts: readonly ListedFact[];
}

/** Facts as pairs of name and value, which the class of the list lays out; nothing where there are none. */
export function FactList({ facts, ...props }: FactListProps) {
  const known = facts.filter(({ value }) => value !== null);
  if (known.length === 0) return null;
  return (
    <dl {...props}>
      {known.map(({ label, value, isAlarm }) => (
        <div key={label} data-alarm={isAlarm || undefined}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
