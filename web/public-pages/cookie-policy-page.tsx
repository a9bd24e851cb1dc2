import { PRODUCT_NAME } from '#contract/product.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { storageKeys } from '#web/platform/storage/storage.ts';
import { HowToReachUs } from '#web/ui/support/how-to-reach-us.tsx';
import { Terms, TextPage } from './text-page.tsx';

/** The cookie policy, six sections (docs/specification-coverage.md, 2): what the product really leaves on a device. */
export function CookiePolicyPage() {
  return (
    <TextPage
      title="Cookie Policy"
      updated="June 25, 2025"
      intro={
        <p>
          {PRODUCT_NAME} keeps a few small things in your browser, because it would not work without them. None of them
          follows you around. This page names every one.
        </p>
      }
      numbered
      sections={[
        { id: 'what-cookies-are', title: 'What cookies and storage are', Body: WhatTheyAre },
        { id: 'cookies', title: 'The cookies we set', Body: Cookies },
        { id: 'storage', title: 'What we keep in storage', Body: Storage },
        { id: 'not-used', title: 'What we do not use', Body: NotUsed },
        { id: 'your-choice', title: 'Your choice', Body: YourChoice },
        { id: 'changes', title: 'Changes and questions', Body: Changes },
      ]}
    />
  );
}

function WhatTheyAre() {
  return (
    <>
      <p>
        A cookie is a small text that a website gives to your browser, and that your browser sends back with later
        requests. We use cookies to know that you are logged in.
      </p>
      <p>
        Storage is a place in your browser where a website can keep something for itself. What is in it is not sent
        along with requests. We use it to remember where you were, so that a reload or a lost connection loses nothing.
      </p>
    </>
  );
}

function Cookies() {
  return (
    <>
      <Terms
        terms={[
          [
            <code key="name">kasente_session</code>,
            'Shows that you are logged in. It is a random number that says nothing about you. It is gone when you log ' +
              'out or close the browser. Our server also ends the session when nothing happens for a while, and always ' +
              'after 12 hours.',
          ],
          [
            <code key="name">kasente_device</code>,
            'Shows that somebody has logged in on this device before. If strangers try to guess your password, you can ' +
              'still log in here while they are held back. It lets nobody in by itself, is sent only when you log in, ' +
              'and lasts 180 days from your last login.',
          ],
        ]}
      />
      <p>
        Both can be read by our server alone: not by other websites, and not by scripts in the page. On an encrypted
        connection your browser shows their names with __Host- or __Secure- in front, which has it guard them more
        strictly.
      </p>
    </>
  );
}

/** Every key: one without an explanation here does not compile. */
const kept: Record<(typeof storageKeys)[keyof typeof storageKeys], string> = {
  [storageKeys.auth]:
    'Your name, phone number or email, business and role, to greet you and to show the right screens. Removed when ' +
    'you log out.',
  [storageKeys.otpData]:
    'While you sign up: that a PIN was sent, and when its time runs out. Removed then or, if you have ' +
    'closed the page, when you next come to sign up.',
  [storageKeys.pinStage]:
    'While you sign up: the phone number or email that the PIN went to. Removed when you have finished.',
  [storageKeys.resetStage]:
    'While you reset your password: the phone number or email that the code went to. Removed when you have ' +
    'finished; of no use after 5 minutes.',
  [storageKeys.unsentAnswer]:
    'What you typed as an answer to a question about your application and have not sent yet, so that it is not lost. ' +
    'Removed when you send it.',
  [storageKeys.lastVisit]:
    'For clients: what your dashboard showed last, with your applications and amounts, so that your next visit begins with ' +
    'it even on a bad line. Removed when you log out, and not shown once your session must have ended.',
  [storageKeys.lastActivity]:
    'When you last did something here, so that we can log you out when you have gone away. It says nothing but a time, ' +
    'and stays until it is overwritten.',
  [storageKeys.deskKeys]:
    'For staff only: whether you use single-key shortcuts on the decision desk, once you have chosen. Stays until ' +
    'you change it.',
  [storageKeys.hideDrafts]:
    'For staff only: whether you hide drafts in All Applications, once you have chosen. Stays until you change it.',
  [storageKeys.allBusinesses]: 'For staff only: the list of businesses to choose from. Removed when you log out.',
};

/** Kept in the browser's database, which stores at once (web/platform/storage/device-rows.ts). */
const keptInDatabase = {
  'unsaved-typing':
    'What you typed into an application and we have not saved yet, so that it is not lost. It stays when you log out, ' +
    'for you alone to find it again; Log Out asks whether to delete it. Removed when it is saved or discarded.',
} as const;

/** Kept by this tab alone: the sign-up form's, the one of scrolling, and the one of loading a screen's code. */
const keptByTheTab = {
  SIGN_UP:
    'While you fill in the sign-up form: your phone number or email, gender, sector and district, but never the ' +
    'password. Removed when you have finished.',
  SCROLL_PLACES: 'How far you had scrolled on each page, so that going back brings you there.',
  reloaded_at: 'When this page last reloaded for a new version, so it reloads only once.',
} as const;

function Storage() {
  return (
    <>
      <p>This stays in your browser until it is removed as described. Nothing in it can let anybody in.</p>
      <Terms
        terms={Object.entries({ ...kept, ...keptInDatabase }).map(([key, explanation]) => [
          <code key={key}>{key}</code>,
          explanation,
        ])}
      />
      <p>This is gone when you close the tab:</p>
      <Terms
        terms={Object.entries(keptByTheTab).map(([key, explanation]) => [<code key={key}>{key}</code>, explanation])}
      />
    </>
  );
}

function NotUsed() {
  return (
    <ul>
      <li>No advertising, and no cookies of advertisers.</li>
      <li>No analytics that watch what you do, ours or anybody else's.</li>
      <li>No scripts, pictures or fonts of other websites: your browser speaks with {PRODUCT_NAME} alone.</li>
    </ul>
  );
}

function YourChoice() {
  return (
    <>
      <p>
        You can delete all of this at any time in your browser's settings, where it says cookies and site data. You are
        then logged out, and what you typed and was not saved yet is lost.
      </p>
      <p>
        You can also tell your browser to refuse cookies. You can then read these pages, but not log in. That is why we
        do not ask for consent first: we set nothing that is not needed for what you came for.
      </p>
    </>
  );
}

function Changes() {
  return (
    <p>
      When what we keep changes, this page changes with it. If you have a question, contact us <HowToReachUs />. How we
      treat personal data in general is said in our <Link to={paths.privacyPolicy}>Privacy Policy</Link>.
    </p>
  );
}
