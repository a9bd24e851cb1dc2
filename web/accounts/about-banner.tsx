import { Anchor, Text } from '@mantine/core';
import { maximumAdvance, quote } from '#contract/applications/quote.ts';
import { formatAmount } from '#contract/money.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/platform/router/router.tsx';
import numbered from '#web/ui/text/numbered-list.module.css';
import classes from './about-banner.module.css';

/**
 * The banner that opens the about page (docs/specification-coverage.md, 2): a side panel, or a strip below the form on
 * phones.
 */

/** The invoice in the example: 10,000,000 over 30 days, in minor units. */
const FACE_VALUE = 1_000_000_000;
const TENOR_DAYS = 30;
const ADVANCE = maximumAdvance(FACE_VALUE);
const PRICED = quote({ faceValue: FACE_VALUE, advance: ADVANCE, tenorDays: TENOR_DAYS });

/** Beside the form on wide screens: what Kasente does in three lines, with one example in figures. */
export function AboutPanel() {
  return (
    <aside className={classes.panel} aria-label="What Kasente does">
      <div className={classes.content}>
        <Example />
        <ul className={`${numbered.list} ${classes.lines}`}>
          <li>Enter an invoice that your buyer has not paid yet.</li>
          <li>See the fee and what you receive before you apply.</li>
          <li>Get an answer within hours, and cash before the buyer pays.</li>
        </ul>
        <Anchor component={Link} to={paths.aboutUs} className={classes.link}>
          About Kasente
        </Anchor>
      </div>
    </aside>
  );
}

function Example() {
  const rows = [
    ['Invoice', formatAmount(FACE_VALUE)],
    ['You apply for', formatAmount(ADVANCE)],
    [`Fee for ${TENOR_DAYS} days`, `− ${formatAmount(PRICED.discountFee)}`],
  ] as const;
  return (
    <figure className={classes.example}>
      <figcaption className={classes.caption}>For example</figcaption>
      <dl className={classes.rows}>
        {rows.map(([name, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{amount}</dd>
          </div>
        ))}
        <div className={classes.total}>
          <dt>You receive</dt>
          <dd>UGX {formatAmount(PRICED.netProceeds)}</dd>
        </div>
      </dl>
    </figure>
  );
}

/** Shown below the login form where there is no room beside it. */
export function AboutStrip() {
  return (
    <Link to={paths.aboutUs} className={classes.strip}>
      <Text fw={600} size="sm">
        Turn an invoice into cash within hours
      </Text>
      <Text size="sm">For a UGX {formatAmount(FACE_VALUE)} invoice you receive</Text>
      <span className={classes.received}>
        <strong>UGX {formatAmount(PRICED.netProceeds)}</strong>
        <span className={classes.link}>About Kasente</span>
      </span>
    </Link>
  );
}
