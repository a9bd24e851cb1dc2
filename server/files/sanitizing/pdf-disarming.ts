import {
  ParseSpeeds,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFInvalidObject,
  PDFName,
  PDFNull,
  type PDFObject,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib';
import {
  actionKinds,
  contentRoles,
  externalStreamKeys,
  keptEntries,
  mapKeys,
  type RemovedPart,
  type Role,
  removedAnnotations,
  removedKeys,
  roleNumbers,
  rolesByType,
} from './pdf-roles.ts';
import { writePdf } from './pdf-writing.ts';

/**
 * Rewrites a PDF with its pages, texts and pictures, but without scripts, actions, links and attachments
 * (docs/decisions/0016). pdf-lib reads and writes it; we decide what to keep by walking its objects.
 */

/** Thrown for a PDF that would be empty without its scripts. */
export class OnlyScripts extends Error {}

export interface DisarmedPdf {
  readonly content: Uint8Array;
  readonly removed: ReadonlySet<RemovedPart>;
}

/** Throws {@link OnlyScripts}, and other errors for a file that can't be read or decrypted. */
export async function disarmPdf(content: Buffer): Promise<DisarmedPdf> {
  const document = await PDFDocument.load(content, {
    parseSpeed: ParseSpeeds.Fastest,
    updateMetadata: false,
    password: '',
  });
  const { context, catalog } = document;
  if (!(catalog instanceof PDFDict)) throw new Error('no catalog');
  if (document.isEncrypted) throw new Error('still encrypted');
  // Its pages show "Please wait" until a program replaces them.
  if (String(catalog.lookup(PDFName.of('NeedsRendering'))) === 'true')
    throw new OnlyScripts('its pages are drawn by a program');
  const walk = new Walk(context);
  walk.visit(context.trailerInfo.Root, 'catalog');
  walk.visit(context.trailerInfo.Info, 'content');
  const kept = reachableFrom(context, [context.trailerInfo.Root, context.trailerInfo.Info]);
  for (const [ref] of context.enumerateIndirectObjects()) if (!kept.has(ref)) context.delete(ref);
  return { content: writePdf(context), removed: walk.removed };
}

/** The objects that are still referenced after the walk has removed the forbidden ones. */
function reachableFrom(context: PDFContext, roots: readonly (PDFObject | undefined)[]): ReadonlySet<PDFRef> {
  const reached = new Set<PDFRef>();
  const waiting = [...roots];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (value instanceof PDFRef) {
      if (reached.has(value)) continue;
      reached.add(value);
      waiting.push(context.lookup(value));
    } else if (value instanceof PDFArray) for (const item of value.asArray()) waiting.push(item);
    else if (value instanceof PDFDict) for (const item of value.values()) waiting.push(item);
    else if (value instanceof PDFStream) waiting.push(value.dict);
  }
  return reached;
}

class Walk {
  readonly removed = new Set<RemovedPart>();
  readonly #context: PDFContext;
  /** The roles in which an object was visited, one bit each, because files have 100,000 objects. */
  readonly #visited = new Map<PDFObject, number>();
  readonly #waiting: [PDFObject, Role][] = [];

  constructor(context: PDFContext) {
    this.#context = context;
  }

