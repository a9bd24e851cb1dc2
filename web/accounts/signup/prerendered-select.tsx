import { NativeSelect } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { useHydrated } from '#web/platform/hydration/use-hydrated.ts';
import { LookupSelect, type LookupSelectProps } from '#web/ui/forms/lookup-select.tsx';

interface PrerenderedSelectProps extends LookupSelectProps {
  readonly name: string;
}

/**
 * A select in a prerendered form. Until the application has loaded it is the browser's own select with its options in
 * the page, so that the form can be filled in and sent. Afterwards it becomes the usual one, but never while somebody
 * is using it.
 */
export function PrerenderedSelect({ name, ...props }: PrerenderedSelectProps) {
  const isHydrated = useHydrated();
  const [isPlain, setPlain] = useState(!isHydrated);
  const plain = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => {
    if (isHydrated && plain.current !== document.activeElement) setPlain(false);
  }, [isHydrated]);
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
      onBlur={() => setPlain(!isHydrated)}
    />
  );
}
