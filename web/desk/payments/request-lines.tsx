import { Text } from '@mantine/core';
import { sayRequestToOfficer } from '#contract/requests-to-pay/officer-words.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import ledger from '#web/ui/text/ruled-list.module.css';
import { useRequests } from './payments.api.ts';

/** The requests to pay of an application, one per line; nothing if there are none. */
export function RequestLines({ tag }: { readonly tag: string }) {
  const requests = useRequests(tag).data?.requests ?? [];
  if (requests.length === 0) return null;
  return (
    <ul className={ledger.list} aria-label="Requests to pay">
      {requests.map((request) => (
        <li key={request.tag}>
          <Text size="sm">
            <Amount value={request.amount} currency={request.currency} />: {sayRequestToOfficer(request, new Date())}.
          </Text>
          <Text size="sm" c="dimmed">
            {request.askedBy !== null && `Asked by ${request.askedBy}. `}
            {request.said !== null && request.state !== 'succeeded' && `The provider says: ${request.said}`}
          </Text>
        </li>
      ))}
    </ul>
  );
}
