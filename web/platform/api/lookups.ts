import type { Option } from '#contract/fields.ts';
import { referenceEndpoints } from '#contract/reference/endpoints.ts';
import { HOUR_MS } from '#contract/time/durations.ts';
import { useCall } from './use-call.ts';

/** Lookups that several features use. They change with a release of the server, and hardly ever in between. */

/** A lookup, loading or loaded, in the form that a select needs. */
export interface Lookup<T = Option> {
  readonly data: readonly T[] | undefined;
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

/**
 * The options in a prerendered page. They are shown at once and still reloaded, because they are as old as the build.
 */
function broughtAlong(field: string) {
  if (import.meta.env.SSR) return {};
  const options = [...document.querySelectorAll<HTMLOptionElement>(`select[name=${field}] option:not([value=""])`)];
  return {
    initialData:
      options.length === 0 ? undefined : options.map(({ value, text }) => ({ id: Number(value), name: text })),
    initialDataUpdatedAt: 0,
  };
}

/** `field` is the name of the lookup's select in a prerendered page. */
function useLookup(endpoint: typeof referenceEndpoints.sectors, field: string): Lookup {
  return useCall(endpoint, { staleTime: HOUR_MS, ...broughtAlong(field) });
}

/** Business sectors. */
export function useSectors(): Lookup {
  return useLookup(referenceEndpoints.sectors, 'industryId');
}

/** Districts and cities of Uganda. */
export function useDistricts(): Lookup {
  return useLookup(referenceEndpoints.districts, 'districtId');
}
