import { counted } from '#contract/counts.ts';
import { useActivation } from '#web/onboarding/onboarding.api.ts';
import { useContact } from '#web/platform/contact.ts';
import { PhoneLink } from '#web/ui/how-to-reach-us.tsx';

/** How long activation usually takes, and whom to call. It is one line or two, which the panel leaves room for. */
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
