import * as v from 'valibot'
import { UPLOAD_MAX_BYTES } from './limits.ts'
import { idParams } from './fields.ts'
import { staffAct, staffRead } from './route.ts'
import type { BrandValue } from './staff-values.ts'

/** The operator's own brand (docs/decisions/0063-brand.md). */

/** Maximum logo in bytes. */
export const LOGO_MAX_BYTES = 200_000
/** Sides of a PNG logo in pixels. An SVG may be smaller. */
export const LOGO_SIDES = { min: 256, max: 4096 } as const

/** Translates an English text. */
type Translate = (text: string) => string

/** Links of a brand, with their texts, in the order in which pages show them. */
export const brandLinks = [
  ['terms', (t) => t('Terms')],
  ['privacy', (t) => t('Privacy')],
  ['imprint', (t) => t('Imprint')],
  ['support', (t) => t('Help')],
] as const satisfies readonly (readonly [keyof BrandValue, (t: Translate) => string])[]

/** Address of a logo as PNG. */
export const logoPath = (hash: string, side: 96 | 512): string => `/brand/${hash}-${side}.png`

export const uploadLogo = staffAct({
  name: 'uploadLogo',
  role: 'admin',
  path: '/staff/brand/logo',
  summary:
    'Uploads a square logo, as SVG or as PNG of at least 256 px. The server renders it to PNG and never serves the file itself. Two people then approve it in a proposal.',
  body: v.strictObject({}),
  upload: { field: 'image', required: true, maxBytes: UPLOAD_MAX_BYTES },
  reply: v.object({ hash: v.string() }),
  errors: ['FILE_REQUIRED', 'FILE_TOO_LARGE', 'LOGO_REFUSED'],
})

export const staffLogo = staffRead({
  name: 'staffLogo',
  role: 'all',
  path: '/staff/brand/logo/:id',
  summary: 'Returns an uploaded logo by its hash, as a data URL of a PNG. Until a brand with the logo is in force, only staff can read it.',
  params: idParams,
  reply: v.object({ image: v.string() }),
  errors: ['NOT_FOUND'],
})
