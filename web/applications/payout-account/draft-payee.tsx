import { Stack } from '@mantine/core';
import { SubSection } from '#web/applications/screen/screen-layout.tsx';
import { usePayee } from './payee.api.ts';
import { PayeeChoice } from './payee.tsx';

/** The payout account of a draft, so that we can check it before we decide. Submitting does not need one. */
export function DraftPayee({ tag }: { readonly tag: string }) {
  const { data } = usePayee(tag);
  if (data === undefined || !data.mayChoose) return null;
  return (
    <SubSection title="Where we send it">
      <Stack gap="xs" align="flex-start">
        <PayeeChoice tag={tag} payout={data} isQuiet />
      </Stack>
    </SubSection>
  );
}
