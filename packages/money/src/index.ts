export * from './units.ts'
export * from './rounding.ts'
export * from './quotes.ts'
