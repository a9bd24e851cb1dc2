/** What My Applications shows until somebody searches, filters, sorts or turns the page: asked for once, whoever shows it. */
export function firstPage(businessTag: string) {
  return { page: 1, searchPhrase: '', status: null, withoutDrafts: false, sort: '-date', businessTag } as const;
}
