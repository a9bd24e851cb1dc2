import { useQuery } from '@tanstack/react-query';
import type { AccountCode } from '#contract/journal/accounts.ts';
import { journalEndpoints } from '#contract/journal/endpoints.ts';
import { callApi } from '#web/platform/api/api.ts';
import { live, queryCall } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';

/** Every entry of an application. */
export function useApplicationJournal(tag: string) {
  return useCall(journalEndpoints.applicationJournal, {
    key: ['journal', 'application', tag],
    params: { tag },
    ...live,
  });
}

/** A page of an account's lines. */
export function useAccountJournal(account: AccountCode, currency: string, before: string | undefined) {
  return useQuery({
    queryKey: ['journal', 'account', account, currency, before],
    queryFn: (context) =>
      callApi(journalEndpoints.accountJournal, undefined, {
        params: { account },
        query: { currency, ...(before === undefined ? {} : { before }) },
        ...queryCall(context),
      }),
    ...live,
  });
}

/** The balance of every account at the end of a day. */
export function useTrialBalance(on: string) {
  return useCall(journalEndpoints.trialBalance, { key: ['journal', 'trialBalance', on], query: { on }, ...live });
}
