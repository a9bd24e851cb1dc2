import { showPlainToast } from '#web/ui/toasts/plain-toast.ts';
import { loadedToasts, loadToasts } from '#web/ui/toasts/toast-library.ts';

/** Every toast: its title, text, colour, place and duration (docs/specification-coverage.md, 8 and 9). */

export interface Notice {
  readonly title?: string;
  readonly message: string;
  readonly color: 'red' | 'green' | 'yellow';
  readonly position?: 'top-right';
  /** Milliseconds; false keeps the toast until it is closed; 4000 by default. */
  readonly autoClose?: number | false;
  /** The subject. A toast replaces the earlier one about the same subject, as a success replaces its own failure. */
  readonly about?: Subject;
}

type Subject = 'invoice' | 'application' | 'document' | 'person' | 'log-out';

const FIVE_SECONDS = 5000;

type More = Omit<Notice, 'message' | 'color'>;

function done(message: string, more: More = {}): Notice {
  return { message, color: 'green', ...more };
}

function failed(message: string, more: More = {}): Notice {
  return { message, color: 'red', autoClose: FIVE_SECONDS, ...more };
}

/** Failures of login and PIN go in the corner that the specification prescribes. */
const inCorner = { title: 'Error', position: 'top-right' } as const;

/** The specification's literal text; the true reason follows it (docs/specification-coverage.md, 8). */
const NOT_UPLOADED = 'Document not saved. Make sure it is a picture of the document or a pdf';

export const notices = {
  loginFailed: failed('Wrong phone/email and/or password', inCorner),
  loginRefused: (message: string) => failed(message, inCorner),
  logoutNotConfirmed: {
    title: 'Not logged out everywhere',
    message: 'This device forgot you, but Kasente could not be reached. Your session ends by itself in a few minutes.',
    about: 'log-out',
    color: 'yellow',
    autoClose: false,
  },
  signupFailed: (message = 'Failed to create account. Please try again.') => failed(message),
  signupBroke: failed('An error occurred. Please try again.'),
  signupSucceeded: done('Account created successfully! Please log in.', { autoClose: FIVE_SECONDS }),
  wrongPin: failed('Wrong pin entered', inCorner),
  personUpdated: done('Updates to this business person have been successful', {
    title: 'Person Update',
    about: 'person',
  }),
  personUpdateFailed: (message: string) =>
    failed(message, { title: 'Updates failed', about: 'person', autoClose: false }),
  personDeactivated: done('This person can no longer log in', { title: 'Person Update' }),
  savedOnDevice: (device: string): Notice => ({
    title: `Saved on this ${device}`,
    message: "We'll send it when you are back online.",
    color: 'yellow',
  }),
  invoiceSaved: done('Your invoice is now saved.', { title: 'Invoice Ok.', about: 'invoice' }),
  invoiceNotSaved: failed('Invoice not saved', { title: 'Error', about: 'invoice' }),
  invoiceDeleted: done('The draft was deleted'),
  applicationSaved: done('Your Application was saved successfully. You can edit or submit.', {
    title: 'Application Saved',
    about: 'application',
  }),
  applicationNotSaved: failed('Application not saved', { title: 'Error', about: 'application' }),
  applicationSubmitted: done('We will let you know as soon as it is decided.', { title: 'Application Submitted' }),
  documentUploaded: (type: string) => done(`${type} was uploaded successfully`, { about: 'document' }),
  documentNotUploaded: (reason: string) =>
    failed(reason === NOT_UPLOADED ? reason : `${NOT_UPLOADED}. ${reason}`, { about: 'document' }),
  documentDeleted: (type: string) => done(`${type} was deleted`),
  caseDecided: (message: string) => done(message, { autoClose: FIVE_SECONDS }),
  paymentRecorded: (message: string) => done(message),
  limitSet: (message: string) => done(message),
  buyerAnswered: (message: string) => done(message),
  payoutAccountAdded: done("Account added. We'll call you to check it"),
  buyerLateTold: done("We have your message. We'll call you."),
  businessSaved: done('The business was saved'),
  codeSent: done('A 5-digit verification code has been sent to your phone/email.', { title: 'OTP Sent!' }),
  codeResent: done('A new verification code has been sent.', { title: 'OTP Resent' }),
  resetRequestFailed: failed('Try again with email or phone number as registered', { title: 'Something Went Wrong' }),
  resetFailed: failed('The verification code you entered is incorrect. Please try again.', { title: 'Invalid OTP' }),
  passwordChanged: done('Your identity has been verified. Redirecting to login.', {
    title: 'Password Changed Successfully',
  }),
  passwordReset: done('You can now log in with your new password.', { title: 'Password Reset Successful!' }),
  secondFactorSetUp: done('You need a code from your app at each login.', { title: 'Second factor set up' }),
  secondFactorReset: done('The second factor has been reset'),
  sessionEnded: (device: string) => done(`${device} has been logged out`),
  otherSessionsEnded: done('You are logged out everywhere else'),
  ownPasswordChanged: done('Every other device has been logged out.', { title: 'Password changed' }),
  actionFailed: (message: string) => failed(message, { title: 'Error' }),
} as const satisfies Record<string, Notice | ((text: string) => Notice) | ((text: string | undefined) => Notice)>;

/** The latest toast about each subject. */
const newest = new Map<Subject, { readonly id: string; readonly color: Notice['color'] }>();

/**
 * Shows a toast in place of the earlier one about the same subject: at the bottom right by default, at the top on a
 * phone, where the page makes room (ui/toasts/toast-place.tsx).
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

/** Removes a failure's toast when the same thing has succeeded without a toast of its own. */
export function forgetFailure(about: Subject): void {
  const shown = newest.get(about);
  if (shown?.color === 'red') loadedToasts()?.notifications.hide(shown.id);
}

/** Removes every toast, because the step that they were about is done. */
export function clearNotices(): void {
  loadedToasts()?.notifications.clean();
}

/** Below Mantine's `sm`, where a dialog fills the screen. */
export const PHONE = '(max-width: 47.99em)';

/** The place of a phone's toasts. All go here, so that the page knows how much room they take. */
const PHONE_TOASTS = 'top-center';

/** Whether the window is a phone's by width. */
export function onPhone(): boolean {
  return window.matchMedia(PHONE).matches;
}

/** Removes every toast on a phone, where they would cover a dialog that fills the screen. */
export function clearNoticesOnPhones(): void {
  if (onPhone()) clearNotices();
}
