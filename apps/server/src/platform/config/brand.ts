import type { Translate } from '@tizara/languages'

/** A logo as PNG, in the sizes that pages use. Its name is the hash of the upload. */
export interface BrandLogo {
  hash: string
  /** 96 px a side: mark, favicon, head of PDFs. */
  mark: Buffer
}

/**
 * Name and look of the platform, as two staff members decided them (docs/decisions/0063-brand.md). Pages, mails, files and labels of
 * authenticator apps take them from here. Texts that the key of a reserve address signs keep BRAND_NAME (`config.brandName`).
 */
export interface Brand {
  /** 0 before the first decision. */
  readonly version: number
  readonly name: string
  /** Sender of mails. */
  readonly senderName: string
  /** `#rrggbb`; null for the colours of theme.css. */
  readonly accent: string | null
  readonly logo: BrandLogo | null
  /** Logo for the dark theme; null if it is the same. */
  readonly logoDark: BrandLogo | null
  /** Links in the foot of pages and mails: text and https address. */
  readonly links: readonly (readonly [text: (t: Translate) => string, url: string])[]
}

/** Returns the brand before the first decision. */
export const defaultBrand = (name: string): Brand => ({
  version: 0,
  name,
  senderName: name,
  accent: null,
  logo: null,
  logoDark: null,
  links: [],
})

/** Replaces the brand of a process. Copies of its configuration share one object, so it is changed in place. */
export function setBrand({ brand }: { brand: Brand }, next: Brand): void {
  Object.assign(brand, next)
}
