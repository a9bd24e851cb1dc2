import { Anchor, Select, type SelectProps } from '@mantine/core';
import type { Lookup } from '#web/platform/lookups.ts';

export interface LookupOption {
  readonly value: string;
  readonly label: string;
}

interface LookupSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** An option's id as text; '' for none. */
  readonly value?: string;
  readonly onChange?: (value: string) => void;
  /** Undefined until they have arrived. */
  readonly options: readonly LookupOption[] | undefined;
  /** The options did not load: the field says so and offers to try again (decisions, 'Deliberate departures'). */
  readonly failed: boolean;
  readonly onRetry: () => void;
}

/** A select over options that come from the server. */
export function LookupSelect({ value = '', onChange, options, failed, onRetry, error, ...others }: LookupSelectProps) {
  const loading = options === undefined && !failed;
  return (
    <Select
      {...others}
      data={options === undefined ? [] : [...options]}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange?.(chosen ?? '')}
      allowDeselect={false}
      checkIconPosition="right"
      loading={loading}
      error={failed ? <CouldNotLoad onRetry={onRetry} /> : error}
      maxDropdownHeight={280}
    />
  );
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

/** What a {@link LookupSelect} offers of a lookup of names: `<LookupSelect {...lookupOptions(sectors)} … />`. */
export function lookupOptions(lookup: Lookup): Pick<LookupSelectProps, 'options' | 'failed' | 'onRetry'> {
  return {
    options: lookup.data?.map(({ id, name }) => ({ value: String(id), label: name })),
    failed: lookup.isError && !lookup.isFetching && lookup.data === undefined,
    onRetry: () => void lookup.refetch(),
  };
}
