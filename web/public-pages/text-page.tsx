import { Title } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { PageTitle } from '#web/ui/text/page-title.tsx';
import classes from './text-page.module.css';

interface TextSection {
  /** The anchor, so that one may link to a section. */
  readonly id: string;
  readonly title: string;
  readonly Body: ComponentType;
}

interface TextPageProps {
  readonly title: string;
  /** A date in words. */
  readonly updated?: string;
  readonly intro: ReactNode;
  /** The next step, below the introduction and again at the end. */
  readonly action?: ReactNode;
  readonly sections: readonly TextSection[];
  /** Sections with numbers, and a list of them on top: for texts that are looked things up in. */
  readonly numbered?: boolean;
}

/** A page of text (docs/specification-coverage.md, 2). */
export function TextPage({ title, updated, intro, action, sections, numbered = false }: TextPageProps) {
  return (
    <article className={classes.text}>
      <PageTitle title={title} />
      <Title order={1} className={classes.title}>
        {title}
      </Title>
      {updated === undefined ? null : <p className={classes.updated}>Last updated {updated}</p>}
      <div className={classes.intro}>{intro}</div>
      {action}
      {numbered ? <Contents sections={sections} /> : null}
      {sections.map(({ id, title: heading, Body }, index) => (
        <section key={id}>
          <Title order={2} id={id} className={classes.heading}>
            {numbered ? `${index + 1}. ${heading}` : heading}
          </Title>
          <Body />
        </section>
      ))}
      {action === undefined ? null : <div className={classes.end}>{action}</div>}
    </article>
  );
}

function Contents({ sections }: Pick<TextPageProps, 'sections'>) {
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

interface TermsProps {
  /** Each term and its explanation. */
  readonly terms: readonly (readonly [term: ReactNode, explanation: ReactNode])[];
}

/** A list of terms with their explanations. */
export function Terms({ terms }: TermsProps) {
  return (
    <dl className={classes.terms}>
      {terms.map(([term, explanation], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
        <div key={index}>
          <dt>{term}</dt>
          <dd>{explanation}</dd>
        </div>
      ))}
    </dl>
  );
}
