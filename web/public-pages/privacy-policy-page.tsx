import { UNCONFIRMED_SIGN_UP_DAYS } from '#contract/accounts/retention.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { HowToReachUs } from '#web/ui/support/how-to-reach-us.tsx';
import { MINIMUM_AGE } from './terms-of-business.ts';
import { Terms, TextPage } from './text-page.tsx';

/**
 * The privacy policy, nine sections (docs/specification-coverage.md, 2), under Uganda's Data Protection and Privacy
 * Act, 2019.
 */
export function PrivacyPolicyPage() {
  return (
    <TextPage
      title="Privacy Policy"
      updated="June 25, 2025"
      intro={
        <p>
          To finance an invoice, {PRODUCT_NAME} has to know some things about you and your business. This page says what
          they are, why we need them, who sees them and what you can do about it. It follows Uganda's Data Protection
          and Privacy Act, 2019; below we call it the Act.
        </p>
      }
      numbered
      sections={[
        { id: 'who-it-is-for', title: 'Who this policy is for', Body: WhoItIsFor },
        { id: 'what-we-collect', title: 'What we collect', Body: WhatWeCollect },
        { id: 'why', title: 'Why we use it', Body: Why },
        { id: 'who-sees-it', title: 'Who sees it', Body: WhoSeesIt },
        { id: 'how-it-is-protected', title: 'How it is protected', Body: Protection },
        { id: 'how-long', title: 'How long we keep it', Body: HowLong },
        { id: 'your-rights', title: 'Your rights', Body: Rights },
        { id: 'minimum-age', title: 'Minimum age', Body: MinimumAge },
        { id: 'changes-and-contact', title: 'Changes and contact', Body: ChangesAndContact },
      ]}
    />
  );
}

function WhoItIsFor() {
  return (
    <>
      <p>
        It is for everybody who signs up to {PRODUCT_NAME}, and for people who are named in the invoices and documents
        that our clients upload.
      </p>
      <p>
        When you press 'Agree & Join' you consent to what is written here. You may withdraw your consent at any time
        (see <a href="#your-rights">Your rights</a>), but without these data we cannot keep an account for you.
      </p>
    </>
  );
}

function WhatWeCollect() {
  return (
    <>
      <Terms
        terms={[
          [
            'When you sign up',
            'Your phone number or email address, your gender, your sector and your district. Your password is turned ' +
              'into a hash, from which nobody can read it, and only the hash is kept.',
          ],
          [
            'When staff activate you',
            'Your first and last name, your designation, the business you act for, and a second phone number or email ' +
              'address if you give one.',
          ],
          [
            'Invoices and applications',
            'The invoice number, date, amount, currency and buyer; the amount you apply for, the financing period, the ' +
              'fee and what you receive.',
          ],
          [
            'Documents',
            'The pictures and PDFs you upload, their names and sizes, and who uploaded them when. A photo can carry ' +
              'hidden details, such as where it was taken, and a paper can name other people: upload only what is asked for.',
          ],
          [
            'Decisions',
            'Each step of an application with its time: what was asked and what you answered, who approved or declined ' +
              'it and why, the key facts that you accepted, and your funding limit.',
          ],
          [
            'Payments',
            'What was paid to you and back to us: amount, date, how, the reference, and whether you or the buyer paid.',
          ],
          ['Messages', 'The text messages and emails that we send to you.'],
          [
            'Sessions',
            'For each login: when it was, when you were last active, your IP address, and how your browser names itself. ' +
              'Under My Account you see your own, and can end them.',
          ],
          [
            'Second factor, of our staff',
            'The key of the authenticator app, encrypted, and digests of the recovery codes, from which nobody can read them.',
          ],
          [
            'Record of events',
            'Who logged in, tried to, or changed what, when and from which IP address, with the values before and after.',
          ],
          [
            'On your device',
            <>
              Two cookies and a little storage, which our <Link to={paths.cookiePolicy}>Cookie Policy</Link> names one
              by one.
            </>,
          ],
        ]}
      />
      <p>
        Invoices and bank statements are financial information, which the Act protects especially. You give it to us
        yourself, for your application. We buy no data about you from anybody.
      </p>
    </>
  );
}

function Why() {
  return (
    <>
      <Terms
        terms={[
          ['To let you in, and nobody else', 'Phone number or email, password, codes and sessions.'],
          ['To activate your account', 'Name, gender, sector, district and business: staff check whom they deal with.'],
          [
            'To price and decide',
            'Invoices, applications, documents, and how your earlier applications went. A program compares invoices with ' +
              'each other, so that none is financed twice; what it finds goes to a person.',
          ],
          ['To keep the accounts', 'Payments, and how much of your funding limit is used.'],
          [
            'To keep you informed',
            'Your phone number or email, for codes and for news about your account and applications.',
          ],
          ['To keep accounts safe', 'IP addresses, known devices and failed logins, to hold back people who guess.'],
          ['To show later what happened', 'The record of events, for you, for us and where the law asks for it.'],
        ]}
      />
      <p>
        We use your data for nothing else: not for advertising, and not to build a profile of you. People decide on
        applications, never a program alone.
      </p>
    </>
  );
}