  /** Visits everything below a value without recursion, because a hostile file may nest arbitrarily deep. */
  visit(value: PDFObject | undefined, role: Role): void {
    this.#reach(value, role);
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) this.#clean(...next);
  }

  #reach(value: PDFObject | undefined, role: Role): void {
    const found = this.#resolve(value);
    // Its bytes would be written unchanged, and another reader might interpret them.
    if (found instanceof PDFInvalidObject) throw new Error('an object that cannot be parsed');
    if (!(found instanceof PDFDict || found instanceof PDFArray || found instanceof PDFStream)) return;
    const roles = this.#visited.get(found) ?? 0;
    const bit = 1 << roleNumbers[role];
    if ((roles & bit) !== 0) return;
    this.#visited.set(found, roles | bit);
    this.#waiting.push([found, role]);
  }

  #resolve(value: PDFObject | undefined): PDFObject | undefined {
    let found = value;
    for (let steps = 0; found instanceof PDFRef; steps += 1) {
      if (steps > 100) return undefined;
      found = this.#context.lookup(found);
    }
    return found;
  }

  #clean(found: PDFObject, role: Role): void {
    if (found instanceof PDFArray) this.#cleanArray(found, role);
    else if (found instanceof PDFStream) {
      for (const key of externalStreamKeys) found.dict.delete(PDFName.of(key));
      this.#cleanDictionary(found.dict, 'content');
    } else if (found instanceof PDFDict) {
      this.#cleanDictionary(found, role);
      const declared = rolesByType[this.#nameAt(found, 'Type') ?? ''];
      if (declared !== undefined) this.#reach(found, declared);
    }
  }

  #cleanArray(array: PDFArray, role: Role): void {
    const itemRole = role === 'jump' ? 'content' : role; // a jump to a page
    for (let index = array.size() - 1; index >= 0; index -= 1) {
      const removal = this.#removalOf(array.get(index), itemRole);
      if (removal === undefined) this.#reach(array.get(index), itemRole);
      else {
        this.removed.add(removal);
        if (role === 'annotation') array.remove(index);
        else array.set(index, PDFNull);
      }
    }
  }

  #cleanDictionary(dictionary: PDFDict, role: Role): void {
    for (const [name, value] of dictionary.entries()) {
      const key = name.decodeText();
      const [kept, removal] = this.#judge(key, value, role);
      if (kept === undefined) dictionary.delete(name);
      else this.#reach(value, kept);
      if (removal !== undefined) this.removed.add(removal);
    }
  }

  /** The role of an entry's value, or that the entry is removed and what to report about it. */
  #judge(key: string, value: PDFObject, role: Role): readonly [Role | undefined, RemovedPart?] {
    if (role === 'map') {
      const removal = this.#removalOf(value, 'content');
      return removal === undefined ? ['content'] : [undefined, removal];
    }
    const child = role === 'content' ? this.#contentRole(key, value) : keptEntries[role][key];
    if (child === undefined) return [undefined, this.#removalAt(key, value)];
    if (child === 'jump') {
      const action = this.#actionOf(value);
      return action === undefined ? ['jump'] : [undefined, action];
    }
    const removal = this.#removalOf(value, child);
    return removal === undefined ? [child] : [undefined, removal];
  }

  #contentRole(key: string, value: PDFObject): Role | undefined {
    if (Object.hasOwn(removedKeys, key)) return undefined;
    if (mapKeys.has(key) && this.#resolve(value) instanceof PDFDict) return 'map';
    return contentRoles[key] ?? 'content';
  }

  /** What a removed entry was. */
  #removalAt(key: string, value: PDFObject): RemovedPart | undefined {
    const actions = this.#resolve(value);
    const isComposite = actions instanceof PDFDict || actions instanceof PDFArray || actions instanceof PDFStream;
    if (!isComposite) return key === 'JS' ? 'scripts' : undefined;
    if (key !== 'AA') return removedKeys[key] ?? (this.#isAction(actions) ? this.#actionOf(actions) : undefined);
    const kinds = actions instanceof PDFDict ? actions.values().map((action) => this.#actionOf(action)) : [];
    return kinds.includes('scripts') ? 'scripts' : 'actions';
  }

  /** Values that are always removed, whatever their key. */
  #removalOf(value: PDFObject, role: Role): RemovedPart | undefined {
    const found = this.#resolve(value);
    const dictionary = found instanceof PDFStream ? found.dict : found;
    if (!(dictionary instanceof PDFDict)) return undefined;
    const type = this.#nameAt(dictionary, 'Type');
    if (type === 'Filespec' || type === 'EmbeddedFile') return 'attachments';
    if (type === 'Sig' || dictionary.has(PDFName.of('ByteRange'))) return 'signatures';
    if (type === 'Action' || this.#isAction(dictionary)) return this.#actionOf(dictionary);
    return role === 'annotation' ? removedAnnotations[this.#nameAt(dictionary, 'Subtype') ?? ''] : undefined;
  }

  /** What an action does; undefined for a jump within the file, which is kept. */
  #actionOf(value: PDFObject): RemovedPart | undefined {
    const action = this.#resolve(value);
    if (!(action instanceof PDFDict)) return undefined;
    const kind = this.#nameAt(action, 'S');
    if (kind === 'GoTo') return action.has(PDFName.of('Next')) ? 'actions' : undefined;
    if (action.has(PDFName.of('JS'))) return 'scripts';
    return actionKinds[kind ?? ''] ?? 'actions';
  }

  /**
   * Whether a value looks like an action where none belongs. A structure element may have any name, but it has a
   * parent.
   */
  #isAction(value: PDFObject): boolean {
    if (!(value instanceof PDFDict)) return false;
    const kind = this.#nameAt(value, 'S');
    return value.has(PDFName.of('JS')) || (kind !== undefined && kind in actionKinds && !value.has(PDFName.of('P')));
  }

  #nameAt(dictionary: PDFDict, key: string): string | undefined {
    const value = this.#resolve(dictionary.get(PDFName.of(key)));
    return value instanceof PDFName ? value.decodeText() : undefined;
  }
}
