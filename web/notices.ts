import { showPlainToast } from '#web/ui/toasts/plain-toast.ts';
import { loadedToasts, loadToasts } from '#web/ui/toasts/toast-library.ts';

/** Every toast there is: its title, text, colour, place and time (docs/specification-coverage.md, 8 and 9). */

export interface Notice {
  readonly title?: string;
  readonly message: string;
  readonly color: 'red' | 'green' | 'yellow';
  readonly position?: 'top-right';
  /** Milliseconds; false stays until closed; 4000 where not given. */
  readonly autoClose?: number | false;
  /** The subject. A toast replaces the earlier one about the same subject, as a success replaces its own failure. */
  readonly about?: Subject;
}

type Subject = 'invoice' | 'application' | 'document' | 'person' | 'log-out';

const FIVE_SECONDS = 5000;

export const notices = {
  loginFailed: {
    title: 'Error',
    message: 'Wrong phone/email and/or password',
    color: 'red',
    position: 'top-right',
    autoClose: FIVE_SECONDS,
  },
  loginRefused: (message: string): Notice => ({
    title: 'Error',
    message,
    color: 'red',
    position: 'top-right',
    autoClose: FIVE_SECONDS,
  }),
  logoutNotConfirmed: {
    title: 'Not logged out everywhere',
    message: 'This device forgot you, but Kasente could not be reached. Your session ends by itself in a few minutes.',
    about: 'log-out',
    color: 'yellow',
    autoClose: false,
  },
  signupFailed: (message: string | undefined): Notice => ({
    message: message ?? 'Failed to create account. Please try again.',
    color: 'red',
    autoClose: FIVE_SECONDS,
  }),
  signupBroke: { message: 'An error occurred. Please try again.', color: 'red', autoClose: FIVE_SECONDS },
  signupSucceeded: {
    message: 'Account created successfully! Please log in.',
    color: 'green',
    autoClose: FIVE_SECONDS,
  },
  wrongPin: {
    title: 'Error',
    message: 'Wrong pin entered',
    color: 'red',
    position: 'top-right',
    autoClose: FIVE_SECONDS,
  },
  personUpdated: {
    title: 'Person Update',
    message: 'Updates to this business person have been successful',
    about: 'person',
    color: 'green',
  },
  personUpdateFailed: (message: string): Notice => ({
    title: 'Updates failed',
    message,
    about: 'person',
    color: 'red',
    autoClose: false,
  }),
  personDeactivated: { title: 'Person Update', message: 'This person can no longer log in', color: 'green' },
  savedOnDevice: (device: string): Notice => ({
    title: `Saved on this ${device}`,
    message: "We'll send it when you are back online.",
    color: 'yellow',
  }),
  invoiceSaved: { title: 'Invoice Ok.', message: 'Your invoice is now saved.', about: 'invoice', color: 'green' },
  invoiceNotSaved: {
    title: 'Error',
    message: 'Invoice not saved',
    about: 'invoice',
    color: 'red',
    autoClose: FIVE_SECONDS,
  },
  invoiceDeleted: { message: 'The draft was deleted', color: 'green' },
  applicationSaved: {
    title: 'Application Saved',
    message: 'Your Application was saved successfully. You can edit or submit.',
    about: 'application',
    color: 'green',
  },
  applicationNotSaved: {
    title: 'Error',
    message: 'Application not saved',
    about: 'application',
    color: 'red',
    autoClose: FIVE_SECONDS,
  },
  applicationSubmitted: {
    title: 'Application Submitted',
    message: 'We will let you know as soon as it is decided.',
    color: 'green',
  },
  documentUploaded: (type: string): Notice => ({
    message: `${type} was uploaded successfully`,
    about: 'document',
    color: 'green',
  }),
  documentNotUploaded: {
    message: 'Document not saved. Make sure it is a picture of the document or a pdf',
    about: 'document',
    color: 'red',
    autoClose: FIVE_SECONDS,
  },
  documentDeleted: (type: string): Notice => ({ message: `${type} was deleted`, color: 'green' }),
  caseDecided: (message: string): Notice => ({ message, color: 'green', autoClose: FIVE_SECONDS }),
  paymentRecorded: (message: string): Notice => ({ message, color: 'green' }),
  payoutAccountAdded: { message: "Account added. We'll call you to check it", color: 'green' },
  buyerLateTold: { message: "We have your message. We'll call you.", color: 'green' },
  limitSet: (message: string): Notice => ({ message, color: 'green' }),
  detailsKept: { message: 'We have your details. We will be in touch soon.', color: 'green' },
  buyerAnswered: (message: string): Notice => ({ message, color: 'green' }),
  businessSaved: { message: 'The business was saved', color: 'green' },
  codeSent: {
    title: 'OTP Sent!',
    message: 'A 5-digit verification code has been sent to your phone/email.',
    color: 'green',
  },
  codeResent: { title: 'OTP Resent', message: 'A new verification code has been sent.', color: 'green' },
  resetRequestFailed: {
    title: 'Something Went Wrong',
    message: 'Try again with email or phone number as registered',
    color: 'red',
    autoClose: FIVE_SECONDS,
  },
  resetFailed: {
    title: 'Invalid OTP',
    message: 'The verification code you entered is incorrect. Please try again.',
    color: 'red',
    autoClose: FIVE_SECONDS,
  },
  passwordChanged: {
    title: 'Password Changed Successfully',
    message: 'Your identity has been verified. Redirecting to login.',
    color: 'green',
  },
  passwordReset: {
    title: 'Password Reset Successful!',
    message: 'You can now log in with your new password.',
    color: 'green',
  },
  secondFactorSetUp: {
    title: 'Second factor set up',
    message: 'You need a code from your app at each login.',
    color: 'green',
  },
  secondFactorReset: { message: 'The second factor has been reset', color: 'green' },
  sessionEnded: (device: string): Notice => ({ message: `${device} has been logged out`, color: 'green' }),
  otherSessionsEnded: { message: 'You are logged out everywhere else', color: 'green' },
  ownPasswordChanged: {
    title: 'Password changed',
    message: 'Every other device has been logged out.',
    color: 'green',
  },
  actionFailed: (message: string): Notice => ({ title: 'Error', message, color: 'red', autoClose: FIVE_SECONDS }),
} as const satisfies Record<string, Notice | ((text: string) => Notice) | ((text: string | undefined) => Notice)>;

