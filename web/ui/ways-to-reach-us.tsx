import { Anchor } from '@mantine/core';
import { PRODUCT_NAME } from '#contract/product.ts';
import type { Contact } from '#contract/reference/endpoints.ts';

/**
 * What follows 'contact us': by e-mail, by phone, or, where this server names neither or has not answered, through the staff.
 */
export function WaysToReachUs({ contact }: { readonly contact: Contact | undefined }) {
  const { email = null, phone = null } = contact ?? {};
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
