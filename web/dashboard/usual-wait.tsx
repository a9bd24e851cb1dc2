import { counted } from '#contract/counts.ts';
import { PhoneLink } from '#web/ui/support/how-to-reach-us.tsx';
import { useContact } from '#web/ui/support/support-contact.ts';
import { useActivation } from './activation.api.ts';

/** How long activation usually takes, and whom to call. It takes one or two lines; the panel leaves room for both. */
export function UsualWait() {
  const hours = useActivation().data?.usualHours;
  const { phone } = useContact();
  return (
    <>
      {hours !== undefined && `It usually takes ${counted(hours, 'working hour')}. `}
      {phone !== null && (
        <>
          Questions? Call <PhoneLink phone={phone} />.
        </>
      )}
    </>
  );
}
