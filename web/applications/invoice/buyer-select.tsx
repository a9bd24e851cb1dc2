import { Anchor, Text } from '@mantine/core';
import { businessEndpoints } from '#contract/businesses/endpoints.ts';
import { onboardingEndpoints } from '#contract/onboarding/endpoints.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure } from '#web/platform/api/api.ts';
import { LOOKUP_FRESH_MS } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { LookupSelect } from '#web/ui/forms/lookup-select.tsx';
import { useLater } from '#web/ui/loading/later.tsx';
import classes from './invoice-form.module.css';
import { type InvoiceForm, invoiceLabels } from './invoice-values.ts';
import { useRequestBuyer } from './invoices.api.ts';

export const BUYER_NOT_OFFERED = 'A buyer that is no longer offered';

/** The buyer of an invoice. A missing one can be requested; meanwhile the device keeps the draft. */
export function BuyerSelect({ form }: { readonly form: InvoiceForm }) {
  const buyers = useCall(businessEndpoints.buyerProfiles, { staleTime: LOOKUP_FRESH_MS });
  const { mutate: request, isPending } = useRequestBuyer();
  const chosen = form.values.buyerId;
  // An invoice keeps its buyer, even one that is no longer offered (docs/decisions/0041).
  const gone = chosen !== '' && buyers.data?.some(({ id }) => String(id) === chosen) === false;
  const kept = gone ? [{ id: Number(chosen), name: BUYER_NOT_OFFERED }] : [];
  const refuse = (error: Error): void => {
    const message = error instanceof ApiFailure ? error.fields.name : undefined;
    if (message === undefined) notify(notices.actionFailed(error.message));
    else form.setFieldError('buyerId', message);
  };
  const ask = (name: string): void =>
    request({ name }, { onSuccess: () => form.clearFieldError('buyerId'), onError: refuse });
  const choose = async (id: number): Promise<void> => {
    await buyers.refetch();
    form.setFieldValue('buyerId', String(id));
  };
  return (
    <div className={classes.wide}>
      <LookupSelect
        label={invoiceLabels.buyerId}
        placeholder="Type to search"
        searchable
        nothingFoundMessage="No buyer by that name"
        missing={{ label: (name) => `Ask us to add ${name}`, onAsk: ask }}
        lookup={{ ...buyers, data: buyers.data && [...kept, ...buyers.data] }}
        {...form.getInputProps('buyerId')}
      />
      {chosen === '' && (
        <Text size="sm" c="dimmed" className={classes.asked} role="status">
          {isPending ? 'Asking …' : <Asked onChoose={(id) => void choose(id)} />}
        </Text>
      )}
    </div>
  );
}

/** The state of requested buyers: added and ready to choose, still open, or refused. */
function Asked({ onChoose }: { readonly onChoose: (buyerId: number) => void }) {
  const requests = useCall(onboardingEndpoints.ownBuyerRequests, { enabled: useLater(), staleTime: 0 }).data ?? [];
  const added = requests.find(({ buyer }) => buyer !== null)?.buyer;
  const open = requests.filter(({ buyer, refusal }) => buyer === null && refusal === null).map(({ name }) => name);
  if (added || open.length > 0)
    return (
      <>
        {added && (
          <>
            {added.name} is on Kasente now.{' '}
            <Anchor
              component="button"
              type="button"
              inherit
              fw={600}
              // The field keeps the focus. On blur it would show its error, and this would move from under the pointer.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(added.id)}
            >
              Choose it
            </Anchor>{' '}
          </>
        )}
        {open.length > 0 && `We're adding ${open.join(', ')}. We'll tell you when it's here. Your draft is kept.`}
      </>
    );
  const refused = requests[0];
  if (refused) return `We can't add ${refused.name}. ${refused.refusal ?? ''}`;
  return 'Not in the list? Type its name and ask us to add it.';
}