/** The newest toast about each subject. */
const newest = new Map<Subject, { readonly id: string; readonly color: Notice['color'] }>();

/**
 * Shows a toast in place of the earlier one about the same subject: bottom right by default, on a phone on top, where
 * the page makes room (ui/toasts/toast-place.tsx).
 */
export function notify(notice: Notice): void {
  const library = loadedToasts();
  if (library !== undefined) show(library, notice);
  else void loadToasts().then((arrived) => (arrived === undefined ? showPlainToast(notice) : show(arrived, notice)));
}

type Library = NonNullable<ReturnType<typeof loadedToasts>>;

function show({ notifications }: Library, { about, ...notice }: Notice): void {
  const id = notifications.show({ ...notice, ...(onPhone() ? { position: PHONE_TOASTS } : {}) });
  if (about === undefined) return;
  const before = newest.get(about);
  if (before !== undefined) notifications.hide(before.id);
  newest.set(about, { id, color: notice.color });
}

/** Takes away what said that something failed, now that it has succeeded and no toast says so. */
export function forgetFailure(about: Subject): void {
  const shown = newest.get(about);
  if (shown?.color === 'red') loadedToasts()?.notifications.hide(shown.id);
}

/** Takes away every toast: the step that they were about is done. */
export function clearNotices(): void {
  loadedToasts()?.notifications.clean();
}

/** Below Mantine's `sm`, where a dialog fills the screen. */
export const PHONE = '(max-width: 47.99em)';

/** The place of a phone's toasts: all are here, so that the page knows how much room they take. */
const PHONE_TOASTS = 'top-center';

/** Whether a person would call this a phone. */
export function onPhone(): boolean {
  return window.matchMedia(PHONE).matches;
}

/** Removes every toast on a phone, where they would cover a question that fills the screen. */
export function clearNoticesOnPhones(): void {
  if (onPhone()) clearNotices();
}
