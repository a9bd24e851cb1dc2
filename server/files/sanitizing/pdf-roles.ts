import type { Removal } from '#contract/documents/removals.ts';

/**
 * The meaning of a dictionary in a PDF depends on how a reader reaches it: `/A` is an action in an annotation and a
 * list of attributes in a structure element. For each role, these tables list the entries that are kept and the roles
 * of their values.
 */

export const roleNumbers = {
  catalog: 0,
  names: 1,
  page: 2,
  annotation: 3,
  form: 4,
  outline: 5,
  /** A jump to a page of the same file. */
  jump: 6,
  /** A dictionary whose keys are names chosen by the author, such as names of fonts. */
  map: 7,
  /** Anything that is only displayed. */
  content: 8,
} as const;
export type Role = keyof typeof roleNumbers;

type Entries = Readonly<Record<string, Role>>;

function entries(keys: string, others: Entries = {}): Entries {
  return { ...Object.fromEntries(keys.split(' ').map((key) => [key, 'content' as const])), ...others };
}

/** Every entry that is kept, with the role of its value. Other entries are removed. */
export const keptEntries: Readonly<Record<Exclude<Role, 'map' | 'content'>, Entries>> = {
  catalog: entries(
    'Type Version Extensions PageLabels ViewerPreferences PageLayout PageMode Metadata StructTreeRoot MarkInfo Lang OutputIntents OCProperties',
    { Pages: 'page', Names: 'names', Dests: 'map', Outlines: 'outline', OpenAction: 'jump', AcroForm: 'form' },
  ),
  names: entries('Dests'),
  page: entries(
    'Type Count Resources MediaBox CropBox BleedBox TrimBox ArtBox BoxColorInfo Contents Rotate Group Thumb Metadata StructParents Tabs UserUnit LastModified OutputIntents',
    { Parent: 'page', Kids: 'page', Annots: 'annotation' },
  ),
  // Fields are in the same table, because most fields are annotations too.
  annotation: entries(
    'Type Subtype Rect Contents NM M F AP AS Border C StructParent OC BM Lang CA ca T CreationDate RC Subj RT IT Name Open State StateModel DA Q DS CL BE RD BS LE L LL LLE IC Cap LLO CP CO Measure Vertices Path QuadPoints Sy InkList H MK Dest FT TU TM Ff V DV Opt MaxLen TI I RO OverlayText Repeat',
    { P: 'page', Popup: 'annotation', IRT: 'annotation', Parent: 'annotation', Kids: 'annotation', A: 'jump' },
  ),
  form: entries('NeedAppearances DA DR Q', { Fields: 'annotation' }),
  outline: entries('Type Title Count Dest SE C F', {
    Parent: 'outline',
    Prev: 'outline',
    Next: 'outline',
    First: 'outline',
    Last: 'outline',
    A: 'jump',
  }),
  jump: entries('Type S D'),
};

/** The role of a dictionary that declares its type, in addition to the role by which it was reached. */
export const rolesByType: Readonly<Record<string, Role>> = {
  Catalog: 'catalog',
  Page: 'page',
  Pages: 'page',
  Template: 'page',
  Annot: 'annotation',
};

/**
 * Entries whose value is a {@link Role} of `map`. In it, `/AA` or `/Sound` is an arbitrary name of a font or a state.
 */
export const mapKeys: ReadonlySet<string> = new Set([
  'Font',
  'XObject',
  'ExtGState',
  'ColorSpace',
  'Pattern',
  'Shading',
  'Properties',
  'CharProcs',
  'Colorants',
  'RoleMap',
  'ClassMap',
  'N',
  'R',
  'D',
]);

/** Other entries of contents whose value has a role. */
export const contentRoles: Entries = { Obj: 'annotation', Pg: 'page' };

/** Descriptions of what is removed. Links are removed without a description. */
export type RemovedPart = Removal | 'links';

/** Entries that are always removed, however they are reached, except in a {@link Role} of `map`. */
export const removedKeys: Readonly<Record<string, RemovedPart>> = {
  AA: 'actions',
  AF: 'attachments',
  EF: 'attachments',
  RF: 'attachments',
  FS: 'attachments',
  EmbeddedFiles: 'attachments',
  JS: 'scripts',
  JavaScript: 'scripts',
  XFA: 'scripts',
  OnInstantiate: 'scripts',
  '3DD': 'media',
  '3DA': 'media',
  Movie: 'media',
  Sound: 'media',
  Rendition: 'media',
  Renditions: 'media',
  RichMediaContent: 'media',
  RichMediaSettings: 'media',
  URI: 'links',
  OpenAction: 'actions',
  Perms: 'signatures',
};

/** Entries of any stream that take its content from another file. */
export const externalStreamKeys = ['F', 'FFilter', 'FDecodeParms', 'Ref', 'OPI'] as const;

/** Annotations that consist only of what is removed. */
export const removedAnnotations: Readonly<Record<string, RemovedPart>> = {
  '3D': 'media',
  FileAttachment: 'attachments',
  Movie: 'media',
  Projection: 'media',
  RichMedia: 'media',
  Screen: 'media',
  Sound: 'media',
};

/** What an action does, by its `/S`. */
export const actionKinds: Readonly<Record<string, RemovedPart>> = {
  GoTo3DView: 'media',
  GoToE: 'actions',
  GoToR: 'actions',
  Hide: 'actions',
  ImportData: 'actions',
  JavaScript: 'scripts',
  Launch: 'actions',
  Movie: 'media',
  Named: 'actions',
  Rendition: 'media',
  ResetForm: 'actions',
  RichMediaExecute: 'media',
  SetOCGState: 'actions',
  Sound: 'media',
  SubmitForm: 'actions',
  Thread: 'actions',
  Trans: 'actions',
  URI: 'links',
};
