import { Select as MantineSelect, type SelectProps } from '@mantine/core';
import { useState } from 'react';

/**
 * Mantine's select, which renders its options on its first focus. Left closed it would draw them all and
 * lay the page out to place them (docs/decisions/0023-first-screen.md); drawn only when it opens, its field would
 * not name its list yet.
 */
export function Select({ onFocus, ...others }: SelectProps) {
  const [isReached, setReached] = useState(false);
  return (
    <MantineSelect
      {...others}
      comboboxProps={{ keepMounted: isReached }}
      onFocus={(event) => {
        setReached(true);
        onFocus?.(event);
      }}
    />
  );
}
