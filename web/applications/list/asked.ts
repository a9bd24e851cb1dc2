import type { Status } from '#contract/applications/lifecycle.ts';
import type { InvoiceSort } from '#contract/invoices/sorts.ts';

/** The parameters of a list of applications. */
export interface ApplicationsAsked {
  readonly page: number;
  readonly searchPhrase: string;
  readonly status: Status | null;
  readonly withoutDrafts: boolean;
  readonly sort: InvoiceSort | null;
  /** The session's business, empty for staff (docs/specification-coverage.md, 6), who may name one. */
  readonly businessTag: string;
  /** Whether the named business is the buyer in the listed applications. */
  readonly asBuyer?: boolean;
}

/** The list before any search, filter, sorting or page turn. */
export function firstPage(businessTag: string): ApplicationsAsked {
  return { page: 1, searchPhrase: '', status: null, withoutDrafts: false, sort: '-date', businessTag };
}

/** The body of the call to the server. */
export function bodyOf({ status, sort, ...asked }: ApplicationsAsked) {
  return { ...asked, status: status ?? '', sort: sort ?? '' } as const;
}
