import { BUSY } from '#contract/busy.ts';

/**
 * Every failure the server may answer: its HTTP status and what a person reads (specification, section 8;
 * decisions, 'The wire'). The server throws the code; the texts live here alone.
 */
export const failures = {
  BAD_REQUEST: { status: 400, msg: 'Some fields need correcting' },
  MALFORMED: { status: 400, msg: 'The request could not be read' },
  NOT_A_USERNAME: { status: 400, msg: 'Try again with email or phone number as registered' },
  NOT_SIGNED_IN: { status: 401, msg: 'Please log in to continue' },
  LOGIN_FAILED: { status: 401, msg: 'Wrong phone/email and/or password' },
  CROSS_SITE: { status: 403, msg: 'This request did not come from Kasente, so it was refused' },
  FORBIDDEN: { status: 403, msg: 'You do not have permission to do this' },
  NOT_YOUR_BUSINESS: { status: 403, msg: 'This belongs to another business' },
  PIN_PENDING: { status: 403, msg: 'Enter the PIN we sent you to finish signing up' },
  ACCOUNT_DEACTIVATED: { status: 403, msg: 'This account has been deactivated. Contact us to have it activated again' },
  NOT_FOUND: { status: 404, msg: 'Not found' },
  STALE_VERSION: { status: 409, msg: 'This was changed elsewhere in the meantime. Load it again to see the latest' },
  NOT_EDITABLE: { status: 409, msg: 'This application has been submitted and can no longer be changed' },
  NOT_READY: { status: 409, msg: 'The application is not ready to be submitted' },
  STEP_NOT_ALLOWED: { status: 409, msg: 'The application is not in a state that allows this' },
  INVOICE_NUMBER_TAKEN: { status: 409, msg: 'You already have an invoice with this number for this buyer' },
  BUSINESS_NAME_TAKEN: { status: 409, msg: 'There is already a business with this name' },
  PERSON_PENDING: { status: 409, msg: 'This person has not confirmed their phone or e-mail yet' },
  PERSON_DEACTIVATED: { status: 409, msg: 'This account has been deactivated. Activate it first' },
  BUSINESS_HAS_PEOPLE: {
    status: 409,
    msg: 'People can log in as clients of this business, so it must stay a client. Deactivate them first',
  },
  FILE_TOO_LARGE: { status: 413, msg: 'The file is larger than 10 MB' },
  BODY_TOO_LARGE: { status: 413, msg: 'The request is too large' },
  FILE_TYPE: { status: 415, msg: 'Document not saved. Make sure it is a picture of the document or a pdf' },
  MEDIA_TYPE: { status: 415, msg: 'The request was not sent in the form that is read here' },
  WRONG_PIN: { status: 422, msg: 'That PIN is wrong or has expired. Check it, or ask for a new one' },
  WRONG_CODE: { status: 422, msg: 'The verification code you entered is incorrect. Please try again.' },
  RESET_ENDED: { status: 422, msg: 'This password reset has ended. Please start again' },
  PASSWORD_COMMON: { status: 422, msg: 'This password is too easy to guess. Choose another one' },
  PASSWORD_IS_USERNAME: { status: 422, msg: 'The password must not be your phone number or e-mail' },
  UNKNOWN_REFERENCE: { status: 422, msg: 'Choose one of the options offered' },
  USERNAME_FIXED: { status: 422, msg: 'The phone number or e-mail that somebody logs in with cannot be changed here' },
  BUYER_IS_SELLER: { status: 422, msg: 'The buyer cannot be your own business' },
  INVOICE_INCOMPLETE: { status: 422, msg: 'Invoice data is incomplete (above)' },
  ADVANCE_ABOVE_MAXIMUM: { status: 422, msg: 'Amount applied for should be less than invoice amount' },
  TENOR_NOT_OFFERED: { status: 422, msg: 'Select Financing Period' },
  QUOTE_MISMATCH: {
    status: 422,
    msg: 'The fee or the amount to be received has changed. Check the figures and save again',
  },
  REFERENCE_CHANGED: { status: 422, msg: 'The reference of an application cannot be changed' },
  REFERENCE_TAKEN: { status: 422, msg: 'This reference belongs to another application' },
  BUSINESS_KIND: { status: 422, msg: 'A business must be a client, a buyer, or both' },
  CLIENT_NEEDS_BUSINESS: { status: 422, msg: 'A business client needs a business' },
  IDEMPOTENCY_MISMATCH: { status: 422, msg: 'The same Idempotency-Key came with a different request' },
  LOGIN_THROTTLED: { status: 429, msg: 'Too many wrong passwords. Wait a little, then try again' },
  CODE_COOLDOWN: { status: 429, msg: 'A code was sent a moment ago. Wait a little before asking for another' },
  CODE_LIMIT: { status: 429, msg: 'Too many codes were asked for. Try again later' },
  CODE_BLOCKED: {
    status: 429,
    msg: 'Too many wrong codes. Use the link we sent you, or try again tomorrow',
  },
  TOO_MANY_REQUESTS: { status: 429, msg: 'Too many requests from here. Try again later' },
  INTERNAL: { status: 500, msg: 'Something went wrong on our side. Nothing was lost; please try again' },
  FILE_UNAVAILABLE: { status: 502, msg: 'The document cannot be read right now' },
  UNAVAILABLE: { status: 503, msg: BUSY },
} as const satisfies Record<string, { status: number; msg: string }>;

export type FailureCode = keyof typeof failures;
