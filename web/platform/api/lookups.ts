import { useQuery } from '@tanstack/react-query';
import type { Option } from '#contract/fields.ts';
import { referenceEndpoints } from '#contract/reference/endpoints.ts';
import { HOUR_MS } from '#contract/time/durations.ts';
import { callApi } from './api.ts';

/** Lookups that more than one feature offers. They change with a release of the server, hardly ever in between. */

/** A loading lookup, as a select needs it. */
export interface Lookup<T = Option> {
  readonly data: readonly T[] | undefined;
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

/** The options in a prerendered page: shown at once, and still loaded, because they are as old as the build. */
function broughtAlong(name: string) {
  if (import.meta.env.SSR) return {};
  const options = [...document.querySelectorAll<HTMLOptionElement>(`select[name=${name}] option:not([value=""])`)];
  return {
    initialData:
      options.length === 0 ? undefined : options.map(({ value, text }) => ({ id: Number(value), name: text })),
    initialDataUpdatedAt: 0,
  };
}

/** Business sectors. */
export function useSectors(): Lookup {
  return useQuery({
    queryKey: ['lookups', 'sectors'],
    queryFn: ({ signal }) => callApi(referenceEndpoints.sectors, undefined, { signal }),
    staleTime: HOUR_MS,
    ...broughtAlong('industryId'),
  });
}

/** Districts and cities of Uganda. */
export function useDistricts(): Lookup {
  return useQuery({
    queryKey: ['lookups', 'districts'],
    queryFn: ({ signal }) => callApi(referenceEndpoints.districts, undefined, { signal }),
    staleTime: HOUR_MS,
    ...broughtAlong('districtId'),
  });
}
