import { Select as MantineSelect, type SelectProps } from '@mantine/core';
import { useState } from 'react';

/**
 * Mantine's select, rendering its options on first focus. Otherwise it would draw them all while closed and lay the
 * page out to place them (docs/decisions/0023-first-screen.md). If they were drawn only when it opens, its field would
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