function WhoSeesIt() {
  return (
    <>
      <Terms
        terms={[
          [
            'Your own business',
            'Everybody who has an account for your business sees its invoices, applications and documents. Other ' +
              'businesses see none of them.',
          ],
          [
            'Our staff',
            'They see all applications with their documents, steps and payments, your funding limit, how your earlier ' +
              'applications went, and the list of users and businesses.',
          ],
          [
            'Those who carry messages',
            "Text messages go through Africa's Talking, emails through an email provider. Each gets your number or " +
              'address and the words of the message.',
          ],
          ['Those who run computers for us', 'They store data for us, and may not use it for anything of their own.'],
          [
            'Buyers',
            `${PRODUCT_NAME} sends nothing to your buyers. Only if you agree with us on invoice factoring do we speak ` +
              'with the buyer, to collect the payment.',
          ],
          ['Courts and authorities', 'Where the law of Uganda obliges us, and only what it obliges us to.'],
        ]}
      />
      <p>
        We do not sell your data. If a provider keeps data outside Uganda, the Act demands that it is protected there at
        least as well as here, or that you have agreed.
      </p>
    </>
  );
}

function Protection() {
  return (
    <>
      <ul>
        <li>Passwords and codes are never kept in readable form.</li>
        <li>Sessions end by themselves when you do nothing for a while, and always after 12 hours.</li>
        <li>Somebody who tries to guess passwords or codes has to wait.</li>
        <li>A document opens only for those who may see it.</li>
        <li>
          What was done, and by whom, is written into a record that cannot be changed afterwards without it being seen.
          Steps, payments and accepted key facts are only ever added to.
        </li>
      </ul>
      <p>
        You can help: tell nobody your password or a code, not even us, and log out on devices that others use. Should
        data fall into the wrong hands, we tell the Personal Data Protection Office at once, and you as it directs.
      </p>
    </>
  );
}

function HowLong() {
  return (
    <Terms
      terms={[
        [
          'Account, submitted applications with their documents, steps and payments',
          'While you have an account, and afterwards for as long as the law on financial and tax records obliges us.',
        ],
        [
          'Sign-ups that were never confirmed',
          `Removed ${UNCONFIRMED_SIGN_UP_DAYS} days after you signed up, if nobody entered the PIN. The record of events then says that ` +
            'there was one, without your phone number or email.',
        ],
        ['Drafts', 'Until you delete them. A document that you delete or replace is removed as well.'],
        ['PINs and codes', 'They work for 5 minutes. What we keep to check them is removed soon after.'],
        [
          'Messages',
          'The words are erased when the message was sent, or 30 days after it could not be. The note that there was ' +
            'one is deleted after 90 days.',
        ],
        ['Sessions', 'Deleted when you log out, and soon after they have run out.'],
        ['Second factors', 'Until another takes their place, or they are reset.'],
        ['Known devices', 'The last ten, each until 180 days after the last login from it.'],
        ['Counts of wrong passwords and codes', 'About a day after the last wrong one.'],
        ['Record of events', 'As long as the accounts and applications that it tells of.'],
      ]}
    />
  );
}

function Rights() {
  return (
    <>
      <p>The Act gives you rights over your personal data. You may:</p>
      <ul>
        <li>know what we hold about you and see it (access);</li>
        <li>have what is wrong put right (correction);</li>
        <li>ask us to stop using data about you, or withdraw your consent (objection);</li>
        <li>have data blocked, erased or destroyed that we may not, or need not, keep;</li>
        <li>refuse to be sent advertising; we send none;</li>
        <li>demand that no decision about you is made by a program alone;</li>
        <li>complain to the Personal Data Protection Office of Uganda.</li>
      </ul>
      <p>
        To use a right, contact us <HowToReachUs />. We make sure first that it is you. If you object to something that
        an application needs, we may not be able to finance it.
      </p>
      <p>
        You can turn to the Personal Data Protection Office at any time, also without speaking with us first:{' '}
        <a href={DATA_PROTECTION_OFFICE} rel="noopener noreferrer">
          pdpo.go.ug
        </a>
        .
      </p>
    </>
  );
}

const DATA_PROTECTION_OFFICE = 'https://pdpo.go.ug';

function MinimumAge() {
  return (
    <p>
      You must be at least {MINIMUM_AGE} years old to use {PRODUCT_NAME}. We collect no data about younger people
      knowingly. If you hear of an account of somebody who is younger, contact us <HowToReachUs />, and we close it.
    </p>
  );
}

function ChangesAndContact() {
  return (
    <>
      <p>
        When this policy changes, the new text stands on this page, with the date of the change at its top. Read it
        together with our <Link to={paths.cookiePolicy}>Cookie Policy</Link> and{' '}
        <Link to={paths.userAgreement}>User Agreement</Link>.
      </p>
      <p>
        {PRODUCT_NAME} collects and controls the data that this page tells of. For questions about them, contact us{' '}
        <HowToReachUs />.
      </p>
    </>
  );
}
