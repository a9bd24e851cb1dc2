import { PRODUCT_NAME } from '#contract/product.ts';

/** The document's title in the form '{title} | Kasente' (docs/specification-coverage.md, 1). */
export function PageTitle({ title }: { readonly title: string }) {
  return <title>{`${title} | ${PRODUCT_NAME}`}</title>;
}
