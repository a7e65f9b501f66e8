export { loadMissingAppConfig, readAppConfig, useAppConfig } from './app-config.ts'
