import { Anchor, Select, type SelectProps } from '@mantine/core';
import type { Lookup } from '#web/platform/lookups.ts';

interface LookupSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** The options, as a query of them stands. */
  readonly lookup: Lookup;
  /** An option's id as text; '' for none. */
  readonly value?: string;
  readonly onChange?: (value: string) => void;
}

/**
 * A select over options that come from the server. When they do not load, the field itself says so and offers to try
 * again (decisions, 'Deliberate departures').
 */
export function LookupSelect({ lookup, value = '', onChange, error, ...others }: LookupSelectProps) {
  const failed = lookup.isError && !lookup.isFetching && lookup.data === undefined;
  return (
    <Select
      {...others}
      data={lookup.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange?.(chosen ?? '')}
      allowDeselect={false}
      checkIconPosition="right"
      loading={lookup.data === undefined && !failed}
      error={failed ? <CouldNotLoad onRetry={() => void lookup.refetch()} /> : error}
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
