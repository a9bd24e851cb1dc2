/** A page of docs/, rendered while the web is built (scripts/build/markdown-pages.ts). */
declare module '*.md' {
  const page: {
    readonly title: string;
    readonly intro: string;
    readonly sections: readonly { readonly id: string; readonly title: string; readonly html: string }[];
  };
  export default page;
}
