import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

/** Searching waits until typing has paused for this long (specification, section 9). */
const SEARCH_DEBOUNCE_MS = 1000;

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (phrase: string) => void;
}

/** A search field that searches by itself after a pause, or at once with Enter. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const searchSoon = useDebouncedCallback(onSearch, SEARCH_DEBOUNCE_MS);
  const change = (phrase: string): void => {
    setTyped(phrase);
    searchSoon(phrase.trim());
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={typed === '' ? null : <CloseButton aria-label="Clear the search" onClick={() => change('')} />}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSearch(typed.trim());
      }}
    />
  );
}
