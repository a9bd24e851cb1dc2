import type { ComponentProps, ReactNode } from 'react';

export interface ListedFact {
  readonly label: string;
  /** Without a value the fact is left out. */
  readonly value: ReactNode;
  /** The fact is red. */
  readonly isAlarm?: boolean;
}

interface FactListProps extends ComponentProps<'dl'> {
  readonly facts: readonly ListedFact[];
}

/** Facts as pairs of name and value, laid out by the list's class; nothing if there are none. */
export function FactList({ facts, ...props }: FactListProps) {
  const known = facts.filter(({ value }) => value != null);
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
