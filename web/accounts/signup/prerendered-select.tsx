import { NativeSelect } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTakenOver } from '#web/platform/hydration/use-hydrated.ts';
import { LookupSelect, type LookupSelectProps } from '#web/ui/forms/lookup-select.tsx';

interface EarlySelectProps extends LookupSelectProps {
  readonly name: string;
}

/**
 * A select of a prerendered form. Before the application is there it is the browser's own, with its options in the page, so
 * that the form can be filled in and sent; afterwards, but never under somebody's finger, it is the usual one.
 */
export function EarlySelect({ name, ...props }: EarlySelectProps) {
  const isTakenOver = useTakenOver();
  const [isPlain, setPlain] = useState(!isTakenOver);
  const plain = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => {
    if (isTakenOver && plain.current !== document.activeElement) setPlain(false);
  }, [isTakenOver]);
  if (!isPlain) return <LookupSelect {...props} />;
  const { label, placeholder, lookup, value = '', onChange, error } = props;
  const options = lookup.data?.map(({ id, name: text }) => ({ value: String(id), label: text })) ?? [];
  return (
    <NativeSelect
      ref={plain}
      size="md"
      name={name}
      label={label}
      error={error}
      data={[{ value: '', label: placeholder ?? '' }, ...options]}
      value={value}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      onBlur={() => setPlain(!isTakenOver)}
    />
  );
}
