import { Text } from '@mantine/core';
import { requestEndpoints } from '#contract/requests-to-pay/endpoints.ts';
import { sayRequestToOfficer } from '#contract/requests-to-pay/officer-words.ts';
import { live } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { Amount } from '#web/ui/text/amount.tsx';
import ledger from '#web/ui/text/ruled-list.module.css';

/** The requests to pay of an application, one per line; nothing if there are none. */
export function RequestLines({ tag }: { readonly tag: string }) {
  const { requests = [] } = useCall(requestEndpoints.payNow, { params: { tag }, ...live }).data ?? {};
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
