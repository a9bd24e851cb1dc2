/** A business sector offered at sign-up and for a business. */
type Sector = {
  readonly id: number;
  readonly name: string;
  /** The ISIC Rev. 4 section that most of the sector falls under; null where none does. */
  readonly isic: string | null;
};

/**
 * The business sectors, sorted by name with 'Other' last. They follow the sections of ISIC Rev. 4
 * (United Nations, 2008), in words that an owner would use of the business; a section with several
 * kinds of Ugandan small business is split. Left out are sections O (public administration),
 * T (households) and U (embassies and the like), which hold no businesses.
 *
 * A first migration loads this list, so it is frozen: a later change is a new migration, and an
 * id is never reused (docs/reference-data.md).
 */
export const sectors: readonly Sector[] = [
  { id: 1, name: 'Agriculture and agro-processing', isic: 'A' },
  { id: 2, name: 'Arts, entertainment and sport', isic: 'R' },
  { id: 3, name: 'Cleaning, security and staffing services', isic: 'N' },
  { id: 4, name: 'Construction and engineering works', isic: 'F' },
  { id: 5, name: 'Education and training', isic: 'P' },
  { id: 6, name: 'Electricity, gas and solar energy', isic: 'D' },
  { id: 7, name: 'Financial services and insurance', isic: 'K' },
  { id: 8, name: 'Fishing and forestry', isic: 'A' },
  { id: 9, name: 'Health and social care', isic: 'Q' },
  { id: 10, name: 'Hotels, restaurants and catering', isic: 'I' },
  { id: 11, name: 'Information technology and telecoms', isic: 'J' },
  { id: 12, name: 'Manufacturing', isic: 'C' },
  { id: 13, name: 'Media and publishing', isic: 'J' },
  { id: 14, name: 'Mining and quarrying', isic: 'B' },
  { id: 15, name: 'Motor vehicles, spare parts and garages', isic: 'G' },
  {
    id: 16,
    name: 'Professional, consulting and marketing services',
    isic: 'M',
  },
  { id: 17, name: 'Real estate and property management', isic: 'L' },
  { id: 18, name: 'Salons, laundries and repair services', isic: 'S' },
  { id: 19, name: 'Tourism and travel', isic: 'N' },
  { id: 20, name: 'Transport, logistics and storage', isic: 'H' },
  { id: 21, name: 'Water, sanitation and waste management', isic: 'E' },
  { id: 22, name: 'Wholesale and retail trade', isic: 'G' },
  { id: 23, name: 'Other', isic: null },
];
