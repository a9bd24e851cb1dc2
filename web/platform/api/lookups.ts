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
function broughtAlong(field: string) {
  if (import.meta.env.SSR) return {};
  const options = [...document.querySelectorAll<HTMLOptionElement>(`select[name=${field}] option:not([value=""])`)];
  return {
    initialData:
      options.length === 0 ? undefined : options.map(({ value, text }) => ({ id: Number(value), name: text })),
    initialDataUpdatedAt: 0,
  };
}

/** `field` is the name of its select in a prerendered page. */
function useLookup(name: string, endpoint: typeof referenceEndpoints.sectors, field: string): Lookup {
  return useQuery({
    queryKey: ['lookups', name],
    queryFn: ({ signal }) => callApi(endpoint, undefined, { signal }),
    staleTime: HOUR_MS,
    ...broughtAlong(field),
  });
}

/** Business sectors. */
export function useSectors(): Lookup {
  return useLookup('sectors', referenceEndpoints.sectors, 'industryId');
}

/** Districts and cities of Uganda. */
export function useDistricts(): Lookup {
  return useLookup('districts', referenceEndpoints.districts, 'districtId');
}
