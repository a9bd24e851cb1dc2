import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Readiness } from '#contract/applications/endpoints.ts';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { showingDocuments } from '#web/applications/documents/documents.api.ts';
import { clearNoticesOnPhones } from '#web/notices.ts';
import { callApi } from '#web/platform/api/api.ts';
import { invalidate } from '#web/platform/api/use-call.ts';

/** From the button to the dialog: first asks the server whether it would accept the application. */
export function useSubmission(invoiceTag: string | undefined) {
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState(false);
  const check = useMutation({
    mutationFn: (tag: string) => callApi(applicationEndpoints.checkSubmission, undefined, { params: { tag } }),
    onSuccess: ({ success }) => {
      clearNoticesOnPhones();
      setAsked(success);
    },
  });
  const refusal = check.error === null ? check.data && refusalOf(check.data) : { text: check.error.message };
  return {
    /** The confirmation is open. */
    asked,
    checking: check.isPending,
    /** Why the server would refuse the application, when last asked. */
    refusal,
    ask: () => {
      if (invoiceTag !== undefined && !check.isPending) check.mutate(invoiceTag);
    },
    close: () => setAsked(false),
    /** For when something turns out to be missing after all. */
    refresh: () => void invalidate(queryClient, showingDocuments),
  };
}

/** Why the server would refuse an application. */
export interface Refusal {
  readonly text: string;
  /** The application that has to be paid back first. */
  readonly overdueTag?: string;
}

function refusalOf({ success, missing, overdue }: Readiness): Refusal | undefined {
  if (success) return undefined;
  const text = missing.length === 0 ? '' : `Missing: ${missing.join(', ')}`;
  if (overdue === undefined) return { text };
  return { text: [text, overdue.text].filter((part) => part !== '').join('. '), overdueTag: overdue.tag };
}
