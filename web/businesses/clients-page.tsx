import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { BuyerRequests } from '#web/businesses/buyer-requests/buyer-requests.tsx';
import { EarnedRaises } from '#web/businesses/limits/earned-raises.tsx';
import { LimitProposals } from '#web/businesses/limits/limit-proposals.tsx';
import { FormModal } from '#web/ui/forms/form-modal.tsx';
import { late, openLate } from '#web/ui/loading/late.tsx';
import { BusinessesPage } from './businesses-page.tsx';

const ClientLimits = late(async () => (await import('#web/businesses/limits/client-limits.tsx')).ClientLimits);

interface Chosen {
  readonly business: { readonly tag: string; readonly name: string };
  readonly currencyId?: number;
}

/** Businesses with the clients' limits, and earned raises at the top. */
export function ClientsPage() {
  const [opened, dialog] = useDisclosure(false);
  // Kept while the dialog closes.
  const [chosen, choose] = useState<Chosen>();
  const open = (which: Chosen): void =>
    openLate(ClientLimits, () => {
      choose(which);
      dialog.open();
    });
  return (
    <>
      <BusinessesPage
        notice={
          <>
            <BuyerRequests />
            <LimitProposals
              onOpen={({ businessTag, business }) => open({ business: { tag: businessTag, name: business } })}
            />
            <EarnedRaises
              onOpen={({ businessTag, business, currencyId }) =>
                open({ business: { tag: businessTag, name: business }, currencyId })
              }
            />
          </>
        }
        onLimits={({ tag, name }) => open({ business: { tag, name } })}
      />
      <FormModal opened={opened} onClose={dialog.close} title={`Limits of ${chosen?.business.name ?? ''}`}>
        {chosen !== undefined && <ClientLimits business={chosen.business} setting={chosen.currencyId} />}
      </FormModal>
    </>
  );
}
