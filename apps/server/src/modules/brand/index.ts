/**
 * Manages the name and the look of the platform. Owns `brand` and `brand_logo`. The row with the latest start is in force, and each
 * process follows it.
 */
export { brandAt } from './brand.queries.ts'
export { followBrand, loadBrand } from './follow-brand.ts'
export { readLogo, readPublicLogo, renderLogo, storeLogo } from './logos.ts'
export { publishBrand, scheduleBrands } from './publish-brand.ts'
