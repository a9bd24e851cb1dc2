import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Select } from '#web/ui/forms/select.tsx';
import classes from './list-tools.module.css';
import { SearchBox } from './search-box.tsx';
import type { ListState } from './url-state.ts';

interface ListToolsProps {
  /** On the same line if there is room. */
  readonly heading?: ReactNode;
  readonly state: ListState;
  readonly searchLabel: string;
  readonly filterLabel: string;
  /** The filter's label while it is off. */
  readonly everything: string;
  readonly options: readonly (string | { readonly value: string; readonly label: string })[];
  /** The active filter; an unknown one in the address counts as none. */
  readonly filter: string | null;
  /** Set if there is nothing to search in. */
  readonly hidden?: boolean;
}

/** Heading, search and filter above a list. */
export function ListTools(props: ListToolsProps) {
  const { heading, state, searchLabel, filterLabel, everything, options, filter, hidden = false } = props;
  if (hidden && heading === undefined) return null;
  return (
    <div className={classes.head}>
      {heading}
      {!hidden && (
        <div className={classes.tools}>
          <SearchBox label={searchLabel} value={state.search} onSearch={state.setSearch} />
          <Select
            className={classes.filter}
            aria-label={filterLabel}
            placeholder={everything}
            rightSectionWidth={32}
            clearable
            clearButtonProps={{ 'aria-label': everything }}
            data={[...options]}
            value={filter}
            onChange={state.setFilter}
          />
        </div>
      )}
    </div>
  );
}

/** Shown instead of a list when search and filter find nothing, with a button back to the whole list. */
export function NothingFound({ children, state }: { readonly children: ReactNode; readonly state: ListState }) {
  return (
    <>
      <Text>{children}</Text>
      <Button variant="default" onClick={state.showAll}>
        Show all
      </Button>
    </>
  );
}
