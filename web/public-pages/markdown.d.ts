/** A page of Markdown, which the build turns into React elements (scripts/build/markdown-pages.ts). */
declare module '*.md' {
  import type { createElement, Fragment, FunctionComponent, ReactNode } from 'react';

  interface TextSection {
    /** The anchor, for links to a section. */
    readonly id: string;
    readonly title: string;
    readonly body: ReactNode;
  }

  /** `part` returns the page's components and values by name. */
  const page: (
    h: typeof createElement,
    fragment: typeof Fragment,
    part: (name: string) => FunctionComponent<never> | string | number,
  ) => {
    readonly title: string;
    /** A date in words. */
    readonly updated?: string;
    /** The day of our own version, in words. */
    readonly version?: string;
    readonly intro: ReactNode;
    readonly sections: readonly TextSection[];
  };
  export default page;
}
