import { Anchor, type OptionsFilter, Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { searchForm, searchWords } from '#contract/text/search.ts';
import type { Lookup } from '#web/platform/api/lookups.ts';
import { useLater } from '#web/ui/loading/later.tsx';
import classes from './lookup-select.module.css';

export interface LookupSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** The options, loading or loaded. */
  readonly lookup: Lookup;
  /** An option's id as text; '' for none. */
  readonly value?: string;
  readonly onChange?: (value: string) => void;
  /** Offered after the options if none matches the typed name. */
  readonly missing?: { readonly label: (typed: string) => string; readonly onAsk: (typed: string) => void };
}

/** A value that no option has as its id. */
const MISSING = 'missing';

/**
 * The list itself scrolls, not an area within it: a box that scrolls must be reachable by keyboard, and of the parts of
 * an open select only its list counts as reachable, through the arrow keys in its field (axe,
 * scrollable-region-focusable). The list is attached to the end of the page, outside every landmark, so that neither a
 * card nor a dialog cuts it off; its field labels it.
 */
const scrollingList = { options: { maxHeight: 280, overflowY: 'auto', overscrollBehavior: 'contain' } } as const;

/**
 * A select with options from the server. If they do not load, the field itself says so and offers to try again
 * (docs/specification-coverage.md, 'Deliberate departures'). The closed list is left out of the page while the screen
 * is first drawn, because placing it would force a layout of the whole page.
 */
export function LookupSelect({ lookup, value = '', onChange, error, missing, ...others }: LookupSelectProps) {
  const isListDrawn = useLater();
  const [search, setSearch] = useState('');
  const options = lookup.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? [];
  const typed = oneSpaced(search);
  const isMissing =
    missing !== undefined &&
    lookup.data !== undefined &&
    typed.length > 1 &&
    options.every(({ label }) => label.toLowerCase() !== typed.toLowerCase());
  const failed = lookup.isError && !lookup.isFetching && lookup.data === undefined;
  return (
    <Select
      {...others}
      data={isMissing ? [...options, { value: MISSING, label: missing.label(typed) }] : options}
      value={value === '' ? null : value}
      onChange={(chosen) => (chosen === MISSING ? missing?.onAsk(typed) : onChange?.(chosen ?? ''))}
      {...(missing === undefined ? {} : { onSearchChange: setSearch })}
      allowDeselect={false}
      comboboxProps={{ keepMounted: isListDrawn }}
      checkIconPosition="right"
      loading={lookup.data === undefined && !failed}
      error={failed ? <CouldNotLoad onRetry={() => void lookup.refetch()} /> : error}
      filter={startingFirst}
      withScrollArea={false}
      classNames={{ dropdown: classes.dropdown }}
      styles={scrollingList}
    />
  );
}

/**
 * The options that contain every typed word; those that start with the first word come first: 'ka' means Kampala before
 * Budaka. The entry for a missing option comes after both.
 */
const startingFirst: OptionsFilter = ({ options, search }) => {
  const words = searchWords(search);
  const rank = (option: (typeof options)[number]): number => {
    if (!('value' in option) || option.value === MISSING) return 2;
    return searchForm(option.label).startsWith(words[0] ?? '') ? 0 : 1;
  };
  const found = options.filter(
    (option) => rank(option) === 2 || ('label' in option && hasEveryWord(searchForm(option.label), words)),
  );
  return found.sort((one, other) => rank(one) - rank(other));
};

function hasEveryWord(form: string, words: readonly string[]): boolean {
  return words.every((word) => form.includes(word));
}

function oneSpaced(typed: string): string {
  return typed.trim().replaceAll(/\s+/g, ' ');
}

function CouldNotLoad({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <>
      The options did not load.{' '}
      <Anchor component="button" type="button" fz="inherit" onClick={onRetry}>
        Try again
      </Anchor>
    </>
  );
}
