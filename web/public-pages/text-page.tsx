import { Title } from '@mantine/core';
import { createElement, Fragment, type FunctionComponent, type ReactNode } from 'react';
import { UNCONFIRMED_SIGN_UP_DAYS } from '#contract/accounts/retention.ts';
import { Link } from '#web/platform/router/router.tsx';
import { HowToReachUs } from '#web/ui/support/how-to-reach-us.tsx';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import type about from './about.md';
import { FeesTable } from './fees-table.tsx';
import { DECISION_HOURS, HIGHEST_ADVANCE, MINIMUM_AGE } from './terms-of-business.ts';
import classes from './text-page.module.css';

/** The components and values that Markdown pages can name. */
const parts: Readonly<Record<string, FunctionComponent<never> | string | number>> = {
  Link,
  HowToReachUs,
  FeesTable,
  DECISION_HOURS,
  HIGHEST_ADVANCE,
  MINIMUM_AGE,
  UNCONFIRMED_SIGN_UP_DAYS,
};

/** The build renders every page, so a wrong name fails the build. */
function part(name: string) {
  const found = parts[name];
  if (found === undefined) throw new Error(`pages of Markdown may not name ${name}`);
  return found;
}

type MarkdownPage = typeof about;

interface TextPageProps {
  readonly page: MarkdownPage;
  /** The next step, shown below the introduction and again at the end. */
  readonly action?: ReactNode;
  /** The path of the version before. */
  readonly earlier?: string;
  /** Numbered sections with a table of contents, for reference texts. */
  readonly numbered?: boolean;
}

/** A page of text (docs/specification-coverage.md, 2). */
export function TextPage({ page, action, earlier, numbered = false }: TextPageProps) {
  const { title, updated, version, intro, sections } = page(createElement, Fragment, part);
  return (
    <article className={classes.text}>
      <PageTitle title={title} />
      <Title order={1} className={classes.title}>
        {title}
      </Title>
      {updated === undefined ? null : <p className={classes.updated}>Last updated {updated}</p>}
      {version === undefined ? null : (
        <p className={classes.updated}>
          Version of {version}
          {earlier === undefined ? null : (
            <>
              {' · '}
              <Link to={earlier}>Earlier version</Link>
            </>
          )}
        </p>
      )}
      <div className={classes.intro}>{intro}</div>
      {action}
      {numbered ? <Contents sections={sections} /> : null}
      {sections.map(({ id, title: heading, body }, index) => (
        <section key={id}>
          <Title order={2} id={id} className={classes.heading}>
            {numbered ? `${index + 1}. ${heading}` : heading}
          </Title>
          {body}
        </section>
      ))}
      {action === undefined ? null : <div className={classes.end}>{action}</div>}
    </article>
  );
}

function Contents({ sections }: Pick<ReturnType<MarkdownPage>, 'sections'>) {
  return (
    <nav aria-label="On this page" className={classes.contents}>
      <ol>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
