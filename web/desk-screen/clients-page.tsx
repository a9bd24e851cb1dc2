import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { BusinessesPage } from '#web/businesses/businesses-page.tsx';
import { ClientLimits } from '#web/limits/client-limits.tsx';
import { EarnedRaises } from '#web/limits/earned-raises.tsx';
import { FormModal } from '#web/ui/form-modal.tsx';

interface Chosen {
  readonly business: { readonly tag: string; readonly name: string };
  readonly currencyId?: number;
}

/** Businesses with the limits of those that are clients, and who has earned a higher one on top. */
export function ClientsPage() {
  const [opened, dialog] = useDisclosure(false);
  // Kept while the dialog closes.
  const [chosen, choose] = useState<Chosen>();
  const open = (which: Chosen): void => {
    choose(which);
    dialog.open();
  };
  return (
    <>
      <BusinessesPage
        notice={
          <EarnedRaises
            onOpen={({ businessTag, business, currencyId }) =>
              open({ business: { tag: businessTag, name: business }, currencyId })
            }
          />
        }
        onLimits={({ tag, name }) => open({ business: { tag, name } })}
      />
      <FormModal opened={opened} onClose={dialog.close} title={`Limits of ${chosen?.business.name ?? ''}`}>
        {chosen !== undefined && <ClientLimits business={chosen.business} setting={chosen.currencyId} />}
      </FormModal>
    </>
  );
}
