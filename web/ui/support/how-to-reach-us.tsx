import { Anchor, Text } from '@mantine/core';
import { phoneLink } from '#contract/contact.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { useContact } from './support-contact.ts';

/** What follows 'contact us': by email, by phone or, where this server names neither, through the staff. */
export function HowToReachUs() {
  const { email, phone } = useContact();
  if (email === null && phone === null) return <>through the {PRODUCT_NAME} staff who look after your account</>;
  return (
    <>
      {email !== null && (
        <>
          by email at <EmailLink email={email} />
        </>
      )}
      {email !== null && phone !== null && ' or '}
      {phone !== null && (
        <>
          by phone on <PhoneLink phone={phone} />
        </>
      )}
    </>
  );
}

/** One short line for whoever is stuck: a number to call, else an address to write to, else nothing. */
export function HelpLine() {
  const { email, phone } = useContact();
  if (phone === null && email === null) return null;
  return (
    <Text size="sm" c="dimmed">
      Need help? {phone === null ? 'Write to ' : 'Call '}
      {phone !== null ? <PhoneLink phone={phone} /> : email !== null && <EmailLink email={email} />}
    </Text>
  );
}

function EmailLink({ email }: { readonly email: string }) {
  return (
    <Anchor href={`mailto:${email}`} inherit underline="always">
      {email}
    </Anchor>
  );
}

/** A number to call, by a press. */
export function PhoneLink({ phone }: { readonly phone: string }) {
  return (
    <Anchor href={phoneLink(phone)} inherit underline="always" style={{ whiteSpace: 'nowrap' }}>
      {phone}
    </Anchor>
  );
}
