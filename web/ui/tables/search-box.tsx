import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './search-box.module.css';

/** Searching waits until typing has paused for this long (docs/specification-coverage.md, 9). */
const SEARCH_DEBOUNCE_MS = 1000;
/** The server's maximum (contract/fields.ts). */
const MAXIMUM_LENGTH = 100;

interface SearchBoxProps {
  readonly label: string;
  /** The phrase currently searched for. */
  readonly value: string;
  readonly onSearch: (phrase: string) => void;
}

/** A search field that searches after a pause in typing, or at once with Enter and when it is cleared. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [asked, setAsked] = useState(value);
  // Shows a value changed from outside (by a link or another button); the result of its own search must not undo what
  // was typed since.
  if (value !== known) {
    setKnown(value);
    setAsked(value);
    if (value !== asked) setTyped(value);
  }
  const searchSoon = useDebouncedCallback(() => search(typed), SEARCH_DEBOUNCE_MS);
  const search = (phrase: string): void => {
    searchSoon.cancel();
    const wanted = phrase.trim();
    if (wanted === value) return;
    setAsked(wanted);
    onSearch(wanted);
  };
  const clear = (): void => {
    setTyped('');
    search('');
  };
  return (
    <TextInput
      type="search"
      enterKeyHint="search"
      aria-label={label}
      placeholder="Search"
      maxLength={MAXIMUM_LENGTH}
      value={typed}
      classNames={{ root: classes.root, input: classes.input }}
      leftSectionWidth={38}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={typed === '' ? null : <CloseButton iconSize={18} aria-label="Clear the search" onClick={clear} />}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        searchSoon();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(typed);
      }}
    />
  );
}
