import type { AccountCode } from '#contract/journal/accounts.ts';
import { journalEndpoints } from '#contract/journal/endpoints.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** Every journal entry of an application. */
export function useApplicationJournal(tag: string) {
  return useCall(journalEndpoints.applicationJournal, { params: { tag }, ...live });
}

/** A page of an account's lines. */
export function useAccountJournal(account: AccountCode, currency: string, before: string | undefined) {
  return useCall(journalEndpoints.accountJournal, {
    params: { account },
    query: { currency, ...(before === undefined ? {} : { before }) },
    ...live,
  });
}

/** The balance of every account at the end of a day. */
export function useTrialBalance(on: string) {
  return useCall(journalEndpoints.trialBalance, { query: { on }, ...live });
}
