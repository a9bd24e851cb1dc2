import { useSearchParams } from '#web/platform/router/router.tsx';

/** The state of a list lives in the URL, so that a reload or a link shows the same. */
export interface ListState {
  readonly page: number;
  readonly search: string;
  readonly filter: string | null;
  readonly sort: string | null;
  setPage(page: number): void;
  /** Searching begins at page 1 again. */
  setSearch(search: string): void;
  setFilter(filter: string | null): void;
  /** Another order is read from its beginning. */
  setSort(sort: string | null): void;
  /** Neither search nor filter. */
  showAll(): void;
}

/** The order of a list as the wire names it: 'date', or '-date' for the other way round. */
export interface Sorting<Sort extends string = string> {
  /** null is an order that no column has. */
  readonly by: Sort | null;
  /** What the list is sorted by as long as nobody asks for anything else. */
  readonly usual: Sort | null;
  setSort(sort: string | null): void;
}

/** The order that the address asks for; an unknown one means the usual one. */
export function sortingOf<Sort extends string>(
  { sort, setSort }: ListState,
  known: readonly Sort[],
  usual: Sort | null,
): Sorting<Sort> {
  return {
    by: known.find((name) => name === sort) ?? usual,
    usual,
    setSort: (asked) => setSort(asked === usual ? null : asked),
  };
}

/** Any address can be typed; what no server would take is page 1. */
const LAST_PAGE = 10_000_000;

function readPage(text: string | null): number {
  const page = Number(text);
  return Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1;
}

/** The state of the list of that name; several lists may share an address. */
export function useListState(name: string): ListState {
  const [params, changeParams] = useSearchParams();
  const key = (part: string): string => (name === '' ? part : `${name}-${part}`);
  const change = (changes: Readonly<Record<string, string | null>>): void =>
    changeParams(Object.fromEntries(Object.entries(changes).map(([part, value]) => [key(part), value])));
  return {
    page: readPage(params.get(key('page'))),
    search: (params.get(key('search')) ?? '').slice(0, 100),
    filter: params.get(key('filter')),
    sort: params.get(key('sort')),
    setPage: (value) => change({ page: value === 1 ? null : String(value) }),
    setSearch: (value) => change({ search: value, page: null }),
    setFilter: (value) => change({ filter: value, page: null }),
    setSort: (value) => change({ sort: value, page: null }),
    showAll: () => change({ search: null, filter: null, page: null }),
  };
}
