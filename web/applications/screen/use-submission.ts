import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { documentsKey } from '#web/applications/documents/documents.api.ts';
import { checkSubmission } from '#web/applications/terms/applications.api.ts';
import { clearNoticesOnPhones } from '#web/notices.ts';

/** The way from the button to the question: the server is asked first whether it would take the application. */
export function useSubmission(invoiceTag: string | undefined) {
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState(false);
  const check = useMutation({
    mutationFn: (tag: string) => checkSubmission(tag),
    onSuccess: ({ success }) => {
      clearNoticesOnPhones();
      setAsked(success);
    },
  });
  const refusal = check.error?.message ?? (check.data?.success === false ? listMissing(check.data.missing) : undefined);
  return {
    /** The person is being asked whether to submit. */
    asked,
    checking: check.isPending,
    /** What the server says is missing, when it was asked last. */
    refusal,
    ask: () => {
      if (invoiceTag !== undefined && !check.isPending) check.mutate(invoiceTag);
    },
    close: () => setAsked(false),
    /** Something may be missing after all. */
    refresh: () => void queryClient.invalidateQueries({ queryKey: documentsKey(invoiceTag ?? '') }),
  };
}

function listMissing(missing: readonly string[]): string {
  return `Missing: ${missing.join(', ')}`;
}
