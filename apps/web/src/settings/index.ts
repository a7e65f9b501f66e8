export { completeAppConfig, readAppConfig, useAppConfig } from './app-config.ts'
