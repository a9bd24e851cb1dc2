import { PRODUCT_NAME } from '#contract/product.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { HowToReachUs } from '#web/ui/support/how-to-reach-us.tsx';
import { FeesTable } from './fees-table.tsx';
import { DECISION_HOURS, HIGHEST_ADVANCE, MINIMUM_AGE } from './terms-of-business.ts';
import { TextPage } from './text-page.tsx';

/** The user agreement, seven sections (docs/specification-coverage.md, 2); fees and limits as the product really prices. */
export function UserAgreementPage() {
  return (
    <TextPage
      title="User Agreement"
      updated="June 25, 2025"
      intro={
        <p>
          These are the rules between you and {PRODUCT_NAME}. When you press 'Agree & Join' you accept them, for
          yourself and for the business you act for.
        </p>
      }
      numbered
      sections={[
        { id: 'what-it-covers', title: 'What this agreement covers', Body: WhatItCovers },
        { id: 'your-account', title: 'Your account', Body: YourAccount },
        { id: 'applying', title: 'Applying for early payment', Body: Applying },
        { id: 'fees', title: 'Fees', Body: Fees },
        { id: 'your-promises', title: 'What you promise', Body: Promises },
        { id: 'fair-use', title: 'Using it fairly', Body: FairUse },
        { id: 'ending-and-law', title: 'Changes, ending and law', Body: EndingAndLaw },
      ]}
    />
  );
}

function WhatItCovers() {
  return (
    <>
      <p>
        {PRODUCT_NAME} lets a business enter an invoice that a buyer has yet to pay, and apply to have part of it paid
        early, for a fee. This agreement covers the use of {PRODUCT_NAME} and the making of applications.
      </p>
      <p>
        It obliges neither side to any payment. When an application is approved, the offer letter says what is paid to
        you and when it is paid back, before any of it moves.
      </p>
    </>
  );
}

function YourAccount() {
  return (
    <ul>
      <li>You must be at least {MINIMUM_AGE} years old, and allowed to act for your business.</li>
      <li>What you tell us about yourself and your business must be true, and you keep it so.</li>
      <li>An account is for one person. Do not share it.</li>
      <li>Your password, PINs and codes are for you alone. Nobody at {PRODUCT_NAME} will ever ask for them.</li>
      <li>You can apply once our staff have activated your account. We tell you when they have.</li>
      <li>Log out on devices that others use. We log you out when nothing happens for a while.</li>
      <li>What is done in your account counts as done by you, until you have told us that somebody else uses it.</li>
    </ul>
  );
}

function Applying() {
  return (
    <ul>
      <li>An application is for one invoice, and an invoice has one application.</li>
      <li>You may apply for at most {HIGHEST_ADVANCE} of the invoice amount.</li>
      <li>You choose the financing period, and see the fee and the amount to be received before you submit.</li>
      <li>
        You upload the documents that are marked as mandatory. They must be pictures (PNG, JPEG, JPG or WebP) or PDFs.
      </li>
      <li>
        Until you submit, you may change or delete everything. Afterwards neither you nor we can change what you
        submitted; only documents that we ask you for again can you add or replace. Until we begin to review it, you may
        withdraw it.
      </li>
      <li>
        Submitting is a request, for up to what is left of your funding limit. People decide, within {DECISION_HOURS}{' '}
        working hours (Monday to Friday, 08:00 to 17:00, without public holidays). They may ask you for more: the clock
        is then paused until you answer. They may decline, and tell you why.
      </li>
      <li>
        Before you submit, you see the key facts and agree to them. They are kept as they were, and you can download
        them.
      </li>
    </ul>
  );
}

function Fees() {
  return (
    <>
      <p>
        Signing up and applying cost nothing. If we finance your invoice, there is one fee: a share of the amount you
        apply for, by the length of the financing period.
      </p>
      <FeesTable />
      <p>
        Fees are paid upfront: we take the fee off the amount that you apply for and pay you the rest. The fee and the
        amount to be received that you saw when you submitted are the ones that count; later changes of our rates do not
        touch them.
      </p>
    </>
  );
}

function Promises() {
  return (
    <>
      <p>With every application you promise that:</p>
      <ul>
        <li>the invoice is real, is yours, and has not been paid;</li>
        <li>the goods were delivered, or the work was done, as the invoice says;</li>
        <li>nobody else finances the same invoice, or has been promised its payment;</li>
        <li>you know of no quarrel with the buyer about it;</li>
        <li>the documents are genuine, complete and legible, and you may show them to us.</li>
      </ul>
      <p>
        If one of these turns out to be untrue, tell us at once. A false invoice or document can end your account, and
        may be a crime.
      </p>
    </>
  );
}

function FairUse() {
  return (
    <>
      <ul>
        <li>Do not try to see what belongs to others, or to get around the limits that protect accounts.</li>
        <li>Do not upload anything harmful, or anything that you have no right to.</li>
        <li>Do not enter the same invoice twice.</li>
      </ul>
      <p>
        We work to keep {PRODUCT_NAME} running and your data safe, but cannot promise that it is never interrupted. Keep
        your own copies of invoices and documents.
      </p>
    </>
  );
}

function EndingAndLaw() {
  return (
    <>
      <p>
        You may stop using {PRODUCT_NAME} at any time, and ask us to close your account. We may close an account that
        breaks these rules. Invoices that are financed by then are settled as agreed.
      </p>
      <p>
        When this agreement changes, the new text stands on this page. Applications that were submitted before stay
        under the text of their day. How we treat personal data is said in the{' '}
        <Link to={paths.privacyPolicy}>Privacy Policy</Link> and the <Link to={paths.cookiePolicy}>Cookie Policy</Link>.
      </p>
      <p>
        The law of Uganda applies, and nothing here takes away a right that it gives you. For questions, contact us{' '}
        <HowToReachUs />.
      </p>
    </>
  );
}
