import { Button } from '@mantine/core';
import { PRODUCT_NAME } from '#contract/product.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import { useSessionUser } from '#web/platform/session/session.ts';
import { HowToReachUs } from '#web/ui/support/how-to-reach-us.tsx';
import { FeesTable } from './fees-table.tsx';
import { DECISION_HOURS, HIGHEST_ADVANCE } from './terms-of-business.ts';
import { Terms, TextPage } from './text-page.tsx';

/** What Kasente does (docs/specification-coverage.md, 1 and 2). */
export function AboutPage() {
  return (
    <TextPage
      title="About Us"
      updated="August 18, 2025"
      intro={
        <p>
          Your work is done and the invoice is sent, but the buyer pays in a month or two. {PRODUCT_NAME} turns that
          invoice into cash now. We work with small and medium businesses in Uganda, and we decide within{' '}
          {DECISION_HOURS} working hours.
        </p>
      }
      action={<SignUp />}
      sections={[
        { id: 'invoice-discounting', title: 'Invoice discounting', Body: Discounting },
        { id: 'invoice-factoring', title: 'Invoice factoring', Body: Factoring },
        { id: 'what-it-costs', title: 'What it costs', Body: Cost },
        { id: 'what-you-get', title: 'What you get', Body: Benefits },
      ]}
    />
  );
}

/** For people without an account. */
function SignUp() {
  const user = useSessionUser();
  return user === null ? (
    <Button component={Link} to={paths.signup}>
      Create Your Account
    </Button>
  ) : null;
}

function Discounting() {
  return (
    <>
      <p>
        Invoice discounting finances the work that you have invoiced. You enter an invoice, choose how many days to
        finance, and upload the documents. We pay you up to {HIGHEST_ADVANCE} of the invoice early, less a small fee.
      </p>
      <p>You keep dealing with your buyer and collect the payment yourself.</p>
    </>
  );
}

function Factoring() {
  return (
    <p>
      Invoice factoring goes one step further: we also collect the invoiced payment from your buyer for you. If that is
      what you need, contact us <HowToReachUs />.
    </p>
  );
}

function Cost() {
  return (
    <>
      <p>
        A small fee. It depends on the number of days, and you see everything that it costs before you apply. Fees are
        paid upfront: we take the fee off the amount that you apply for and pay you the rest.
      </p>
      <FeesTable />
    </>
  );
}

function Benefits() {
  return (
    <Terms
      terms={[
        ['Instant cash', 'Pay wages, suppliers and rent today, with money that you have already earned.'],
        ['Less time chasing payments', 'The cash is there before the buyer pays, so you can get on with your work.'],
        [
          'A funding limit that grows with your business',
          'Pay back on time and we may raise your limit. Your dashboard shows how many applications that takes.',
        ],
      ]}
    />
  );
}
