export * from './catalogue.ts'
export * from './message.ts'
export * from './translate.ts'
