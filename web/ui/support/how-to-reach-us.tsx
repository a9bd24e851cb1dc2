import { Anchor, Text } from '@mantine/core';
import { phoneLink } from '#contract/contact.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { useContact } from './support-contact.ts';

/** Completes 'contact us': by email, by phone or, if this server names neither, through the staff. */
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

/** One short line for people who are stuck: a phone number, or else an e-mail address, and the help page. */
export function HelpLine() {
  const { email, phone } = useContact();
  const nobody = phone === null && email === null;
  return (
    <Text size="sm" c="dimmed">
      Need help? {phone === null ? email !== null && 'Write to ' : 'Call '}
      {phone === null ? email !== null && <EmailLink email={email} /> : <PhoneLink phone={phone} />}
      {!nobody && ' or '}
      <Anchor component={Link} to={paths.help} inherit underline="always">
        {nobody ? 'Read Help' : 'read Help'}
      </Anchor>
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

/** A phone number that is called when pressed. */
export function PhoneLink({ phone }: { readonly phone: string }) {
  return (
    <Anchor href={phoneLink(phone)} inherit underline="always" style={{ whiteSpace: 'nowrap' }}>
      {phone}
    </Anchor>
  );
}
