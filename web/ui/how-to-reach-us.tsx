import { Anchor } from '@mantine/core';
import { PRODUCT_NAME } from '#contract/product.ts';
import { useContact } from '#web/platform/lookups.ts';

/** What follows 'contact us': by e-mail, by phone, or, where this server names neither, through the staff. */
export function HowToReachUs() {
  const { email = null, phone = null } = useContact().data ?? {};
  if (email === null && phone === null) return <>through the {PRODUCT_NAME} staff who look after your account</>;
  return (
    <>
      {email !== null && (
        <>
          by e-mail at{' '}
          <Anchor href={`mailto:${email}`} inherit>
            {email}
          </Anchor>
        </>
      )}
      {email !== null && phone !== null && ' or '}
      {phone !== null && (
        <>
          by phone on{' '}
          <Anchor href={`tel:${phone.replaceAll(' ', '')}`} inherit>
            {phone}
          </Anchor>
        </>
      )}
    </>
  );
}
