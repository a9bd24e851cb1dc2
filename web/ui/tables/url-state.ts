import { useSearchParams } from '#web/platform/router/router.tsx';

/** The state of a list. It is kept in the URL, so that a reload or a link shows the same. */
export interface ListState {
  readonly page: number;
  readonly search: string;
  readonly filter: string | null;
  readonly sort: string | null;
  setPage(page: number): void;
  /** A new search starts at page 1. */
  setSearch(search: string): void;
  setFilter(filter: string | null): void;
  /** A new order starts at page 1. */
  setSort(sort: string | null): void;
  /** Clears search and filter. */
  showAll(): void;
}

/** The order of a list as sent to the server: 'date', or '-date' for the reverse. */
export interface Sorting<Sort extends string = string> {
  /** null is an order that no column has. */
  readonly by: Sort | null;
  /** The order when nobody chose one. */
  readonly usual: Sort | null;
  setSort(sort: string | null): void;
}

/** The order named in the address; an unknown one means the usual order. */
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

/** Any address can be typed; a page number that no server would accept counts as page 1. */
const LAST_PAGE = 10_000_000;

function readPage(text: string | null): number {
  const page = Number(text);
  return Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1;
}

/** The state of the named list; several lists may share an address. */
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
